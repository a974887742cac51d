import type { AgentEvent } from '../loop/events.ts';
import type { Message } from '../messages/types.ts';

/** What an agent and its model have said, as far as the events go. Repair it before it is sent. */
export function historyFromEvents(events: Iterable<AgentEvent>, agent: string): readonly Message[] {
  const history: Message[] = [];
  for (const event of events) {
    if (event.agent !== agent) continue;
    if (event.type === 'message-append') history.push(event.message);
    else if (event.type === 'context-compact') history.splice(0, history.length, ...event.history);
  }
  return history;
}
