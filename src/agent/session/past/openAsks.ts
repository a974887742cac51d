import type { AgentEvent } from '../../loop/events.ts';

/** Says of events, the last first, whether it is a question to the user whose answer an agent still waits for. */
export function createOpenAsks(): (event: AgentEvent) => boolean {
  const answered = new Set<string>();
  const ended = new Set<string>();
  return (event) => {
    switch (event.type) {
      case 'permission-answer':
        answered.add(`ask ${event.ask}`);
        return false;
      case 'edit-decide':
        answered.add(`edit ${event.edit}`);
        return false;
      case 'question-answer':
        answered.add(`question ${event.question}`);
        return false;
      case 'turn-end':
      case 'agent-end':
        ended.add(event.agent);
        return false;
      case 'permission-ask':
        return !answered.has(`ask ${event.ask}`) && !ended.has(event.agent);
      case 'edit-propose':
        return !answered.has(`edit ${event.edit}`) && !ended.has(event.agent);
      case 'question-ask':
        return !answered.has(`question ${event.question}`) && !ended.has(event.agent);
      default:
        return false;
    }
  };
}
