import type { AgentEvent } from '../../loop/events.ts';
import { diskFiles, type JournalFile, type JournalFiles } from './journalFile.ts';
import { encodeRecord, maxLineBytes } from './record.ts';
import { type Tail, trimTail } from './tail.ts';

/** `synced`: the record and all before it are on the medium when `append` resolves. `lazy`: they are with the system. */
export type Durability = 'lazy' | 'synced';

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

/** When an event must be on the medium: at the user's message and around everything that may change the world. */
export function syncPoint(event: AgentEvent): Durability {
  switch (event.type) {
    case 'turn-start':
    case 'prompt-queue':
    case 'turn-end':
    case 'tool-start':
    case 'tool-end':
      return 'synced';
    default:
      return 'lazy';
  }
}

type Appended = {
  readonly event: AgentEvent;
  readonly isSynced: boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
};

type OpenRecord = Omit<Appended, 'event'> & { readonly bytes: Uint8Array };

class JournalWriter implements Journal {
  readonly #path: string;
  readonly #file: JournalFile;
  readonly #onProblem: (message: string) => void;
  #seq: number;
  /** Not encoded yet, oldest first. */
  #appended: Appended[] = [];
  /** Not written yet, oldest first. */
  #open: OpenRecord[] = [];
  /** Written, but lost if the system stops now. */
  #unsynced: OpenRecord[] = [];
  #unsyncedBytes = 0;
  /** Somebody waits for one of them to be on the medium. */
  #isSyncWanted = false;
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
    this.#seq = tail.lastSeq;
    this.#isLineOpen = !tail.endsLine;
  }

  async append(event: AgentEvent, durability: Durability): Promise<void> {
    if (this.#closing !== undefined) throw new Error(`The journal ${this.#path} is closed.`);
    await new Promise<void>((resolve, reject) => {
      this.#appended.push({ event, isSynced: durability === 'synced', resolve, reject });
      void this.#run();
    });
  }

  async written(): Promise<void> {
    const isAllWritten = this.#appended.length === 0 && this.#open.length === 0 && !this.#isWriting;
    if (this.#running === undefined || isAllWritten) return;
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
    this.#encode();
    try {
      while (this.#open.length > 0 && this.#fault === undefined) {
        await this.#writeBatch(this.#open.splice(0));
        if (this.#trouble === 'write') this.#trouble = undefined;
        this.#encode();
        if (this.#open.length === 0) this.#tellWaiting();
        if (this.#needsSync()) this.#syncing ??= this.#sync();
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

  #encode(): void {
    for (const { event, ...record } of this.#appended.splice(0)) {
      try {
        const bytes = Buffer.from(`${encodeRecord(this.#seq + 1, event)}\n`);
        if (bytes.length > maxLineBytes) throw new Error(`An event of ${bytes.length} bytes is too large to be saved.`);
        this.#seq += 1;
        this.#open.push({ ...record, bytes });
      } catch (error) {
        record.reject(error);
      }
    }
  }

  #tellWaiting(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  async #writeBatch(batch: readonly OpenRecord[]): Promise<void> {
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
      const whole = countWhole(batch, written - start.length);
      for (const record of batch.slice(0, whole)) {
        this.#unsynced.push(record);
        this.#unsyncedBytes += record.bytes.length;
        this.#isSyncWanted ||= record.isSynced;
        if (!record.isSynced) record.resolve();
      }
      this.#open.unshift(...batch.slice(whole));
    }
  }

  #needsSync(): boolean {
    return this.#isSyncWanted || this.#unsyncedBytes > maxUnsyncedBytes;
  }

  /** Goes on beside the writes, which need not wait for a slow medium. Never rejects. */
  async #sync(): Promise<void> {
    try {
      while (this.#needsSync()) {
        const covered = this.#unsynced.length;
        this.#unsyncedBytes = 0;
        this.#isSyncWanted = false;
        await this.#file.sync();
        for (const record of this.#unsynced.splice(0, covered)) record.resolve();
        this.#trouble = undefined;
      }
    } catch (cause) {
      this.#fault = { cause };
      void this.#run();
    }
    this.#syncing = undefined;
  }

  /**
   * The system may have dropped any record that was written before a sync failed, and says so only once: all of them go back
   * into line, in order. A reader passes over those that are there twice.
   */
  #takeBack(cause: unknown): void {
    this.#fault = undefined;
    this.#open.unshift(...this.#unsynced.splice(0));
    this.#giveUp(cause, 'sync');
  }

  /** What may not have arrived stays for the next attempt; those who wait for it are told. */
  #giveUp(cause: unknown, trouble: 'write' | 'sync'): void {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `The session cannot be saved (${reason}). Make room on the disk or see that ${this.#path} can be written; saving is tried again with the next step.`;
    if (this.#trouble === undefined) this.#onProblem(message);
    this.#trouble = trouble;
    const error = new Error(message, { cause });
    this.#encode();
    for (const record of [...this.#unsynced, ...this.#open]) record.reject(error);
  }

  async #finish(): Promise<void> {
    try {
      await this.#settle();
      void this.#run();
      await this.#settle();
      this.#isSyncWanted ||= this.#unsynced.length > 0;
      if (this.#needsSync()) this.#syncing ??= this.#sync();
      await this.#settle();
      if (this.#open.length > 0) {
        throw new Error(
          `The end of the session is not saved: ${this.#open.length} records are missing in ${this.#path}.`,
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
/** So much is kept in memory at most until it is known to be on the medium. */
const maxUnsyncedBytes = 4 * 1024 * 1024;
const nothing = Buffer.alloc(0);
const lineEnd = Buffer.from('\n');

/** How many records the first `length` bytes of a batch hold from start to end. */
function countWhole(batch: readonly OpenRecord[], length: number): number {
  let end = 0;
  const cut = batch.findIndex((record) => {
    end += record.bytes.length;
    return end > length;
  });
  return cut < 0 ? batch.length : cut;
}
