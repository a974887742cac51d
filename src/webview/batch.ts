import type { AgentEvent } from '../agent/index.ts';

type Batch = { add(session: string, event: AgentEvent): void; clear(): void };

/**
 * Collects live events for one message per frame. Text that streams into one block becomes one event, with the stamp of its
 * last piece; the order of the sequence numbers stays.
 */
export function createBatch(send: (session: string, events: readonly AgentEvent[]) => void, delayMs = 24): Batch {
  let session = '';
  let events: (AgentEvent | undefined)[] = [];
  /** Where the last event of each agent stands. */
  let latest = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  const clear = () => {
    clearTimeout(timer);
    timer = undefined;
    events = [];
    latest = new Map();
  };
  const flush = () => {
    const ready = events.filter((event) => event !== undefined);
    clear();
    if (ready.length > 0) send(session, ready);
  };

  return {
    clear,
    add(from, event) {
      if (from !== session) flush();
      session = from;
      const place = latest.get(event.agent);
      const before = place === undefined ? undefined : events[place];
      const merged = before && join(before, event);
      if (merged && place !== undefined) events[place] = undefined;
      latest.set(event.agent, events.push(merged ?? event) - 1);
      timer ??= setTimeout(flush, delayMs);
    },
  };
}

function join(before: AgentEvent, event: AgentEvent): AgentEvent | undefined {
  switch (event.type) {
    case 'text-delta':
    case 'thinking-delta':
      if (before.type !== event.type || before.step !== event.step) return undefined;
      return { ...event, text: before.text + event.text };
    case 'tool-progress':
      if (before.type !== event.type || before.call !== event.call) return undefined;
      return { ...event, text: before.text + event.text };
    default:
      return undefined;
  }
}
