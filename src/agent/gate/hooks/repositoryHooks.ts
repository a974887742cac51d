import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { type FileHooks, readHookConfiguration } from './configuration.ts';

const files = ['.offshoot/settings.json', '.claude/settings.json', '.claude/settings.local.json'];
const maxBytes = 1024 * 1024;
const fileSchema = z.looseObject({ hooks: z.unknown().optional() });

export type RepositoryHooks = FileHooks & {
  /** The folder of the workspace that the file is from. */
  readonly root: string;
  readonly problems: readonly string[];
};

/** The hooks that files of a trusted workspace bring. Files that cannot be read are told of by the rules that stand in them. */
export async function readRepositoryHooks(roots: readonly string[]): Promise<readonly RepositoryHooks[]> {
  const read = await Promise.all(roots.flatMap((root) => files.map((name) => readOne(root, name))));
  return read.flatMap((one) => one ?? []);
}

async function readOne(root: string, name: string): Promise<RepositoryHooks | undefined> {
  const file = join(root, name);
  const found = await stat(file).catch(() => undefined);
  if (found === undefined || found.size > maxBytes) return undefined;
  const parsed = fileSchema.safeParse(parseJson(await readFile(file, 'utf8').catch(() => '')));
  const written = parsed.data?.hooks;
  const { hooks, problems } = readHookConfiguration(written);
  if (hooks.length === 0 && problems.length === 0) return undefined;
  return { root, file, written, hooks, problems: problems.map((problem) => `${name}: ${problem}`) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
