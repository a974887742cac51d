import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { WrittenRule } from './policy.ts';

const files = ['.offshoot/settings.json', '.claude/settings.json', '.claude/settings.local.json'];
const maxBytes = 1024 * 1024;

const rules = z
  .array(z.unknown())
  .transform((list) => list.filter((rule) => typeof rule === 'string'))
  .catch([]);
/** Both spellings: an object `permissions`, and names with a dot. */
const fileSchema = z.looseObject({
  permissions: z.looseObject({ deny: rules.optional(), ask: rules.optional() }).optional().catch(undefined),
  'permissions.deny': rules.optional(),
  'permissions.ask': rules.optional(),
});

export type RepositoryRules = { readonly written: readonly WrittenRule[]; readonly notices: readonly string[] };

/**
 * What the files of a trusted workspace forbid, or want to be asked about. They can only tighten: what they allow, and the
 * mode they want, is left out and said.
 */
export async function readRepositoryRules(roots: readonly string[]): Promise<RepositoryRules> {
  const read = await Promise.all(roots.flatMap((root) => files.map((file) => readOne(join(root, file), file))));
  return { written: read.flatMap(({ written }) => written), notices: read.flatMap(({ notices }) => notices) };
}

const nothing: RepositoryRules = { written: [], notices: [] };

async function readOne(path: string, name: string): Promise<RepositoryRules> {
  const size = (await stat(path).catch(() => undefined))?.size;
  if (size === undefined) return nothing;
  const unusable = {
    written: [],
    notices: [`${name} cannot be read as settings, so its rules do not hold. Check that it is JSON.`],
  };
  if (size > maxBytes) return unusable;
  const parsed = fileSchema.safeParse(parseJson(await readFile(path, 'utf8').catch(() => '')));
  if (!parsed.success) return unusable;
  const { permissions, ...flat } = parsed.data;
  const as = (list: 'deny' | 'ask') => (text: string) => ({ list, text, source: 'repository' as const, file: path });
  const deny = [...(permissions?.deny ?? []), ...(flat['permissions.deny'] ?? [])];
  const ask = [...(permissions?.ask ?? []), ...(flat['permissions.ask'] ?? [])];
  return { written: [...deny.map(as('deny')), ...ask.map(as('ask'))], notices: ignored(name, permissions ?? {}, flat) };
}

const looseners = ['allow', 'mode', 'defaultMode', 'additionalDirectories'];

function ignored(name: string, permissions: object, flat: object): readonly string[] {
  const found = looseners.filter((key) => key in permissions || `permissions.${key}` in flat);
  if (found.length === 0) return [];
  return [`${name} may only forbid and ask: its ${found.map((key) => `permissions.${key}`).join(', ')} is left out.`];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
