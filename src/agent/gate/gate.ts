import type { Workspace } from '../host.ts';
import type { Agent } from '../loop/agent.ts';
import type { Mode } from '../settings.ts';
import type { PreparedCall, Tool } from '../tools/tool.ts';
import type { Broker } from './broker.ts';
import type { PathResolver } from './paths.ts';
import { isProtectedPath, mentionsProtectedPath } from './protected.ts';

export type GateRequest = {
  readonly agent: Agent;
  readonly call: string;
  readonly tool: Tool;
  readonly prepared: PreparedCall;
};

export type Verdict = { readonly decision: 'allow' } | { readonly decision: 'deny'; readonly reason: string };

/** Stands before every call of every agent. */
export interface Gate {
  /** @throws ToolError when a path of the call lies outside the workspace */
  check(request: GateRequest, signal: AbortSignal): Promise<Verdict>;
}

const allowed: Verdict = { decision: 'allow' };

/**
 * Reading runs unasked. An edit is asked about where it is made, as a proposal (see `changes/`). A command is asked about.
 * A protected file is asked about in every mode.
 */
export function createGate(setup: {
  readonly mode: () => Mode;
  readonly workspace: Workspace;
  readonly paths: PathResolver;
  readonly broker: Broker;
}): Gate {
  const { mode, workspace, paths, broker } = setup;
  return {
    async check({ agent, call, tool, prepared }, signal) {
      if (tool.effect === 'read') return allowed;
      if (!workspace.isTrusted)
        return deny('This workspace is not trusted: only reading is possible until the user trusts it.');
      const held = agent.modeWithin(mode());
      if (held === 'plan') {
        return deny(
          'Plan mode: nothing may be changed or run. Read what you need and answer with a plan for the user.',
        );
      }
      const isProtected = await touchesProtected(prepared, paths);
      if (!isProtected && (held === 'bypassPermissions' || tool.effect === 'edit')) return allowed;
      return await broker.ask(
        {
          agent,
          call,
          tool: tool.name,
          title: tool.effect === 'edit' ? 'Change a protected file' : 'Run a command',
          detail: prepared.command ?? prepared.paths.join('\n'),
          directory: workspace.roots[0] ?? '',
          reason: isProtected
            ? 'It touches a file that decides what runs on this machine.'
            : 'Commands are asked about.',
          canRemember: !isProtected,
        },
        signal,
      );
    },
  };
}

async function touchesProtected(prepared: PreparedCall, paths: PathResolver): Promise<boolean> {
  if (prepared.command !== undefined && mentionsProtectedPath(prepared.command)) return true;
  const resolved = await Promise.all(prepared.paths.map((path) => paths.resolve(path, 'write')));
  return [...prepared.paths, ...resolved.map((path) => paths.show(path))].some(isProtectedPath);
}

function deny(reason: string): Verdict {
  return { decision: 'deny', reason };
}
