import type { Agent } from '../../loop/agent.ts';
import type { Message } from '../../messages/types.ts';
import { ToolError } from '../../tools/toolError.ts';
import type { Approve } from './approval.ts';
import { type FireFor, inFrame } from './callHooks.ts';
import type { FileHooks } from './configuration.ts';
import type { Hook } from './hook.ts';
import type { HookSet } from './hookSet.ts';

export type Opening =
  /** Texts for the model, behind the prompt. */
  { readonly kind: 'go'; readonly contexts: readonly string[] } | { readonly kind: 'refused'; readonly reason: string };

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

/** Times that hooks may send an agent back to work before it ends all the same. */
const maxRounds = 8;

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
  const rounds = new WeakMap<Agent, number>();
  let isOpened = false;

  async function openSession(lead: Agent, signal: AbortSignal): Promise<Opening> {
    if (isOpened) return { kind: 'go', contexts: [] };
    isOpened = true;
    const source = isResumed ? 'resume' : 'startup';
    const about = { subjects: [source], fields: { source, model: lead.model.id } };
    const fired = await fireFor('SessionStart', lead, about, signal);
    if (fired?.halt !== undefined) return { kind: 'refused', reason: fired.halt };
    return { kind: 'go', contexts: (fired?.contexts ?? []).map((text) => inFrame('SessionStart', text)) };
  }

  return {
    async openTurn(lead, prompt, signal) {
      parts.beginTurn();
      set.adopt(lead, []);
      await set.refresh(lead, signal);
      const session = await openSession(lead, signal);
      if (session.kind === 'refused' || prompt === undefined) return session;
      const fired = await fireFor('UserPromptSubmit', lead, { fields: { prompt } }, signal);
      const reason = fired?.halt ?? (fired?.decision === 'deny' ? fired.reason : undefined);
      if (reason !== undefined) return { kind: 'refused', reason: `A hook blocked this prompt. ${reason}` };
      const contexts = (fired?.contexts ?? []).map((text) => inFrame('UserPromptSubmit', text));
      return { kind: 'go', contexts: [...session.contexts, ...contexts] };
    },
    async admit(parent, hooks, signal) {
      if (hooks === undefined || hooks.hooks.length === 0) return;
      const approval = await approve(
        {
          brought: [hooks],
          title: 'Run the hooks of an agent file',
          reason:
            'This agent file names commands that run by themselves, without further questions. Without them the agent is not started.',
          directory,
          agent: parent,
        },
        signal,
      );
      if (approval === 'approved') return;
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
      const halt = fired?.halt ?? (fired?.decision === 'deny' ? fired.reason : undefined);
      if (halt !== undefined) agent.controls.halt(halt);
    },
    async beforeEnd(agent, signal) {
      const isLead = agent.identity.parent === null;
      const event = isLead ? 'Stop' : 'SubagentStop';
      const round = rounds.get(agent) ?? 0;
      const fields = { stop_hook_active: round > 0, last_assistant_message: lastWords(agent.history) };
      const about = isLead ? { fields } : { subjects: [agent.identity.type], fields };
      const fired = await fireFor(event, agent, about, signal);
      if (fired?.halt !== undefined || fired?.decision !== 'deny') return undefined;
      if (round >= maxRounds) {
        const text = `Hooks sent ${agent.identity.name} back to work ${maxRounds} times; now it ends. ${fired.reason}`;
        agent.emit({ type: 'notice', level: 'warning', text });
        return undefined;
      }
      rounds.set(agent, round + 1);
      return inFrame(event, `You cannot end yet. ${fired.words}`);
    },
    async refusesCompaction(agent, reason, signal) {
      const trigger = reason === 'asked' ? 'manual' : 'auto';
      const about = { subjects: [trigger], fields: { trigger } };
      const fired = await fireFor('PreCompact', agent, about, signal);
      // What does not fit must be made shorter, whoever minds.
      const isOptional = reason === 'asked' || reason === 'full';
      return isOptional && (fired?.decision === 'deny' || fired?.halt !== undefined);
    },
  };
}

function lastWords(history: readonly Message[]): string {
  const last = history.findLast(({ role }) => role === 'assistant');
  return last?.content.map((block) => (block.type === 'text' ? block.text : '')).join('') ?? '';
}
