import type { AgentEvent } from '../../agent/index.ts';

/** How many agents work, and how much waits for the user. */
export type Attention = { readonly working: number; readonly waiting: number };

/** Counts from the events of one conversation; what was left open by an earlier run does not count. */
export function createAttentionCounter(): { add(event: AgentEvent): boolean; read(): Attention } {
  const working = new Set<string>();
  /** Agents that work on when a turn ends, and all below them. */
  const background = new Set<string>();
  /** Who asks, by the id of the question. */
  const waiting = new Map<string, string>();

  const forget = (isGone: (agent: string) => boolean) => {
    for (const agent of working) if (isGone(agent)) working.delete(agent);
    for (const [id, agent] of waiting) if (isGone(agent)) waiting.delete(id);
  };

  /** @returns whether this kind of event can change the counts */
  function apply(event: AgentEvent): boolean {
    switch (event.type) {
      case 'turn-start':
        working.add(event.agent);
        return true;
      case 'turn-end':
        forget((agent) => !background.has(agent));
        return true;
      case 'agent-start':
        if (event.parent === null) return true;
        working.add(event.agent);
        if (background.has(event.parent)) background.add(event.agent);
        return true;
      case 'agent-detach':
        background.add(event.agent);
        return true;
      case 'agent-end':
        forget((agent) => agent === event.agent);
        background.delete(event.agent);
        return true;
      case 'permission-ask':
        waiting.set(event.ask, event.agent);
        return true;
      case 'edit-propose':
        waiting.set(event.edit, event.agent);
        return true;
      case 'question-ask':
        waiting.set(event.question, event.agent);
        return true;
      case 'permission-answer':
        return waiting.delete(event.ask);
      case 'edit-decide':
        return waiting.delete(event.edit);
      case 'question-answer':
        return waiting.delete(event.question);
      default:
        return false;
    }
  }

  return { add: apply, read: () => ({ working: working.size, waiting: waiting.size }) };
}
