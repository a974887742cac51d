import { type AgentEvent, type EventBody, type EventSource, isTransient } from '../../loop/events.ts';
import { type Journal, openJournal } from '../../store/journal/journal.ts';
import { syncPoint } from '../../store/journal/syncPoint.ts';
import { leadSource } from '../lead.ts';
import type { Recollection } from '../past/recollection.ts';
import { createStreams } from './streams.ts';

/** Every event of a session passes here: it gets its stamp, is kept, written to the journal, and told to those who listen. */
export class EventLog {
  readonly #session: string;
  readonly #now: () => number;
  readonly #past: Recollection;
  readonly #streams = createStreams();
  readonly #listeners = new Set<(event: AgentEvent) => void>();
  readonly #log: (text: string) => void;
  readonly #clean: <Value>(value: Value) => Value;
  /** From before the journal was open. */
  readonly #unstored: AgentEvent[] = [];
  #journal: Journal | undefined;
  #seq: number;
  #stored: Promise<void> = Promise.resolve();

  constructor(
    session: string,
    past: Recollection,
    now: () => number,
    log: (text: string) => void,
    clean: <Value>(value: Value) => Value = (value) => value,
  ) {
    this.#session = session;
    this.#now = now;
    this.#log = log;
    this.#clean = clean;
    this.#past = past;
    this.#seq = past.events.at(-1)?.seq ?? 0;
  }

  /** Lasting events, oldest first; of a long session the latest, and an outline of what was before. */
  get events(): readonly AgentEvent[] {
    return this.#past.events;
  }

  snapshot(): { readonly events: readonly AgentEvent[]; readonly seq: number } {
    return { events: [...this.#past.events, ...this.#streams.events()], seq: this.#seq };
  }

  /** Nothing is on disk before this. @throws when the journal cannot be opened */
  async open(path: string): Promise<void> {
    this.#journal ??= await openJournal(path, { onProblem: (message) => this.#report(message) });
    for (const event of this.#unstored.splice(0)) this.#store(event);
  }

  subscribe(listener: (event: AgentEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  readonly emit = (source: EventSource, body: EventBody): void => this.#publish(source, body, !isTransient(body));

  /** Resolves once all events so far are as safe as they are to be; a fault was reported by then. */
  durable(): Promise<void> {
    this.#journal?.hurry();
    return this.#stored;
  }

  /** Resolves once all events so far are with the system; a fault was reported by then. */
  async written(): Promise<void> {
    await this.#journal?.written();
  }

  async close(): Promise<void> {
    const journal = this.#journal;
    this.#journal = undefined;
    await journal?.close();
  }

  #publish(source: EventSource, body: EventBody, isStored: boolean): void {
    this.#seq += 1;
    const event: AgentEvent = {
      ...this.#clean(body),
      session: this.#session,
      ...source,
      seq: this.#seq,
      time: this.#now(),
    };
    if (!isTransient(body)) this.#past.add(event);
    this.#streams.add(event);
    if (isStored) this.#store(event);
    for (const listener of this.#listeners) listener(event);
  }

  #store(event: AgentEvent): void {
    if (!this.#journal) {
      this.#unstored.push(event);
      return;
    }
    const stored = this.#journal.append(event, syncPoint(event)).catch((error: unknown) => this.#log(String(error)));
    this.#stored = Promise.all([this.#stored, stored]).then(() => undefined);
  }

  /** Shown at once; not stored, since storing is what failed. */
  #report(text: string): void {
    this.#publish(leadSource, { type: 'notice', level: 'error', text }, false);
  }
}
