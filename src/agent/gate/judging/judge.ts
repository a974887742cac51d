import type { CallHooked } from '../hooks/callHooks.ts';
import { heedHooks } from '../hooks/heed.ts';
import type { GateRequest } from '../request.ts';
import type { Policy } from '../rules/policy.ts';
import type { RuleSources } from '../rules/sources.ts';
import { type JudgedCall, judgeCall } from './judgeCall.ts';
import type { Judgement } from './judgement.ts';
import { type Surroundings, surfaceOf } from './surface.ts';

/** Everything that is said about a call of a session before the mode is looked at. */
export type Judge = {
  /** The rules that hold for an agent now. */
  readPolicy(agent: GateRequest['agent']): Promise<Policy>;
  /** Rules, protection, and hooks that want it to be asked about. @throws ToolError when a path lies outside the workspace */
  judge(request: GateRequest, policy: Policy, hooked: CallHooked | undefined): Promise<Judgement>;
};

export function createJudge(surroundings: Surroundings, sources: RuleSources): Judge {
  return {
    async readPolicy({ ground }) {
      const policy = await sources.read();
      if (!ground?.worktree) return policy;
      // What rules say about the workspace holds in a worktree of it as well.
      const workspace = [...policy.places.workspace, ...ground.workspace.roots];
      return { ...policy, places: { ...policy.places, workspace } };
    },
    async judge(request, policy, hooked) {
      const surface = surfaceOf(request.agent, surroundings);
      return heedHooks(await judgeCall(toJudged(request), { policy, ...surface }), hooked);
    },
  };
}

/** What rules can be about in a call. */
export function toJudged({ tool, prepared }: Pick<GateRequest, 'tool' | 'prepared'>): JudgedCall {
  const { paths, command, agentType, url } = prepared;
  return {
    tool: tool.name,
    effect: tool.effect,
    paths,
    ...(command !== undefined && { command }),
    ...(agentType !== undefined && { agentType }),
    ...(url !== undefined && { url }),
  };
}
