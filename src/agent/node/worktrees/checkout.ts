import { lstat, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { WorktreeError } from '../../host.ts';
import { findGit, type GitEnd, tryGit, withoutFilters } from '../git/gitCommand.ts';

/** A large checkout takes its time. */
const timeoutMs = 5 * 60_000;

export type CheckoutOptions = {
  /** The program to use; by default the one on PATH. */
  readonly find?: () => Promise<string | undefined>;
  /** The environment to choose from; by default that of this process. */
  readonly environment?: NodeJS.ProcessEnv;
};

type More = {
  readonly variables?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** More `-c` settings. */
  readonly settings?: readonly string[];
};

/** One checkout: git, started so that nothing of the repository's choice runs, and that it takes no other repository. */
export type Checkout = {
  readonly path: string;
  /** Takes away what is configured for this very checkout; another one, even of the same repository, may differ. */
  readonly settings: readonly string[];
  /** @throws WorktreeError with git's own words */
  run(args: readonly string[], signal: AbortSignal, more?: More): Promise<string>;
  /** Rejects only when the signal aborts. */
  attempt(args: readonly string[], signal: AbortSignal, more?: More): Promise<GitEnd>;
};

export type OpenCheckout = (path: string, kind: 'main' | 'worktree', signal: AbortSignal) => Promise<Checkout>;

/** Opens checkouts: the programs of filters and merges are looked up anew each time, as that very checkout is configured. */
export function createCheckouts(options: CheckoutOptions): OpenCheckout {
  const environment = options.environment ?? process.env;
  return async (path, kind, signal) => {
    const git = (await options.find?.()) ?? (await findGit(environment));
    if (git === undefined) throw new WorktreeError('There is no git to be found. Install it, or leave isolation out.');
    const place = kind === 'worktree' ? [`--git-dir=${await adminFolder(path)}`, `--work-tree=${path}`] : [];
    const start = (args: readonly string[], caller: AbortSignal, more: More = {}) =>
      tryGit({ git, directory: path, environment, args: [...place, ...args], timeoutMs, ...more }, caller);
    const call = async (_: string, args: readonly string[], caller: AbortSignal, settings: readonly string[] = []) => {
      const { isOk, output } = await start(args, caller, { settings });
      return isOk ? output : undefined;
    };
    const filters = await withoutFilters(call, path, signal);
    const drivers = await withoutMergeDrivers(call, path, signal);
    if (!filters || !drivers) {
      throw new WorktreeError(`The git configuration of ${path} cannot be read, so no worktree is touched there.`);
    }
    const settings = [...filters, ...drivers, ...neverSigned];
    const attempt: Checkout['attempt'] = (args, caller, more) =>
      start(args, caller, { ...more, settings: [...settings, ...(more?.settings ?? [])] });
    return {
      path,
      settings,
      attempt,
      async run(args, caller, more) {
        const { isOk, output, words } = await attempt(args, caller, more);
        if (isOk) return output;
        throw new WorktreeError(`git ${args[0]} failed: ${words.split('\n').slice(-3).join(' ')}`);
      },
    };
  };
}

const neverSigned = [
  'commit.gpgSign=false',
  'tag.gpgSign=false',
  'merge.verifySignatures=false',
  'gpg.program=false',
  'merge.autoStash=false',
  'core.commentChar=#',
] as const;

type Call = Parameters<typeof withoutFilters>[0];

/** A merge driver is a program: with one that fails, its files are in conflict. */
async function withoutMergeDrivers(
  call: Call,
  directory: string,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const settings = ['merge.offshoot.driver=false'];
  const args = ['config', '-z', '--name-only', '--get-regexp', '^merge\\..*\\.driver$'];
  const listed = await call(directory, args, signal, settings);
  const names = listed?.split('\0').filter((name) => name !== '');
  return names?.some((name) => name.includes('=')) ? undefined : names?.map((name) => `${name}=false`);
}

/**
 * The folder in the repository that belongs to a worktree, by what its `.git` says; both must name each other.
 * @throws WorktreeError
 */
export async function adminFolder(path: string): Promise<string> {
  const file = join(path, '.git');
  try {
    if (!(await lstat(file)).isFile()) throw new Error('it is no file');
    const [, target] = /^gitdir: (.+?)\n?$/.exec(await readFile(file, 'utf8')) ?? [];
    if (target === undefined) throw new Error('it names no repository');
    const folder = await realpath(isAbsolute(target) ? target : resolve(path, target));
    const back = (await readFile(join(folder, 'gitdir'), 'utf8')).trim();
    if ((await realpath(resolve(folder, back))) !== (await realpath(file)))
      throw new Error('it names another worktree');
    return folder;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new WorktreeError(
      `The worktree ${path} is damaged (.git: ${reason}). Nothing was done, and the main checkout is as it was.`,
      { cause },
    );
  }
}

/** A private folder that is gone afterwards. */
export async function withTemporaryFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'offshoot-worktree-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The tree of all that lies in a checkout and is not ignored, without a change to its index. */
export async function treeOf(checkout: Checkout, signal: AbortSignal): Promise<string> {
  return withTemporaryFolder(async (folder) => {
    const variables = { GIT_INDEX_FILE: join(folder, 'index') };
    await checkout.run(['read-tree', 'HEAD'], signal, { variables });
    await checkout.run(['add', '-A', '--', '.'], signal, { variables });
    return (await checkout.run(['write-tree'], signal, { variables })).trim();
  });
}
