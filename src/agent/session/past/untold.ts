import type { EventBody, EventSource } from '../../loop/events.ts';
import { notification } from '../../subagents/reports/conclude.ts';
import { frameReport } from '../../subagents/reports/report.ts';
import { lead } from '../lead.ts';

type Report = { readonly text: string; readonly isAwaited: boolean };

/**
 * Reports of agents that ended and that no agent was told of, since the editor closed in between: background agents, those
 * that were interrupted, and those that had ended while others of their call were still at work.
 */
export class UntoldReports {
  readonly #names = new Map<string, string>();
  readonly #detached = new Set<string>();
  readonly #untold = new Map<string, Report>();

  get isEmpty(): boolean {
    return this.#untold.size === 0;
  }

  add(event: EventSource & EventBody): void {
    switch (event.type) {
      case 'agent-start':
        if (event.parent === null) break;
        this.#names.set(event.agent, event.name);
        this.#detached.delete(event.agent);
        break;
      case 'agent-detach':
        this.#detached.add(event.agent);
        break;
      case 'agent-end':
        if (event.parent !== null) this.#end(event);
        break;
      // Who waited for an agent was told of it by now, or does not want to know.
      case 'turn-end':
        if (event.isInterrupted) break;
        for (const [id, { isAwaited }] of this.#untold) if (isAwaited) this.#untold.delete(id);
        break;
      case 'message-append':
        for (const id of this.#untold.size > 0 ? reportedIn(event) : []) this.#untold.delete(id);
        break;
    }
  }

  /** As agents are told of them. */
  read(): readonly string[] {
    return [...this.#untold.values()].map(({ text }) => notification(text));
  }

  #end(event: EventSource & Extract<EventBody, { type: 'agent-end' }>): void {
    const { agent: id, status, report: text, receipt, error } = event;
    const isDetached = this.#detached.has(id);
    // Whoever started it was interrupted as well, and tells of it.
    if (event.parent !== lead.id && (!isDetached || event.isInterrupted)) return;
    const frame = frameReport({ name: this.#names.get(id) ?? id, id, status, text, error, receipt });
    this.#untold.set(id, { text: frame, isAwaited: !isDetached && !event.isInterrupted });
  }
}

function reportedIn({ message }: Extract<EventBody, { type: 'message-append' }>): readonly string[] {
  if (message.role !== 'user') return [];
  const text = JSON.stringify(message.content).replaceAll('\\"', '"');
  const frames = text.matchAll(/id="([0-9a-f]{6})" status="(?:completed|limit_reached|stopped|failed|cached)"/g);
  return [...frames].flatMap(([, id]) => (id === undefined ? [] : [id]));
}
