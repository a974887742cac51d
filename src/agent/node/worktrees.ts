import { lstat, realpath } from 'node:fs/promises';
import type { Worktrees } from '../host.ts';
import { findGit, runGit } from './git/gitCommand.ts';
import { adminFolder, type CheckoutOptions, createCheckouts } from './worktrees/checkout.ts';
import { type AddWorktree, addWorktree, createWorktree } from './worktrees/create.ts';
import { discard, readState, removeMerged, removeUnchanged } from './worktrees/remove.ts';
import { apply, merge } from './worktrees/takeOver.ts';

/** Worktrees by git's command line. @param add another way to make an empty one, e.g. that of the editor */
export function createNodeWorktrees(options: CheckoutOptions & { readonly add?: AddWorktree } = {}): Worktrees {
  const open = createCheckouts(options);
  const environment = options.environment ?? process.env;
  const inTurn = createTurns();
  return {
    async base(root, signal) {
      const git = (await options.find?.()) ?? (await findGit(environment));
      if (git === undefined) return undefined;
      const ask = (...args: readonly string[]) => runGit({ git, directory: root, environment, args }, signal);
      const top = (await ask('rev-parse', '--show-toplevel'))?.trim();
      const commit = (await ask('rev-parse', '--verify', '--quiet', 'HEAD^{commit}'))?.trim();
      if (!top || !commit) return undefined;
      const branch = (await ask('symbolic-ref', '--quiet', '--short', 'HEAD'))?.trim();
      return { top: await realpath(top), commit, branch: branch || undefined };
    },
    async isTaken({ main, path, branch }, signal) {
      if (await lstat(path).catch(() => undefined)) return true;
      const args = ['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`];
      return (await (await open(main, 'main', signal)).attempt(args, signal)).isOk;
    },
    create: (place, carried, signal) => {
      const add: AddWorktree = (...args) => inTurn(() => (options.add ?? addWorktree)(...args));
      return createWorktree(open, place, carried, add, signal);
    },
    state: (place, signal) => readState(open, place, signal),
    check: async ({ path }) => void (await adminFolder(path)),
    removeUnchanged: (place, signal) => inTurn(() => removeUnchanged(open, place, signal)),
    removeMerged: (place, signal) => inTurn(() => removeMerged(open, place, signal)),
    discard: (place, signal) => inTurn(() => discard(open, place, signal)),
    apply: (place, signal) => inTurn(() => apply(open, place, signal)),
    merge: (place, message, signal) => inTurn(() => merge(open, place, message, signal)),
  };
}

/** What changes a repository's list of worktrees or a checkout, one after another. */
function createTurns(): <Value>(action: () => Promise<Value>) => Promise<Value> {
  let last: Promise<unknown> = Promise.resolve();
  return (action) => {
    const turn = last.then(action);
    last = turn.catch(() => undefined);
    return turn;
  };
}
