import type { AgentEvent } from '../../loop/events.ts';
import { diskFiles, type JournalFile, type JournalFiles } from './journalFile.ts';
import type { Durability } from './syncPoint.ts';
import { type Tail, trimTail } from './tail.ts';
import { UnsafeRecords } from './unsafeRecords.ts';

/** The append-only record of one session; `docs/journal.md` describes the file. */
export interface Journal {
  /**
   * Records are written in the order of the calls.
   * @throws when the record is not on disk; it is kept and written before the next one, so do not append it again
   */
  append(event: AgentEvent, durability: Durability): Promise<void>;
  /** Resolves once all records so far are with the system, or that has failed and was told. Does not wait for a medium. */
  written(): Promise<void>;
  /** Writes what is open now, since somebody waits for it. */
  hurry(): void;
  /** Writes and syncs what is still open. @throws when that fails; the journal is closed all the same */
  close(): Promise<void>;
}

export type JournalOptions = {
  /** A message for people. A fault is told once, until writing works again. Must not throw. */
  readonly onProblem: (message: string) => void;
  readonly files?: JournalFiles;
};

/** Opens or creates a journal for appending, without a torn tail. Hold the session's lease while it is open. */
export async function openJournal(path: string, options: JournalOptions): Promise<Journal> {
  const files = options.files ?? diskFiles;
  const file = await files.open(path);
  try {
    return new JournalWriter(path, file, await trimTail(path, file, files, options.onProblem), options.onProblem);
  } catch (error) {
    await file.close();
    throw error;
  }
}

class JournalWriter implements Journal {
  readonly #path: string;
  readonly #file: JournalFile;
  readonly #onProblem: (message: string) => void;
  readonly #records: UnsafeRecords;
  /** What the last sync failed with, until what it was to save is back in line. */
  #fault: { readonly cause: unknown } | undefined;
  /** Whether the file may end in the middle of a line. */
  #isLineOpen: boolean;
  /** What failed last, and was told, until it works again. */
  #trouble: 'write' | 'sync' | undefined;
  #isWriting = false;
  #running: Promise<void> | undefined;
  #syncing: Promise<void> | undefined;
  /** Those who wait for everything to be written. */
  #waiting: (() => void)[] = [];
  #endGathering: () => void = () => {};
  #closing: Promise<void> | undefined;

  constructor(path: string, file: JournalFile, tail: Tail, onProblem: (message: string) => void) {
    this.#path = path;
    this.#file = file;
    this.#onProblem = onProblem;
    this.#records = new UnsafeRecords(tail.lastSeq);
    this.#isLineOpen = !tail.endsLine;
  }

  async append(event: AgentEvent, durability: Durability): Promise<void> {
    if (this.#closing !== undefined) throw new Error(`The journal ${this.#path} is closed.`);
    const arrived = this.#records.append(event, durability);
    void this.#run();
    await arrived;
  }

  async written(): Promise<void> {
    if (this.#running === undefined || (this.#records.areWritten && !this.#isWriting)) return;
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
      this.hurry();
    });
  }

  hurry(): void {
    this.#endGathering();
  }

  close(): Promise<void> {
    this.#closing ??= this.#finish();
    return this.#closing;
  }

  /** Never rejects. */
  #run(): Promise<void> {
    this.#running ??= this.#writeOut();
    return this.#running;
  }

  async #writeOut(): Promise<void> {
    await this.#gather();
    this.#records.encode();
    try {
      while (this.#records.openCount > 0 && this.#fault === undefined) {
        await this.#writeBatch();
        if (this.#trouble === 'write') this.#trouble = undefined;
        this.#records.encode();
        if (this.#records.openCount === 0) this.#tellWaiting();
        if (this.#records.needSync) this.#syncing ??= this.#sync();
      }
    } catch (error) {
      this.#giveUp(error, 'write');
    }
    if (this.#fault !== undefined) this.#takeBack(this.#fault.cause);
    // Without a pause since the last look at what is open: a record that comes now starts a new run.
    this.#running = undefined;
    this.#tellWaiting();
  }

  /** What is appended in a short time goes out in one write, unless somebody waits for it. */
  #gather(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, gatherMs);
      this.#endGathering = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #tellWaiting(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  async #writeBatch(): Promise<void> {
    const batch = this.#records.takeOpen();
    const start = this.#isLineOpen ? lineEnd : nothing;
    const bytes = Buffer.concat([start, ...batch.map((record) => record.bytes)]);
    let written = 0;
    try {
      this.#isWriting = true;
      this.#isLineOpen = true;
      while (written < bytes.length) written += await this.#file.write(bytes.subarray(written));
      this.#isLineOpen = false;
    } finally {
      this.#isWriting = false;
      this.#records.putBack(batch, written - start.length);
    }
  }

  /** Goes on beside the writes, which need not wait for a slow medium. Never rejects. */
  async #sync(): Promise<void> {
    try {
      while (this.#records.needSync) {
        const covered = this.#records.beginSync();
        await this.#file.sync();
        this.#records.endSync(covered);
        this.#trouble = undefined;
      }
    } catch (cause) {
      this.#fault = { cause };
      void this.#run();
    }
    this.#syncing = undefined;
  }

  #takeBack(cause: unknown): void {
    this.#fault = undefined;
    this.#records.reopen();
    this.#giveUp(cause, 'sync');
  }

  /** What may not have arrived stays for the next attempt; those who wait for it are told. */
  #giveUp(cause: unknown, trouble: 'write' | 'sync'): void {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `The session cannot be saved (${reason}). Make room on the disk or see that ${this.#path} can be written; saving is tried again with the next step.`;
    if (this.#trouble === undefined) this.#onProblem(message);
    this.#trouble = trouble;
    this.#records.reject(new Error(message, { cause }));
  }

  async #finish(): Promise<void> {
    try {
      await this.#settle();
      void this.#run();
      await this.#settle();
      this.#records.wantSync();
      if (this.#records.needSync) this.#syncing ??= this.#sync();
      await this.#settle();
      if (this.#records.openCount > 0) {
        throw new Error(
          `The end of the session is not saved: ${this.#records.openCount} records are missing in ${this.#path}.`,
        );
      }
    } finally {
      await this.#file.close();
    }
  }

  async #settle(): Promise<void> {
    this.hurry();
    await this.#running;
    await this.#syncing;
    await this.#running;
  }
}

/** Long enough for what belongs to a request to go out first, and short beside what a step takes. */
const gatherMs = 2;
const nothing = Buffer.alloc(0);
const lineEnd = Buffer.from('\n');
