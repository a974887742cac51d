import type { EndStatus, EventBody, EventSource, Receipt } from '../../loop/events.ts';
import { noUsage } from '../../model/pricing.ts';

export type Closing = EventSource & EventBody;

const interruption = 'Interrupted: the editor or the process ended while this ran.';
const leftBehind = 'It was still at work where this conversation branched off, and goes on there.';

/** Calls, agents and turns that have not ended. */
export class OpenEnds {
  readonly #session: string;
  readonly #open = new Map<string, Closing>();

  /** @param session whose events they are; others were copied */
  constructor(session: string) {
    this.#session = session;
  }

  add(event: EventSource & EventBody & { readonly session: string }): void {
    const { agent, parent } = event;
    const source = { agent, parent };
    const error = event.session === this.#session ? interruption : leftBehind;
    const end = { status: 'stopped' satisfies EndStatus, error, isInterrupted: true } as const;
    switch (event.type) {
      case 'turn-start':
        this.#open.set('turn', { ...source, type: 'turn-end', turn: event.turn, ...end });
        break;
      case 'turn-end':
        this.#open.delete('turn');
        break;
      case 'agent-start':
        this.#open.set(`agent ${agent}`, { ...source, type: 'agent-end', report: '', receipt: noReceipt, ...end });
        break;
      case 'agent-end':
        this.#open.delete(`agent ${agent}`);
        break;
      case 'tool-start': {
        const { call, tool } = event;
        const ended = { summary: 'interrupted, outcome unknown', preview: '', durationMs: 0 } as const;
        this.#open.set(`call ${call}`, { ...source, type: 'tool-end', call, tool, status: 'cancelled', ...ended });
        break;
      }
      case 'tool-end':
        this.#open.delete(`call ${event.call}`);
        break;
    }
  }

  /** What a clean stop would have written: an end for every one, innermost first. */
  close(): readonly Closing[] {
    return [...this.#open.values()].reverse();
  }
}

const noReceipt: Receipt = {
  calls: 0,
  steps: 0,
  filesRead: [],
  filesChanged: [],
  commands: [],
  usage: noUsage,
  cost: undefined,
  durationMs: 0,
};
