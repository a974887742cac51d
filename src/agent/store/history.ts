import type { EventBody } from '../loop/events.ts';
import type { Message } from '../messages/types.ts';

/** What an agent and its model have said, as far as the events go. Repair it before it is sent. */
export class HistoryReader {
  #messages: Message[] = [];

  get messages(): readonly Message[] {
    return this.#messages;
  }

  /** @param event of this agent */
  add(event: EventBody): void {
    if (event.type === 'message-append') this.#messages.push(event.message);
    else if (event.type === 'context-compact') this.#messages = [...event.history];
  }
}
