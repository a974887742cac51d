import type { Host, Workspace } from '../../host.ts';
import { ToolError } from '../../tools/toolError.ts';

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
    worktrees: heldWhole(worktrees, workspace),
  };
}

/** Every part of it, whatever it has. */
function heldWhole<Part extends object>(part: Part, workspace: Workspace): Part {
  return new Proxy(part, {
    get(target, name) {
      if (!workspace.isTrusted) throw new ToolError(refusal);
      const found: unknown = Reflect.get(target, name, target);
      return typeof found === 'function' ? found.bind(target) : found;
    },
  });
}
