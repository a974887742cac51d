import * as z from 'zod';
import { type RepositoryFile, readRepositoryFiles } from '../repositoryFiles.ts';
import { type FileHooks, readHookConfiguration } from './configuration.ts';

const fileSchema = z.looseObject({ hooks: z.unknown().optional() });

export type RepositoryHooks = FileHooks & {
  /** The folder of the workspace that the file is from. */
  readonly root: string;
  readonly problems: readonly string[];
};

/** The hooks that files of a trusted workspace bring. Files that cannot be read are told of by the rules that stand in them. */
export async function readRepositoryHooks(roots: readonly string[]): Promise<readonly RepositoryHooks[]> {
  return (await readRepositoryFiles(roots)).flatMap(hooksOf);
}

function hooksOf({ root, name, path, value }: RepositoryFile): readonly RepositoryHooks[] {
  const written = fileSchema.safeParse(value).data?.hooks;
  const { hooks, problems } = readHookConfiguration(written);
  if (hooks.length === 0 && problems.length === 0) return [];
  return [{ root, file: path, written, hooks, problems: problems.map((problem) => `${name}: ${problem}`) }];
}
