import * as z from 'zod';
import { type RepositoryFile, readRepositoryFiles } from '../repositoryFiles.ts';
import type { WrittenRule } from './policy.ts';

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
  const read = (await readRepositoryFiles(roots)).map(rulesOf);
  return { written: read.flatMap(({ written }) => written), notices: read.flatMap(({ notices }) => notices) };
}

function rulesOf({ name, path, value }: RepositoryFile): RepositoryRules {
  const parsed = fileSchema.safeParse(value);
  if (!parsed.success) {
    const notice = `${name} cannot be read as settings, so its rules do not hold. Check that it is JSON.`;
    return { written: [], notices: [notice] };
  }
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
