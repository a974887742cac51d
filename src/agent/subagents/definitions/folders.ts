import { readdir, realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import type { DefinitionProblem } from './problem.ts';

/** A place where agent files lie. */
export type DefinitionFolder = {
  readonly path: string;
  /** How their names end. */
  readonly suffix: '.md' | '.agent.md';
  /** Folders below count too. */
  readonly isDeep: boolean;
  /** The folder itself may be a link, but not out of this one. */
  readonly within?: string;
};

/** The folders of one workspace root, the first goes before the others. */
export const projectFolders: readonly { readonly path: string; readonly suffix: DefinitionFolder['suffix'] }[] = [
  { path: '.offshoot/agents', suffix: '.md' },
  { path: '.claude/agents', suffix: '.md' },
  { path: '.github/agents', suffix: '.agent.md' },
];
export const homeFolders: readonly string[] = ['.offshoot/agents', '.claude/agents'];

/**
 * Where agent files are looked for: the first of two of one name wins. An untrusted workspace has no say.
 * @param extra goes before all others
 */
export function definitionFolders(places: {
  readonly workspace: { readonly roots: readonly string[]; readonly isTrusted: boolean };
  readonly home: string;
  readonly extra?: string | undefined;
}): readonly DefinitionFolder[] {
  const { workspace, home, extra } = places;
  const project = (workspace.isTrusted ? workspace.roots : []).flatMap((root) =>
    projectFolders.map(({ path, suffix }) => ({
      path: join(root, path),
      suffix,
      isDeep: suffix === '.md',
      within: root,
    })),
  );
  const user = homeFolders.map((path) => ({ path: join(home, path), suffix: '.md' as const, isDeep: true }));
  return [...(extra === undefined ? [] : [{ path: extra, suffix: '.md' as const, isDeep: true }]), ...project, ...user];
}

const maxDepth = 8;
const maxFiles = 500;

export type FoundFiles = { readonly files: readonly string[]; readonly problems: readonly DefinitionProblem[] };

/** The agent files of a folder, in the order of their paths. What a link leads to outside of the folder is not looked at. */
export async function findFiles(folder: DefinitionFolder): Promise<FoundFiles> {
  const files: string[] = [];
  const problems: DefinitionProblem[] = [];
  const warn = (file: string, message: string) => void problems.push({ file, line: 1, severity: 'warning', message });
  const top = await realPathOf(folder.path);
  if (top === undefined) return { files, problems };
  const limit = folder.within === undefined ? undefined : await realPathOf(folder.within);
  if (limit !== undefined && !isInside(limit, top)) {
    warn(folder.path, 'this folder is a link out of the workspace and is not followed.');
    return { files, problems };
  }

  async function walk(directory: string, depth: number): Promise<void> {
    for (const entry of await entriesOf(directory, warn)) {
      const path = join(directory, entry.name);
      if (entry.isFolder && folder.isDeep && depth < maxDepth) await walk(path, depth + 1);
      if (!entry.name.endsWith(folder.suffix) || entry.isFolder) continue;
      if (entry.isLink && !isInside(top ?? '', (await realPathOf(path)) ?? sep)) {
        warn(path, 'this is a link out of its folder and is not followed. Put the file itself there.');
        continue;
      }
      files.push(path);
    }
  }
  await walk(folder.path, 0);
  if (files.length > maxFiles)
    warn(folder.path, `there are more than ${maxFiles} agent files here; the rest is not read.`);
  return { files: files.slice(0, maxFiles), problems };
}

type Entry = { readonly name: string; readonly isFolder: boolean; readonly isLink: boolean };

async function entriesOf(directory: string, warn: (file: string, message: string) => void): Promise<readonly Entry[]> {
  try {
    const entries = await readdir(directory, { withFileTypes: true });
    return entries
      .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory(), isLink: entry.isSymbolicLink() }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (!isAbsent(error))
      warn(directory, `this folder cannot be read: ${error instanceof Error ? error.message : error}`);
    return [];
  }
}

async function realPathOf(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch {
    return undefined;
  }
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (!way.startsWith(`..${sep}`) && way !== '..' && !isAbsolute(way));
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
