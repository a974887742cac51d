import type { Agent } from '../loop/agent.ts';

/** How many children each agent waits for: one whose children work is never shown as idle. */
export class WaitingParents {
  readonly #counts = new Map<string, number>();

  async while<Value>(parent: Agent, wait: () => Promise<Value>): Promise<Value> {
    this.#count(parent, 1);
    try {
      return await wait();
    } finally {
      this.#count(parent, -1);
    }
  }

  #count(parent: Agent, change: 1 | -1): void {
    const { id } = parent.identity;
    const count = (this.#counts.get(id) ?? 0) + change;
    this.#counts.set(id, count);
    // It may have ended without waiting for a call that it takes back.
    if (!parent.isRunning) return;
    if (count === 0) parent.emit({ type: 'agent-status', activity: 'running' });
    else parent.emit({ type: 'agent-status', activity: 'waiting_agents', detail: String(count) });
  }
}
