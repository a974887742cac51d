import PQueue from 'p-queue';
import { whyStopped } from '../loop/endings.ts';
import type { AcceptedEnd } from './reports/acceptance.ts';

const priorities = { low: 0, normal: 1, high: 2 } as const;
export type Priority = keyof typeof priorities;

function stoppedInQueue(signal: AbortSignal): AcceptedEnd {
  const { error, ...why } = whyStopped(signal);
  return { status: 'stopped', text: '', error: `${error} It had not begun.`, ...why };
}

/** How many agents of a session work at once; the others wait, by priority and then by age. */
export class Places {
  readonly #queue: PQueue;

  constructor(count: number) {
    this.#queue = new PQueue({ concurrency: count });
  }

  set count(count: number) {
    this.#queue.concurrency = count;
  }

  get areTaken(): boolean {
    return this.#queue.pending >= this.#queue.concurrency;
  }

  /**
   * Never rejects. A run that has begun is waited for even when the signal aborts: it stops by itself, and nothing of it is
   * left when this resolves.
   */
  async run(work: () => Promise<AcceptedEnd>, priority: Priority, signal: AbortSignal): Promise<AcceptedEnd> {
    let hasBegun = false;
    const queued = this.#queue.add(
      async () => {
        hasBegun = true;
        return signal.aborted ? stoppedInQueue(signal) : await work();
      },
      { priority: priorities[priority] },
    );
    const stopped = new Promise<AcceptedEnd>((resolve) => {
      const stop = () => {
        if (!hasBegun) resolve(stoppedInQueue(signal));
      };
      signal.addEventListener('abort', stop, { once: true });
      if (signal.aborted) stop();
    });
    try {
      return await Promise.race([queued, stopped]);
    } catch (error) {
      return { status: 'failed', text: '', error: error instanceof Error ? error.message : String(error) };
    }
  }
}
