import { stat } from 'node:fs/promises';
import type { Clock } from '../../host.ts';
import type { Lease } from '../../store/lease.ts';
import { leadSource } from '../lead.ts';
import { claimJournal } from './claimJournal.ts';
import type { EventLog } from './eventLog.ts';

const behind =
  'This conversation went on in another window meanwhile. Open it again from the history, then it is up to date here.';

/** The right to write a session's journal, from the first use until it is given back or lost to another process. */
export class JournalClaim {
  readonly #path: string;
  readonly #clock: Clock;
  readonly #events: EventLog;
  readonly #onLost: () => void;
  readonly #log: (text: string) => void;
  readonly #onWanted: () => void;
  /** Of the journal when this process last knew all that is in it. */
  #size: number;
  #lease: Lease | undefined;

  /** @param parts `size` of the journal as it was read; `onLost` stops whatever works; `onWanted` does so and closes */
  constructor(parts: {
    readonly path: string;
    readonly clock: Clock;
    readonly events: EventLog;
    readonly log: (text: string) => void;
    readonly size: number;
    readonly onLost: () => void;
    readonly onWanted: () => void;
  }) {
    this.#path = parts.path;
    this.#clock = parts.clock;
    this.#events = parts.events;
    this.#log = parts.log;
    this.#onLost = parts.onLost;
    this.#onWanted = parts.onWanted;
    this.#size = parts.size;
  }

  /** Takes the right and opens the journal. @throws Error for people */
  async open(): Promise<void> {
    if (this.#lease) return;
    const lease = await claimJournal(this.#path, this.#clock, {
      onLost: () => this.#lose(),
      onWanted: this.#onWanted,
    });
    try {
      if (await this.isBehind()) throw new Error(behind);
      await this.#events.open(this.#path);
      this.#lease = lease;
    } catch (error) {
      await lease.release();
      throw error;
    }
  }

  /** Another process has written the journal since. */
  async isBehind(): Promise<boolean> {
    return this.#lease === undefined && (await sizeOf(this.#path)) !== this.#size;
  }

  async close(): Promise<void> {
    await this.#events.close();
    if (this.#lease) this.#size = await sizeOf(this.#path);
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

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0;
}
