import type { Host, Workspace } from '../host.ts';
import { ToolError } from '../tools/toolError.ts';

const refusal = 'This workspace is not trusted: nothing is started and nothing is sent until the user trusts it.';

/**
 * The host as far as the user trusts the workspace, which is looked at again at each call. The gate refuses such calls before;
 * this holds for whatever does not pass the gate.
 */
export function withinTrust(host: Host, workspace: Workspace): Host {
  const { shell, git, web, worktrees } = host;
  const held =
    <Arguments extends readonly unknown[], Result>(run: (...given: Arguments) => Promise<Result>) =>
    async (...given: Arguments): Promise<Result> => {
      if (!workspace.isTrusted) throw new ToolError(refusal);
      return run(...given);
    };
  return {
    ...host,
    shell: { run: held((request, signal) => shell.run(request, signal)) },
    web: { fetch: held((url, signal) => web.fetch(url, signal)) },
    git: {
      state: async (root, signal) => (workspace.isTrusted ? git.state(root, signal) : undefined),
      changedBetween: async (before, after, signal) =>
        workspace.isTrusted ? git.changedBetween(before, after, signal) : [],
    },
    worktrees: {
      base: async (root, signal) => (workspace.isTrusted ? worktrees.base(root, signal) : undefined),
      create: held((place, carried, signal) => worktrees.create(place, carried, signal)),
      state: held((place, signal) => worktrees.state(place, signal)),
      check: held((place) => worktrees.check(place)),
      removeUnchanged: held((place, signal) => worktrees.removeUnchanged(place, signal)),
      discard: held((place, signal) => worktrees.discard(place, signal)),
      apply: held((place, signal) => worktrees.apply(place, signal)),
      merge: held((place, message, signal) => worktrees.merge(place, message, signal)),
    },
  };
}
