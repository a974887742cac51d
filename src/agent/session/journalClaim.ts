import type { Clock } from '../host.ts';
import type { Lease } from '../store/lease.ts';
import { claimJournal } from './claim.ts';
import type { EventLog } from './log.ts';

const leadSource = { agent: 'lead', parent: null };

/** The right to write a session's journal, from the first use until it is given back or lost to another process. */
export class JournalClaim {
  readonly #path: string;
  readonly #clock: Clock;
  readonly #events: EventLog;
  readonly #onLost: () => void;
  readonly #log: (text: string) => void;
  #lease: Lease | undefined;

  /** @param parts `onLost` stops whatever works */
  constructor(parts: {
    readonly path: string;
    readonly clock: Clock;
    readonly events: EventLog;
    readonly log: (text: string) => void;
    readonly onLost: () => void;
  }) {
    this.#path = parts.path;
    this.#clock = parts.clock;
    this.#events = parts.events;
    this.#log = parts.log;
    this.#onLost = parts.onLost;
  }

  /** Takes the right and opens the journal. @throws Error for people */
  async open(): Promise<void> {
    if (this.#lease) return;
    const lease = await claimJournal(this.#path, this.#clock, () => this.#lose());
    try {
      await this.#events.open(this.#path);
      this.#lease = lease;
    } catch (error) {
      await lease.release();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#events.close();
    await this.#lease?.release();
    this.#lease = undefined;
  }

  /** Another process writes this session now: this one must not. */
  #lose(): void {
    this.#lease = undefined;
    this.#onLost();
    const text = 'This conversation goes on in another window, since this one did not answer for a while.';
    this.#events.emit(leadSource, { type: 'notice', level: 'warning', text });
    this.#events.close().catch((error: unknown) => this.#log(String(error)));
  }
}
