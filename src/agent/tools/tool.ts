import * as z from 'zod';
import type { PathResolver } from '../gate/places/paths.ts';
import type { Host, Workspace } from '../host.ts';
import type { ImageBlock, TextBlock } from '../messages/types.ts';
import type { JsonSchema } from '../model/provider.ts';
import { ToolError } from './toolError.ts';

export { ToolError };

/** What a call does to the world: `read` nothing; `edit` files; `send` tells others something; `execute` whatever a command does. */
export type Effect = 'read' | 'edit' | 'send' | 'execute';

export type ToolResult = {
  readonly content: string | readonly (TextBlock | ImageBlock)[];
  /** A few words for people, e.g. `212 lines`. */
  readonly summary: string;
  /** The result says that something went wrong; the model sees it as an error. */
  readonly isError?: boolean;
  /** For the receipt; absolute paths. */
  readonly filesRead?: readonly string[];
  readonly command?: { readonly command: string; readonly exitCode: number | undefined };
  /** The content has its final size: it is not cut again. */
  readonly isBounded?: boolean;
  /** Where the whole of a cut result is kept. */
  readonly artifact?: string;
};

export type EditOutcome =
  | { readonly decision: 'accept'; readonly text: string; readonly isAmended: boolean }
  | { readonly decision: 'reject'; readonly reason: string | undefined };

/** What a running call may use. */
export interface ToolContext {
  readonly signal: AbortSignal;
  /** The id of the call. */
  readonly call: string;
  readonly host: Host;
  readonly workspace: Workspace;
  readonly paths: PathResolver;
  /** What this agent has read, so that an edit of unread or changed text is refused. */
  readonly reads: ReadLog;
  /** Whether rules keep a file, by its real path, out of what a search returns; left out: they keep none. */
  isHidden?(path: string): boolean;
  /** A new file for a result that is too long; readable with Read. */
  artifactPath(extension: string): Promise<string>;
  progress(text: string): void;
  /**
   * Proposes or writes a change, as the mode says. One place for all tools that change files.
   * @param before undefined: the file is new
   * @throws FileError when the file changed meanwhile; ToolError when the write failed
   */
  applyEdit(path: string, before: { text: string; version: string } | undefined, after: string): Promise<EditOutcome>;
  /** undefined when nobody can answer */
  askUser(question: string, options: readonly string[]): Promise<string | undefined>;
}

/** Versions of files as an agent saw them last. */
export interface ReadLog {
  versionOf(path: string): string | undefined;
  record(path: string, version: string): void;
}

/** A call whose input is valid. */
export interface PreparedCall {
  /** One line for people, e.g. `Read src/a.ts`. */
  readonly summary: string;
  /** Every path that the call names, as given by the model. The gate resolves and checks them. */
  readonly paths: readonly string[];
  /** The whole command, for `execute`. */
  readonly command?: string;
  /** The type of agent that it starts. */
  readonly agentType?: string;
  /** The address that it asks. */
  readonly url?: string;
  run(context: ToolContext): Promise<ToolResult>;
}

export interface Tool {
  readonly name: string;
  /** Other names that models and agent files know it by; they are understood, not offered. */
  readonly aliases: readonly string[];
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly effect: Effect;
  /** May run beside other calls, and may start while the message still streams. */
  readonly isConcurrent: boolean;
  /** A model begins to write a call: what takes its time and changes nothing may begin. Must not throw. */
  anticipate?(): void;
  /** @throws ToolError that names the wrong field and what is expected */
  prepare(input: unknown): PreparedCall;
}

type ToolDefinition<Schema extends z.ZodObject> = {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly description: string;
  readonly input: Schema;
  /** Names that other products or older versions give to fields, by ours: understood, not offered. */
  readonly fieldAliases?: Readonly<Record<string, string>>;
  readonly effect: Effect;
  readonly isConcurrent: boolean;
  anticipate?(): void;
  summarize(input: z.output<Schema>): string;
  paths?(input: z.output<Schema>): readonly string[];
  command?(input: z.output<Schema>): string;
  agentType?(input: z.output<Schema>): string;
  url?(input: z.output<Schema>): string;
  run(input: z.output<Schema>, context: ToolContext): Promise<ToolResult>;
};

/** The tool that a call means. */
export function findTool(tools: readonly Tool[], name: string): Tool | undefined {
  return tools.find((tool) => tool.name === name || tool.aliases.includes(name));
}

/** Makes a tool of a schema and a function; the input is checked here and nowhere else. */
export function defineTool<Schema extends z.ZodObject>(definition: ToolDefinition<Schema>): Tool {
  let schema: JsonSchema | undefined;
  return {
    name: definition.name,
    aliases: definition.aliases ?? [],
    description: definition.description,
    effect: definition.effect,
    isConcurrent: definition.isConcurrent,
    ...(definition.anticipate && { anticipate: definition.anticipate }),
    get inputSchema() {
      schema ??= toJsonSchema(definition.input);
      return schema;
    },
    prepare(input) {
      const parsed = definition.input.safeParse(renameFields(input, definition.fieldAliases ?? {}));
      if (!parsed.success) throw new ToolError(`${definition.name}: ${describeIssues(parsed.error)}`);
      const { data } = parsed;
      return {
        summary: definition.summarize(data),
        paths: definition.paths?.(data) ?? [],
        ...(definition.command && { command: definition.command(data) }),
        ...(definition.agentType && { agentType: definition.agentType(data) }),
        ...(definition.url && { url: definition.url(data) }),
        run: (context) => definition.run(data, context),
      };
    },
  };
}

function renameFields(input: unknown, aliases: Readonly<Record<string, string>>): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [aliases[name] ?? name, value]));
}

function toJsonSchema(schema: z.ZodObject): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: 'draft-7', io: 'input' });
  return rest;
}

function describeIssues(error: z.ZodError): string {
  return error.issues
    .map((issue) => (issue.path.length > 0 ? `\`${issue.path.join('.')}\`: ${issue.message}` : issue.message))
    .join('; ');
}
