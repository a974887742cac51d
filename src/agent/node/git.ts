import { createHash } from 'node:crypto';
import { lstat, realpath } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import type { DirtyFile, Git, GitState } from '../host.ts';
import { fileIdentities } from './files/fileIdentity.ts';
import { changedBetween } from './git/gitChanges.ts';
import { findGit, type GitCall, runGit, withoutFilters } from './git/gitCommand.ts';
import { type GitStatus, parseStatus } from './git/gitRecords.ts';

const maxDirty = 5000;
const maxNested = 50;
const maxNesting = 3;

type GitOptions = {
  /** The program to use; by default the one on PATH. */
  readonly find?: () => Promise<string | undefined>;
  /** The environment to choose from; by default that of this process. */
  readonly environment?: NodeJS.ProcessEnv;
};

/** Git by its command line, which is looked for once; without one, no folder has a state. */
export function createNodeGit(options: GitOptions = {}): Git {
  const environment = options.environment ?? process.env;
  let found: Promise<string | undefined> | undefined;
  const find = async () => {
    found ??= (async () => (await options.find?.()) ?? (await findGit(environment)))();
    return found;
  };
  const call: GitCall = async (directory, args, signal, settings = []) => {
    const git = await find();
    return git === undefined ? undefined : runGit({ git, directory, environment, args, settings }, signal);
  };
  return {
    async state(root, signal) {
      signal.throwIfAborted();
      const top = await findTop(root);
      return top === undefined ? undefined : readState(call, top, maxNesting, signal);
    },
    changedBetween: (before, after, signal) => changedBetween(call, before, after, signal),
  };
}

/** The nearest folder with a repository; git itself decides whether it is one that may be used. */
async function findTop(root: string): Promise<string | undefined> {
  const start = await realpath(root).catch(() => undefined);
  if (start === undefined) return undefined;
  for (let folder = start; ; folder = dirname(folder)) {
    if (await exists(join(folder, '.git'))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

const statusArgs = [
  'status',
  '--porcelain=v2',
  '--branch',
  '-z',
  '--untracked-files=all',
  '--no-renames',
  '--no-ahead-behind',
  // Not into submodules: git would look at each with a process that does without our settings.
  '--ignore-submodules=dirty',
] as const;

async function readState(
  call: GitCall,
  top: string,
  nesting: number,
  signal: AbortSignal,
): Promise<GitState | undefined> {
  const settings = await withoutFilters(call, top, signal);
  // A configuration may name any other folder as the work tree: that one is not looked at.
  const output = settings && (await call(top, [`--work-tree=${top}`, ...statusArgs], signal, settings));
  if (output === undefined) return undefined;
  const status = parseStatus(output);
  if (status.records.length > maxDirty) return undefined;
  const nested = await readNested(call, top, status, nesting, signal);
  if (!nested) return undefined;
  const dirty = await readDirty(top, status, nested, signal);
  return { top, head: status.head, branch: status.branch, dirty, nested, fingerprint: digest(status, dirty, nested) };
}

async function readDirty(
  top: string,
  { head, records }: GitStatus,
  nested: readonly GitState[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, DirtyFile>> {
  const paths = records.map(({ path }) => resolve(top, path));
  const identities = await fileIdentities(paths, head?.length === 64 ? 'sha256' : 'sha1', signal);
  const heads = new Map(nested.map((inner) => [inner.top, `160000 ${inner.head ?? 'none'}`]));
  const entries = records.map(({ committed }, index): [string, DirtyFile] => {
    const path = paths[index] ?? top;
    return [path, { content: heads.get(path) ?? identities[index] ?? '', committed }];
  });
  return new Map(entries);
}

/** @returns undefined when one of them cannot be told */
async function readNested(
  call: GitCall,
  top: string,
  status: GitStatus,
  nesting: number,
  signal: AbortSignal,
): Promise<readonly GitState[] | undefined> {
  const untracked = status.records.flatMap(({ path }) => (path.endsWith('/') ? [path] : []));
  const folders = new Set(
    [...untracked, ...(await submodulePaths(call, top, signal))].map((path) => resolve(top, path)),
  );
  const states: GitState[] = [];
  for (const folder of [...folders].sort()) {
    if (!(await isInner(top, folder))) continue;
    if (nesting === 0 || states.length >= maxNested) return undefined;
    const state = await readState(call, folder, nesting - 1, signal);
    if (!state) return undefined;
    states.push(state);
  }
  return states;
}

async function submodulePaths(call: GitCall, top: string, signal: AbortSignal): Promise<readonly string[]> {
  if (!(await exists(join(top, '.gitmodules')))) return [];
  const args = ['config', '-z', '-f', '.gitmodules', '--no-includes', '--get-regexp', '^submodule\\..*\\.path$'];
  const output = (await call(top, args, signal)) ?? '';
  return output.split('\0').flatMap((entry) => {
    const value = entry.slice(entry.indexOf('\n') + 1);
    return entry.includes('\n') && value !== '' ? [value] : [];
  });
}

/** A folder below, reached without links, that holds a repository. */
async function isInner(top: string, folder: string): Promise<boolean> {
  const way = relative(top, folder);
  if (way === '' || way.startsWith('..') || !folder.startsWith(top)) return false;
  const real = await realpath(folder).catch(() => undefined);
  return real === folder && (await exists(join(folder, '.git')));
}

function digest(status: GitStatus, dirty: ReadonlyMap<string, DirtyFile>, nested: readonly GitState[]): string {
  const hash = createHash('sha256').update(JSON.stringify([status.head, status.branch, status.text]));
  for (const [path, { content }] of dirty) hash.update(`\0${path}\0${content}`);
  for (const { top, fingerprint } of nested) hash.update(`\0${top}\0${fingerprint}`);
  return hash.digest('hex');
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
