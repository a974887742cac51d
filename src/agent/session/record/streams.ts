import type { AgentEvent } from '../../loop/events.ts';

type Delta = Extract<AgentEvent, { type: 'text-delta' | 'thinking-delta' }>;
type Stream = { readonly last: Delta; readonly parts: string[] };

/** What the running steps have streamed and no lasting event says yet. */
export function createStreams(): {
  add(event: AgentEvent): void;
  /** One delta for each agent and kind, in the order in which they began. */
  events(): readonly AgentEvent[];
} {
  const streams = new Map<string, Stream>();
  return {
    add(event) {
      switch (event.type) {
        case 'text-delta':
        case 'thinking-delta': {
          const key = `${event.agent} ${event.type}`;
          const parts = streams.get(key)?.parts ?? [];
          parts.push(event.text);
          streams.set(key, { last: event, parts });
          break;
        }
        case 'step-start':
        case 'step-retry':
        case 'message-append':
        case 'agent-end':
          streams.delete(`${event.agent} text-delta`);
          streams.delete(`${event.agent} thinking-delta`);
      }
    },
    events: () => [...streams.values()].map(({ last, parts }) => ({ ...last, text: parts.join('') })),
  };
}
