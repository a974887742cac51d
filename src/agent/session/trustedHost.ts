import type { Host, Workspace } from '../host.ts';
import { ToolError } from '../tools/toolError.ts';

const refusal = 'This workspace is not trusted: nothing is started and nothing is sent until the user trusts it.';

/**
 * The host as far as the user trusts the workspace, which is looked at again at each call. The gate refuses such calls before;
 * this holds for whatever does not pass the gate.
 */
export function withinTrust(host: Host, workspace: Workspace): Host {
  const { shell, git, web } = host;
  const mayStart = () => workspace.isTrusted;
  return {
    ...host,
    shell: {
      async run(request, signal) {
        if (!mayStart()) throw new ToolError(refusal);
        return shell.run(request, signal);
      },
    },
    git: {
      state: async (root, signal) => (mayStart() ? git.state(root, signal) : undefined),
      changedBetween: async (before, after, signal) => (mayStart() ? git.changedBetween(before, after, signal) : []),
    },
    web: {
      async fetch(url, signal) {
        if (!mayStart()) throw new ToolError(refusal);
        return web.fetch(url, signal);
      },
    },
  };
}
