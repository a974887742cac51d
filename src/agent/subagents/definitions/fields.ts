import * as z from 'zod';
import { splitAtCommas, splitList } from './toolNames.ts';

/** YAML reads `name: 7` and `maxTurns: "7"` as what they look like; both are fine. */
const text = z.union([z.string(), z.number(), z.boolean()]).transform((value) => String(value).trim());
const flag = z.union([z.boolean(), z.stringbool()], 'must be true or false');
const items = z.union([
  z.string().transform(splitList),
  z.array(z.string()).transform((entries) => entries.flatMap(splitAtCommas)),
]);
/** opencode writes `write: false` for what it takes away. */
const switches = z.record(z.string(), z.boolean());

/** What a field may hold; everything that is not a field here is unknown. */
export const fieldSchemas = {
  name: text.pipe(
    z
      .string()
      .min(1, 'needs a name')
      .max(64, 'has more than 64 characters')
      .regex(/^[^\n]*$/, 'must be one line'),
  ),
  description: text.pipe(z.string().min(1, 'needs a text that says when to delegate to this agent')),
  tools: z.union([...items.options, switches], 'must be a list of tools, e.g. `Read, Grep`'),
  disallowedTools: z.union(items.options, 'must be a list of tools, e.g. `Write, Edit`'),
  model: z.union([text, z.array(z.string())], 'must be a model, an alias or `inherit`'),
  permissionMode: text,
  maxTurns: z.coerce.number('must be a number').int('must be a whole number').min(1, 'must be 1 or more'),
  background: flag,
  color: text,
  initialPrompt: text,
  effort: text,
  skills: z.union(items.options, 'must be a list of skills, e.g. `api-style, release`'),
  memory: text,
  isolation: text,
  /** Of Copilot: the agents it may delegate to. */
  agents: z.union(items.options, 'must be a list of agents'),
  'disable-model-invocation': flag,
  infer: flag,
  hooks: z.unknown(),
  disable: flag,
  disabled: flag,
} as const;

export type FieldName = keyof typeof fieldSchemas;

/** They change where an agent works, what guards it, or what it may do: without them it is not run. */
const refusedFields: Readonly<Record<string, string>> = {
  permission: 'this way to limit an agent is not understood; name what it must not use in disallowedTools instead.',
};

/** Passed over, with a word about it. */
export const unsupportedFields: ReadonlySet<string> = new Set(['mcpServers', 'mcp-servers', 'handoffs']);

/** Of other products; nothing is lost without them. */
export const idleFields: ReadonlySet<string> = new Set([
  'argument-hint',
  'target',
  'user-invocable',
  'user-invokable',
  'metadata',
  'mode',
  'hidden',
  'version',
  'author',
  'license',
]);

/** Why an agent with this field is not run. */
export function refusalOf(name: string): string | undefined {
  return Object.hasOwn(refusedFields, name) ? refusedFields[name] : undefined;
}

export function isFieldName(name: string): name is FieldName {
  return Object.hasOwn(fieldSchemas, name);
}

export function isKnownField(name: string): boolean {
  return isFieldName(name) || refusalOf(name) !== undefined || unsupportedFields.has(name) || idleFields.has(name);
}
