import type { Agent } from '../../loop/agent.ts';
import { ToolError } from '../../tools/toolError.ts';
import { createEndHooks } from './agentHooks/endHooks.ts';
import { createTurnOpening, type Opening } from './agentHooks/turnOpening.ts';
import type { ApprovalRequest, Approve } from './approval.ts';
import { type FireFor, inFrame } from './callHooks.ts';
import type { FileHooks } from './configuration.ts';
import { refusalOf } from './firing/fire.ts';
import type { Hook } from './hook.ts';
import type { HookSet } from './hookSet.ts';

/** Around turns, agents and histories. */
export interface AgentHooks {
  /** A turn begins: what holds for it is read, and its prompt is shown to hooks. @param prompt undefined: not the user's */
  openTurn(lead: Agent, prompt: string | undefined, signal: AbortSignal): Promise<Opening>;
  /** Before a child with hooks of its own is made. @throws ToolError when the user does not want them: it must not run without */
  admit(parent: Agent, hooks: FileHooks | undefined, signal: AbortSignal): Promise<void>;
  adopt(agent: Agent, hooks: FileHooks | undefined): void;
  /** A child begins to work. */
  beforeStart(agent: Agent, signal: AbortSignal): Promise<void>;
  /** An agent has answered. @returns what it must act on before it may end */
  beforeEnd(agent: Agent, signal: AbortSignal): Promise<string | undefined>;
  /** @returns whether the history is to stay as it is */
  refusesCompaction(
    agent: Agent,
    reason: 'full' | 'over' | 'exceeded' | 'asked',
    signal: AbortSignal,
  ): Promise<boolean>;
}

export function createAgentHooks(parts: {
  readonly set: HookSet;
  readonly fireFor: FireFor;
  readonly approve: Approve;
  readonly directory: string;
  /** Whether the session went on from an earlier run of the program. */
  readonly isResumed: boolean;
  /** Failures are told again. */
  readonly beginTurn: () => void;
}): AgentHooks {
  const { set, fireFor, approve, directory, isResumed } = parts;
  const openTurn = createTurnOpening(fireFor, isResumed);

  return {
    async openTurn(lead, prompt, signal) {
      parts.beginTurn();
      set.adopt(lead, []);
      await set.refresh(lead, signal);
      return openTurn(lead, prompt, signal);
    },
    async admit(parent, hooks, signal) {
      if (hooks === undefined || hooks.hooks.length === 0) return;
      if ((await approve(requestFor(hooks, parent, directory), signal)) === 'approved') return;
      throw new ToolError(
        `The hooks of ${hooks.file} are not approved, and this agent is not run without them. Use another agent type.`,
      );
    },
    adopt(agent, hooks) {
      set.adopt(
        agent,
        (hooks?.hooks ?? []).map((hook): Hook => ({ ...hook, origin: 'agent' })),
      );
    },
    async beforeStart(agent, signal) {
      if (agent.identity.parent === null) return;
      const about = { subjects: [agent.identity.type], fields: {} };
      const fired = await fireFor('SubagentStart', agent, about, signal);
      for (const text of fired?.contexts ?? []) agent.tell(inFrame('SubagentStart', text));
      const halt = refusalOf(fired);
      if (halt !== undefined) agent.controls.halt(halt);
    },
    beforeEnd: createEndHooks(fireFor),
    async refusesCompaction(agent, reason, signal) {
      const trigger = reason === 'asked' ? 'manual' : 'auto';
      const about = { subjects: [trigger], fields: { trigger } };
      const fired = await fireFor('PreCompact', agent, about, signal);
      // What does not fit must be made shorter, whoever minds.
      const isOptional = reason === 'asked' || reason === 'full';
      return isOptional && refusalOf(fired) !== undefined;
    },
  };
}

function requestFor(hooks: FileHooks, agent: Agent, directory: string): ApprovalRequest {
  return {
    brought: [hooks],
    title: 'Run the hooks of an agent file',
    reason:
      'This agent file names commands that run by themselves, without further questions. Without them the agent is not started.',
    directory,
    agent,
  };
}
