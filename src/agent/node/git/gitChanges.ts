import { resolve } from 'node:path';
import type { GitState } from '../../host.ts';
import type { GitCall } from './gitCommand.ts';
import { absent, parseTree, parseTreeChanges, type TreeChange } from './gitRecords.ts';

/**
 * Files whose content differs: each side of a path is what lies there, or else what its commit holds. So a commit of what was
 * changed before changes nothing, and a file that was put back is no change either.
 */
export async function changedBetween(
  call: GitCall,
  before: GitState,
  after: GitState,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (before.top !== after.top || before.fingerprint === after.fingerprint) return [];
  const commits = await treeChanges(call, before, after, signal);
  const changed = new Set<string>();
  for (const path of new Set([...before.dirty.keys(), ...after.dirty.keys(), ...commits.keys()])) {
    const commit = commits.get(path);
    const was = before.dirty.get(path);
    const is = after.dirty.get(path);
    // Where the commits agree on a path, either state knows what they hold.
    const left = was?.content ?? commit?.before ?? is?.committed;
    const right = is?.content ?? commit?.after ?? was?.committed;
    if (left !== right) changed.add(path);
  }
  for (const inner of after.nested) {
    const earlier = before.nested.find(({ top }) => top === inner.top);
    if (!earlier) continue;
    for (const path of await changedBetween(call, earlier, inner, signal)) changed.add(path);
  }
  return [...changed].sort();
}

async function treeChanges(
  call: GitCall,
  { top, head: before }: GitState,
  { head: after }: GitState,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, TreeChange>> {
  if (before === after) return new Map();
  if (before !== undefined && after !== undefined) {
    const args = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-ext-diff', '--no-textconv', before, after];
    const output = (await call(top, args, signal)) ?? '';
    return new Map([...parseTreeChanges(output)].map(([path, change]) => [resolve(top, path), change]));
  }
  const output = (await call(top, ['ls-tree', '-r', '-z', '--full-tree', before ?? after ?? ''], signal)) ?? '';
  const files = [...parseTree(output)].map(([path, object]): [string, TreeChange] => [
    resolve(top, path),
    before === undefined ? { before: absent, after: object } : { before: object, after: absent },
  ]);
  return new Map(files);
}
