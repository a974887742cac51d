import { lstat } from 'node:fs/promises';
import { WorktreeError, type WorktreePlace, type WorktreeState } from '../../host.ts';
import { adminFolder, type Checkout, type OpenCheckout, treeOf } from './checkout.ts';

export async function readState(open: OpenCheckout, place: WorktreePlace, signal: AbortSignal): Promise<WorktreeState> {
  const worktree = await open(place.path, 'worktree', signal);
  const tree = await treeOf(worktree, signal);
  const start = place.start ?? `${place.base}^{tree}`;
  const changed = await worktree.run(['diff-tree', '-r', '-z', '--name-status', '--no-renames', start, tree], signal);
  const kinds = readKinds(changed);
  const named = (kind: string) => [...kinds].flatMap(([file, one]) => (one === kind ? [file] : []));
  const committed = (await worktree.run(['rev-parse', 'HEAD^{tree}'], signal)).trim();
  return {
    files: [...kinds.keys()],
    added: named('A'),
    removed: named('D'),
    commits: await countCommits(worktree, place, signal),
    isDirty: committed !== tree,
  };
}

/** `A`, `M`, `D` or `T` by file. */
function readKinds(output: string): ReadonlyMap<string, string> {
  const fields = output.split('\0');
  const kinds = new Map<string, string>();
  for (let index = 0; index + 1 < fields.length; index += 2) kinds.set(fields[index + 1] ?? '', fields[index] ?? '');
  return kinds;
}

/** Of its branch and of whatever is checked out in its place. */
async function countCommits(worktree: Checkout, { branch, base }: WorktreePlace, signal: AbortSignal): Promise<number> {
  const name = `refs/heads/${branch}`;
  const hasBranch = (await worktree.attempt(['rev-parse', '--verify', '--quiet', name], signal)).isOk;
  const heads = hasBranch ? ['HEAD', name] : ['HEAD'];
  return Number(await worktree.run(['rev-list', '--count', ...heads, `^${base}`], signal));
}

/** @throws WorktreeError when it holds anything, also where that cannot be told */
export async function removeUnchanged(open: OpenCheckout, place: WorktreePlace, signal: AbortSignal): Promise<void> {
  const { files, commits } = await readState(open, place, signal);
  if (files.length > 0 || commits > 0) {
    throw new WorktreeError(`The worktree ${place.path} holds changes and is kept.`);
  }
  const main = await open(place.main, 'main', signal);
  const { settings } = await open(place.path, 'worktree', signal);
  // To git what was carried over looks like somebody's work; that it is as it came was just found.
  const force = place.start === undefined ? [] : ['--force'];
  // It looks at the worktree from the checkout: what only the worktree configures must not run either.
  await main.run(['worktree', 'remove', ...force, place.path], signal, { settings });
  // Only where nobody has committed to it since.
  await main.attempt(['update-ref', '-d', `refs/heads/${place.branch}`, place.base], signal);
}

export async function removeMerged(open: OpenCheckout, place: WorktreePlace, signal: AbortSignal): Promise<void> {
  const { isDirty } = await readState(open, place, signal);
  const worktree = await open(place.path, 'worktree', signal);
  const main = await open(place.main, 'main', signal);
  const heads = [
    (await worktree.run(['rev-parse', 'HEAD'], signal)).trim(),
    (await worktree.run(['rev-parse', `refs/heads/${place.branch}`], signal)).trim(),
  ];
  for (const head of heads) {
    const isMerged = (await main.attempt(['merge-base', '--is-ancestor', head, 'HEAD'], signal)).isOk;
    if (isDirty || !isMerged)
      throw new WorktreeError(`The worktree ${place.path} holds what is not merged and is kept.`);
  }
  await main.run(['worktree', 'remove', place.path], signal, { settings: worktree.settings });
  await main.attempt(['update-ref', '-d', `refs/heads/${place.branch}`, heads[1] ?? ''], signal);
}

export async function discard(open: OpenCheckout, place: WorktreePlace, signal: AbortSignal): Promise<void> {
  const main = await open(place.main, 'main', signal);
  const isThere = (await lstat(place.path).catch(() => undefined)) !== undefined;
  // git removes no folder that does not lead back to the repository; it can mend that.
  if (isThere && !(await isWhole(place.path))) await main.attempt(['worktree', 'repair', place.path], signal);
  const isKnown = (await main.run(['worktree', 'list', '--porcelain', '-z'], signal)).includes(
    `worktree ${place.path}\0`,
  );
  if (isThere || isKnown) await main.run(['worktree', 'remove', '--force', '--force', place.path], signal);
  await main.attempt(['update-ref', '-d', `refs/heads/${place.branch}`], signal);
}

async function isWhole(path: string): Promise<boolean> {
  return adminFolder(path).then(
    () => true,
    () => false,
  );
}
