import type { AgentEvent } from '../../loop/events.ts';
import type { AssistantMessage, Message, UserMessage } from '../../messages/types.ts';

/** More of a value is not shown in a transcript. */
const maxInput = 8000;

/** An event without what only models read: results that its call's end tells the head of, and histories. */
export function shownEvent(event: AgentEvent): AgentEvent {
  switch (event.type) {
    case 'message-append':
      return { ...event, message: shownMessage(event.message) };
    case 'context-compact':
      return { ...event, history: [] };
    case 'tool-start':
      return { ...event, input: shownInput(event.input) };
    default:
      return event;
  }
}

function shownMessage(message: Message): Message {
  return message.role === 'user' ? withoutResults(message) : withoutInputs(message);
}

function withoutResults({ role, content }: UserMessage): UserMessage {
  return { role, content: content.map((block) => (block.type === 'tool_result' ? { ...block, content: '' } : block)) };
}

function withoutInputs({ role, content }: AssistantMessage): AssistantMessage {
  return { role, content: content.map((block) => (block.type === 'tool_use' ? { ...block, input: {} } : block)) };
}

function shownInput(input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const isLong = (value: unknown): value is string => typeof value === 'string' && value.length > maxInput;
  if (!Object.values(input).some(isLong)) return input;
  const short = (value: unknown) => (isLong(value) ? `${value.slice(0, maxInput)}…` : value);
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, short(value)]));
}
