import type { Clock } from '../../host.ts';
import type {
  IndexedSession,
  IndexState,
  Report,
  ReportQuery,
  SearchAnswer,
  SearchOptions,
  SessionFilter,
} from './contract.ts';
import { type Database, number, type OpenDatabase } from './database.ts';
import { indexPath, readIndex, saveIndex } from './indexFile.ts';
import { listIndexed } from './listIndexed.ts';
import { makeReport } from './reports.ts';
import { countUnsearched, createTables } from './schema.ts';
import { search } from './search.ts';
import { updateIndex } from './update.ts';

export type EngineOptions = {
  readonly stateDirectory: string;
  readonly openDatabase: OpenDatabase;
  readonly clock: Clock;
  readonly onNotice: (text: string) => void;
};

type Update = { readonly controller: AbortController; readonly done: Promise<IndexState>; waiting: number };

/** It is saved this long after the last change, and not so often that saving takes more than a twentieth of the time. */
const idleMs = 5_000;
const savingShare = 20;

/** The index itself, in whatever thread it is. */
export class IndexEngine {
  readonly #options: EngineOptions;
  readonly #stopping = new AbortController();
  #database: Promise<Database> | undefined;
  /** A newer version's file is not replaced. */
  #mayNotSave = false;
  #isUnsaved = false;
  #isSavingScheduled = false;
  #hasTold = false;
  #nextSave = 0;
  /** Updates and saves go one after another. */
  #queue: Promise<unknown> = Promise.resolve();
  #next: Update | undefined;

  constructor(options: EngineOptions) {
    this.#options = options;
  }

  async update(signal: AbortSignal): Promise<IndexState> {
    signal.throwIfAborted();
    this.#next ??= this.#enqueueUpdate();
    const update = this.#next;
    update.waiting += 1;
    const leave = () => {
      update.waiting -= 1;
      if (update.waiting > 0) return;
      update.controller.abort(signal.reason);
      if (this.#next === update) this.#next = undefined;
    };
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await update.done;
    } finally {
      signal.removeEventListener('abort', leave);
      signal.throwIfAborted();
    }
  }

  async sessions(filter: SessionFilter): Promise<readonly IndexedSession[]> {
    return listIndexed(await this.#open(), filter);
  }

  async search(text: string, options: SearchOptions, signal: AbortSignal): Promise<SearchAnswer> {
    return search(await this.#open(), this.#options.stateDirectory, text, options, signal);
  }

  async report(query: ReportQuery): Promise<Report> {
    return makeReport(await this.#open(), query);
  }

  /** Saves now what is not saved yet. Never rejects. @returns whether nothing is left to save */
  async save(): Promise<boolean> {
    const saving = this.#queue.then(() => this.#saveNow());
    this.#queue = saving;
    return saving;
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    this.#next?.controller.abort();
    await this.save();
    (await this.#database?.catch(() => undefined))?.close();
  }

  #enqueueUpdate(): Update {
    const controller = new AbortController();
    const work = async () => {
      this.#next = undefined;
      return this.#updateNow(AbortSignal.any([controller.signal, this.#stopping.signal]));
    };
    const done = this.#queue.then(work);
    this.#queue = done.catch(() => undefined);
    return { controller, done, waiting: 0 };
  }

  async #updateNow(signal: AbortSignal): Promise<IndexState> {
    const database = await this.#open();
    signal.throwIfAborted();
    const { isChanged, unreadable } = await updateIndex(database, this.#options.stateDirectory, signal);
    if (isChanged) {
      this.#isUnsaved = true;
      void this.#saveWhenIdle();
    }
    const sums = database.first('SELECT count(*) AS sessions, total(damaged) AS damaged FROM sessions');
    return {
      sessions: number(sums, 'sessions'),
      messages: number(database.first('SELECT count(*) AS count FROM messages'), 'count'),
      damagedLines: number(sums, 'damaged'),
      unsearched: countUnsearched(database),
      unreadable,
    };
  }

  #open(): Promise<Database> {
    this.#database ??= this.#load().catch((error: unknown) => {
      this.#database = undefined;
      throw error;
    });
    return this.#database;
  }

  async #load(): Promise<Database> {
    const { stateDirectory, openDatabase, onNotice } = this.#options;
    const path = indexPath(stateDirectory);
    const found = await readIndex(path);
    if (found.kind === 'ready') {
      const database = openChecked(openDatabase, found.bytes);
      if (database) return database;
    }
    if (found.kind === 'newer') {
      this.#mayNotSave = true;
      onNotice(
        `A newer version of Offshoot wrote ${path}. It is left as it is; conversations are read anew each time.`,
      );
    } else if (found.kind !== 'missing') {
      const reason = found.kind === 'unusable' ? found.reason : 'it is damaged';
      onNotice(`The index of conversations ${path} is made again from them, since ${reason}. Nothing is lost.`);
    }
    const database = openDatabase();
    createTables(database);
    return database;
  }

  async #saveWhenIdle(): Promise<void> {
    if (this.#isSavingScheduled || this.#stopping.signal.aborted) return;
    this.#isSavingScheduled = true;
    const { clock } = this.#options;
    await clock.sleep(Math.max(idleMs, this.#nextSave - clock.now()), this.#stopping.signal);
    this.#isSavingScheduled = false;
    if (!this.#stopping.signal.aborted && !(await this.save())) void this.#saveWhenIdle();
  }

  async #saveNow(): Promise<boolean> {
    if (!this.#isUnsaved || this.#mayNotSave || !this.#database) return true;
    const { stateDirectory, clock, onNotice } = this.#options;
    const startedAt = clock.now();
    try {
      const outcome = await saveIndex(indexPath(stateDirectory), (await this.#database).export(), clock);
      if (outcome === 'newer') this.#mayNotSave = true;
      if (outcome === 'held') return false;
      this.#isUnsaved = false;
    } catch (error) {
      if (!this.#hasTold) onNotice(`The index of conversations cannot be saved (${String(error)}). It is tried again.`);
      this.#hasTold = true;
      return false;
    } finally {
      this.#nextSave = clock.now() + (clock.now() - startedAt) * savingShare;
    }
    return true;
  }
}

/** undefined when SQLite does not take it for what it says it is */
function openChecked(openDatabase: OpenDatabase, bytes: Uint8Array): Database | undefined {
  const database = openDatabase(bytes);
  try {
    database.first('SELECT count(*) FROM sessions');
    return database;
  } catch {
    database.close();
    return undefined;
  }
}
