import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseDocument } from 'yaml';
import * as z from 'zod';
import type { AgentDefinition } from './definitions.ts';

/** Names of tools in agent files written for other products or older versions. */
const aliases: Readonly<Record<string, string>> = { Task: 'Agent', LS: 'Glob', MultiEdit: 'Edit' };

const names = z
  .union([z.string(), z.array(z.string())])
  .transform((value) =>
    (typeof value === 'string' ? value.split(',') : value).map((name) => name.trim()).filter(Boolean),
  );

const frontMatter = z.looseObject({
  name: z.string().min(1),
  description: z.string().min(1),
  tools: names.optional(),
  disallowedTools: names.optional(),
  model: z.string().optional(),
  maxTurns: z.int().min(1).optional(),
});

/** Fields that narrow what an agent may do: a file that asks for them is not run without them. */
const unsupported = ['permissionMode', 'isolation', 'hooks'];
const known = new Set([...Object.keys(frontMatter.shape), 'color']);

export type LoadedDefinitions = {
  readonly definitions: readonly AgentDefinition[];
  /** For people: file, line where there is one, and what to do. */
  readonly problems: readonly string[];
};

/** Reads every `*.md` of a folder as an agent definition; a file with a fault is told, the others load. */
export async function loadDefinitions(directory: string, toolNames: readonly string[]): Promise<LoadedDefinitions> {
  const definitions: AgentDefinition[] = [];
  const problems: string[] = [];
  const files = (await readdir(directory)).filter((name) => name.endsWith('.md')).sort();
  for (const file of files) {
    const path = join(directory, file);
    try {
      definitions.push(
        parseDefinition(await readFile(path, 'utf8'), file, toolNames, (text) => problems.push(`${path}${text}`)),
      );
    } catch (error) {
      problems.push(`${path}${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { definitions, problems };
}

/** @throws Error whose message begins with `:LINE: ` or `: ` */
function parseDefinition(
  text: string,
  file: string,
  toolNames: readonly string[],
  warn: (text: string) => void,
): AgentDefinition {
  const match = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---\r?\n?([\s\S]*)$/.exec(text);
  if (!match) throw new Error(':1: the file must begin with front matter between two lines of ---.');
  const [, head = '', body = ''] = match;
  const document = parseDocument(head);
  const [fault] = document.errors;
  if (fault) throw new Error(`:${(fault.linePos?.[0].line ?? 1) + 1}: ${fault.message.split('\n')[0]}`);
  const parsed = frontMatter.safeParse(document.toJS());
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const field = String(issue?.path[0] ?? 'name');
    throw new Error(`:${lineOf(head, field)}: ${field}: ${issue?.message}`);
  }
  const { data } = parsed;
  const line = (field: string) => lineOf(head, field);
  for (const field of Object.keys(data)) {
    if (unsupported.includes(field))
      throw new Error(`:${line(field)}: ${field} is not supported yet; remove it to use this agent.`);
    if (!known.has(field)) warn(`:${line(field)}: unknown field ${field}; it is passed over.`);
  }
  const tools = (data.tools ?? ['*']).map((name) => aliases[name] ?? name);
  const unknown = tools.filter((name) => !name.includes('*') && !toolNames.includes(name));
  if (unknown.length > 0)
    throw new Error(`:${line('tools')}: unknown tools ${unknown.join(', ')}. There are: ${toolNames.join(', ')}.`);
  return {
    name: data.name,
    description: data.description,
    tools,
    disallowedTools: (data.disallowedTools ?? []).map((name) => aliases[name] ?? name),
    prompt: body.trim() || `You are ${data.name || basename(file, '.md')}. ${data.description}`,
    hasInstructions: true,
    modelRole: 'parent',
    ...(data.model !== undefined && { model: data.model }),
    ...(data.maxTurns !== undefined && { maxTurns: data.maxTurns }),
  };
}

/** 1-based line in the file; the front matter begins on the second. */
function lineOf(head: string, field: string): number {
  const index = head.split(/\r?\n/).findIndex((line) => line.startsWith(`${field}:`));
  return index < 0 ? 1 : index + 2;
}
