import type { AgentEvent } from '../../loop/events.ts';
import { encodeRecord, maxLineBytes } from './record.ts';
import type { Durability } from './syncPoint.ts';

/** So much is kept in memory at most until it is known to be on the medium. */
const maxUnsyncedBytes = 4 * 1024 * 1024;

type Appended = {
  readonly event: AgentEvent;
  readonly isSynced: boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
};

type OpenRecord = Omit<Appended, 'event'> & { readonly bytes: Uint8Array };

/**
 * The records that would be lost if the system stopped now, in the order they were appended: first as events, then open, which
 * is encoded and not written, then unsynced. Nothing leaves but by a sync; what may not have arrived goes back into line.
 */
export class UnsafeRecords {
  #lastSeq: number;
  #appended: Appended[] = [];
  #open: OpenRecord[] = [];
  #unsynced: OpenRecord[] = [];
  #unsyncedBytes = 0;
  /** Somebody waits for one of them to be on the medium. */
  #isSyncWanted = false;

  /** @param lastSeq of the last record that is in the file */
  constructor(lastSeq: number) {
    this.#lastSeq = lastSeq;
  }

  get areWritten(): boolean {
    return this.#appended.length === 0 && this.#open.length === 0;
  }

  get openCount(): number {
    return this.#open.length;
  }

  get needSync(): boolean {
    return this.#isSyncWanted || this.#unsyncedBytes > maxUnsyncedBytes;
  }

  /** Resolves when the record is as safe as it is to be. @throws when it is refused, or a write or sync failed meanwhile */
  append(event: AgentEvent, durability: Durability): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#appended.push({ event, isSynced: durability === 'synced', resolve, reject });
    });
  }

  /** Opens what was appended. One that cannot be written is refused and takes no number. */
  encode(): void {
    for (const { event, ...record } of this.#appended.splice(0)) {
      try {
        const bytes = Buffer.from(`${encodeRecord(this.#lastSeq + 1, event)}\n`);
        if (bytes.length > maxLineBytes) throw new Error(`An event of ${bytes.length} bytes is too large to be saved.`);
        this.#lastSeq += 1;
        this.#open.push({ ...record, bytes });
      } catch (error) {
        record.reject(error);
      }
    }
  }

  /** All that is open, to be written; `putBack` must follow. */
  takeOpen(): readonly OpenRecord[] {
    return this.#open.splice(0);
  }

  /** @param written how many bytes of the batch the system has taken; a record that is cut stays open */
  putBack(batch: readonly OpenRecord[], written: number): void {
    const whole = countWhole(batch, written);
    for (const record of batch.slice(0, whole)) {
      this.#unsynced.push(record);
      this.#unsyncedBytes += record.bytes.length;
      this.#isSyncWanted ||= record.isSynced;
      if (!record.isSynced) record.resolve();
    }
    this.#open.unshift(...batch.slice(whole));
  }

  wantSync(): void {
    this.#isSyncWanted ||= this.#unsynced.length > 0;
  }

  /** @returns how many records the sync that begins now covers */
  beginSync(): number {
    this.#unsyncedBytes = 0;
    this.#isSyncWanted = false;
    return this.#unsynced.length;
  }

  endSync(covered: number): void {
    for (const record of this.#unsynced.splice(0, covered)) record.resolve();
  }

  /**
   * The system may have dropped any record that was written before a sync failed, and says so only once: all of them are open
   * again, in order. A reader passes over those that are there twice.
   */
  reopen(): void {
    this.#open.unshift(...this.#unsynced.splice(0));
  }

  /** Tells all who wait. The records stay for the next attempt. */
  reject(error: Error): void {
    this.encode();
    for (const record of [...this.#unsynced, ...this.#open]) record.reject(error);
  }
}

/** How many records the first `length` bytes of a batch hold from start to end. */
function countWhole(batch: readonly OpenRecord[], length: number): number {
  let end = 0;
  const cut = batch.findIndex((record) => {
    end += record.bytes.length;
    return end > length;
  });
  return cut < 0 ? batch.length : cut;
}
