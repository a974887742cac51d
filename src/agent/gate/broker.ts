import { randomUUID } from 'node:crypto';
import type { PermissionAnswer, Prompts } from '../host.ts';
import type { Agent } from '../loop/agent.ts';
import type { Verdict } from './gate.ts';
import { reveal } from './reveal.ts';

export type Question = {
  readonly agent: Agent;
  readonly call: string;
  readonly tool: string;
  readonly title: string;
  /** As it is; shown with everything invisible revealed. */
  readonly detail: string;
  readonly directory: string;
  readonly reason: string;
  /** An answer for the whole session is possible. */
  readonly canRemember: boolean;
};

/** Asks the user, and remembers what was allowed for the session. */
export interface Broker {
  ask(question: Question, signal: AbortSignal): Promise<Verdict>;
}

export function createBroker(prompts: Prompts): Broker {
  const remembered = new Set<string>();

  return {
    async ask(question, signal) {
      const key = `${question.tool}\n${question.directory}\n${question.detail}`;
      if (question.canRemember && remembered.has(key)) return { decision: 'allow' };
      const answer = await put(question, signal);
      if (answer.decision === 'allow' && answer.scope === 'session' && question.canRemember) remembered.add(key);
      return answer.decision === 'allow' ? { decision: 'allow' } : { decision: 'deny', reason: denial(answer) };
    },
  };

  async function put(question: Question, signal: AbortSignal): Promise<PermissionAnswer> {
    const { agent, call, tool, title, directory, reason } = question;
    const id = randomUUID();
    const shown = { call, tool, title, detail: reveal(question.detail), directory, reason };
    agent.emit({ type: 'permission-ask', ask: id, agentName: agent.identity.name, ...shown });
    agent.emit({ type: 'agent-status', activity: 'waiting_user', detail: title });
    const given = await prompts.permission(
      { id, agent: agent.identity.id, agentName: agent.identity.name, ...shown },
      signal,
    );
    // A click that comes after Stop counts for nothing.
    const answer: PermissionAnswer = signal.aborted ? { decision: 'deny', scope: 'once', by: 'stopped' } : given;
    agent.emit({ type: 'permission-answer', ask: id, call, ...answer });
    agent.emit({ type: 'agent-status', activity: 'running' });
    return answer;
  }
}

function denial(answer: PermissionAnswer): string {
  const words = answer.reason?.trim();
  if (words) return `The user denied this call and said: ${words}`;
  return 'The user denied this call. Do not try it again in another form: go on without it, or ask what is wanted.';
}
