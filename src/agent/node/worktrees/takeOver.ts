import { join } from 'node:path';
import type { TakeOver, WorktreePlace } from '../../host.ts';
import { type Checkout, type OpenCheckout, treeOf, withTemporaryFolder } from './checkout.ts';

/** Puts what the agent changed into the main checkout, three-way; what is not committed there stays. */
export async function apply(open: OpenCheckout, place: WorktreePlace, signal: AbortSignal): Promise<TakeOver> {
  const worktree = await open(place.path, 'worktree', signal);
  const main = await open(place.main, 'main', signal);
  const range = [place.start ?? `${place.base}^{tree}`, await treeOf(worktree, signal)];
  const files = namesIn(await worktree.run(['diff-tree', '-r', '-z', '--name-only', '--no-renames', ...range], signal));
  if (files.length === 0) return { outcome: 'refused', reason: 'There is nothing in it that is not in its base.' };
  return withTemporaryFolder(async (folder) => {
    const patch = join(folder, 'changes.patch');
    const form = ['--binary', '--full-index', '--no-renames', '--no-ext-diff', '--no-textconv', '--no-color'];
    await worktree.run(['diff', ...form, `--output=${patch}`, ...range], signal);
    const merged = await main.attempt(['apply', '--3way', '--whitespace=nowarn', patch], signal);
    if (merged.isOk) return { outcome: 'done', files };
    const conflicts = await unmergedIn(main, signal);
    if (conflicts.length > 0) return { outcome: 'conflict', files: conflicts };
    // Three-way needs files whose changes are all staged; where the lines fit as they are, it is not needed.
    const plain = await main.attempt(['apply', '--whitespace=nowarn', patch], signal);
    return plain.isOk ? { outcome: 'done', files } : { outcome: 'refused', reason: firstLines(merged.words) };
  });
}

export async function merge(
  open: OpenCheckout,
  place: WorktreePlace,
  message: string,
  signal: AbortSignal,
): Promise<TakeOver> {
  const worktree = await open(place.path, 'worktree', signal);
  const main = await open(place.main, 'main', signal);
  const identity = await identityFor(main, signal);
  await worktree.run(['add', '-A', '--', '.'], signal);
  const isClean = (await worktree.attempt(['diff', '--cached', '--quiet', '--no-ext-diff', 'HEAD'], signal)).isOk;
  if (!isClean) await worktree.run([...identity, 'commit', '--quiet', '--no-verify', '-m', message], signal);
  const commit = (await worktree.run(['rev-parse', 'HEAD'], signal)).trim();
  const before = (await main.run(['rev-parse', 'HEAD'], signal)).trim();
  const words = `Merge branch '${place.branch}'`;
  const args = ['merge', '--no-ff', '--no-edit', '--no-verify', '--no-stat', '-m', words, commit];
  const merged = await main.attempt([...identity, ...args], signal);
  if (merged.isOk) {
    const changed = await main.run(['diff-tree', '-r', '-z', '--name-only', '--no-renames', before, 'HEAD'], signal);
    return { outcome: 'done', files: namesIn(changed) };
  }
  const conflicts = await unmergedIn(main, signal);
  if (conflicts.length > 0) return { outcome: 'conflict', files: conflicts };
  return { outcome: 'refused', reason: firstLines(merged.words || merged.output) };
}

/** Whoever has told git no name still gets the commit. */
async function identityFor(main: Checkout, signal: AbortSignal): Promise<readonly string[]> {
  const { isOk, output } = await main.attempt(['config', '--get', 'user.email'], signal);
  return isOk && output.trim() !== '' ? [] : ['-c', 'user.name=Offshoot', '-c', 'user.email=offshoot@localhost'];
}

async function unmergedIn(main: Checkout, signal: AbortSignal): Promise<readonly string[]> {
  const names = namesIn(await main.run(['diff', '--name-only', '-z', '--diff-filter=U', '--no-ext-diff'], signal));
  return [...new Set(names)];
}

function namesIn(output: string): readonly string[] {
  return output.split('\0').filter((name) => name !== '');
}

function firstLines(words: string): string {
  return words.split('\n').slice(0, 6).join(' ');
}
