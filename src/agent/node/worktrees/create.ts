import { lstat, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { WorktreeError, type WorktreePlace } from '../../host.ts';
import { type Checkout, type OpenCheckout, treeOf } from './checkout.ts';
import { copyIncluded } from './include.ts';

export type Created = {
  /** The tree that its agent begins with; undefined: that of the base. */
  readonly start: string | undefined;
  readonly added: readonly string[];
};

/** Makes folder and branch, without files. */
export type AddWorktree = (main: Checkout, place: WorktreePlace, signal: AbortSignal) => Promise<void>;

export const addWorktree: AddWorktree = async (main, { path, branch, base }, signal) => {
  await main.run(['worktree', 'add', '--quiet', '--no-checkout', '--no-track', '-b', branch, path, base], signal);
};

/**
 * The files come in a step of their own: only when the worktree is there can be told which filters a repository configures for
 * it. What was begun and failed is taken back.
 */
export async function createWorktree(
  open: OpenCheckout,
  place: WorktreePlace,
  carried: boolean,
  add: AddWorktree,
  signal: AbortSignal,
): Promise<Created> {
  const { main: mainPath, path, base } = place;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const main = await open(mainPath, 'main', signal);
  const isTaken = (await main.attempt(['rev-parse', '--verify', '--quiet', `refs/heads/${place.branch}`], signal)).isOk;
  if (isTaken)
    throw new WorktreeError(`The branch ${place.branch} already exists. Delete or rename it, or use another name.`);
  if (await lstat(path).catch(() => undefined)) throw new WorktreeError(`${path} already exists and is left alone.`);
  try {
    await add(main, place, signal);
    const worktree = await open(path, 'worktree', signal);
    await worktree.run(['reset', '--hard', '--quiet', base], signal);
    const start = carried ? await carry(main, worktree, base, signal) : undefined;
    const added = await copyIncluded(main, path, signal);
    return { start, added };
  } catch (error) {
    await takeBack(main, place);
    throw error;
  }
}

/** What is not committed lies in the worktree, uncommitted as well. */
async function carry(main: Checkout, worktree: Checkout, base: string, signal: AbortSignal): Promise<string> {
  const head = (await main.run(['rev-parse', 'HEAD'], signal)).trim();
  if (head !== base) throw new WorktreeError('The checkout has moved to another commit meanwhile. Try again.');
  const tree = await treeOf(main, signal);
  await worktree.run(['read-tree', '-u', '--reset', tree], signal);
  await worktree.run(['reset', '--quiet', base], signal);
  return tree;
}

/** Nobody has worked in it yet. */
async function takeBack(main: Checkout, { path, branch, base }: WorktreePlace): Promise<void> {
  const signal = AbortSignal.timeout(30_000);
  const ignore = () => undefined;
  await main.attempt(['worktree', 'remove', '--force', path], signal).catch(ignore);
  await main.attempt(['update-ref', '-d', `refs/heads/${branch}`, base], signal).catch(ignore);
}
