import type { AgentEvent } from '../../loop/events.ts';
import { readLinesBefore } from '../../store/journal/linesBefore.ts';
import { decodeRecord, type Peek } from '../../store/journal/record.ts';
import { journalPath } from '../../store/sessions.ts';
import { lead } from '../lead.ts';
import { shownEvent } from '../record/shownEvent.ts';
import { weigh } from './recollection.ts';

/** A portion of a journal: what was before something. */
export type Earlier = {
  /** Oldest first, without what only models read. */
  readonly events: readonly AgentEvent[];
  /** Nothing was before them. */
  readonly isFirst: boolean;
};

export type EarlierQuery = {
  readonly session: string;
  /** Whose transcript: `lead` has all, an agent what it and all below it did. */
  readonly agent: string;
  /** Events with a lower `seq`. */
  readonly before: number;
  /** Parents by agent, as far as they are known; the journal says the others. */
  readonly parents: ReadonlyMap<string, string>;
};

export type EarlierReader = {
  /** @throws when the journal cannot be read, or the signal aborts */
  read(query: EarlierQuery, signal: AbortSignal): Promise<Earlier>;
  /** How an agent began last, and how it ended; empty when there is none. @throws as `read` */
  readBeginning(session: string, agent: string, signal: AbortSignal): Promise<readonly AgentEvent[]>;
};

/** Characters, about. A portion ends at a turn's beginning once it has the first, at a step's or anywhere at the second. */
const limits = { least: 150_000, most: 600_000 };
const mostPlaces = 1000;

/** Reads journals backwards, a portion at a time; of them only the places where portions began are kept. */
export function createEarlierReader(stateDirectory: string, more: Partial<typeof limits> = {}): EarlierReader {
  const places = new Map<string, number>();
  return {
    async read(query, signal) {
      const { session, before } = query;
      const portion = new Portion(query, { ...limits, ...more });
      const from = places.get(`${session} ${before}`);
      for await (const { bytes, place } of readLinesBefore(journalPath(stateDirectory, session), from, signal)) {
        const record = bytes && decodeRecord(bytes, portion.wants);
        if (record?.kind === 'event' && !portion.add(record.event, place)) break;
      }
      const { events, isFirst, place } = portion.finish();
      if (places.size >= mostPlaces) places.clear();
      if (events[0]) places.set(`${session} ${events[0].seq}`, place);
      return { events: events.map(shownEvent), isFirst };
    },
    async readBeginning(session, agent, signal) {
      const found: AgentEvent[] = [];
      const wants = (peek: Peek) => peek.agent === agent && beginnings.has(peek.type);
      for await (const { bytes } of readLinesBefore(journalPath(stateDirectory, session), undefined, signal)) {
        const record = bytes && decodeRecord(bytes, wants);
        if (record?.kind !== 'event' || record.event.agent !== agent || !beginnings.has(record.event.type)) continue;
        found.unshift(record.event);
        if (record.event.type === 'agent-start') return found;
      }
      return [];
    },
  };
}

const beginnings: ReadonlySet<string> = new Set(['agent-start', 'agent-detach', 'agent-end']);

type Found = { readonly event: AgentEvent; readonly place: number };

/** What is gathered, the latest first. */
class Portion {
  readonly #query: EarlierQuery;
  readonly #limits: typeof limits;
  readonly #parents: Map<string, string>;
  readonly #found: Found[] = [];
  #before: number;
  #weight = 0;
  /** Of `#found`, so many are in it; undefined: it is not full yet. */
  #end: number | undefined;
  #hasMore = false;

  constructor(query: EarlierQuery, more: typeof limits) {
    this.#query = query;
    this.#limits = more;
    this.#before = query.before;
    this.#parents = new Map(query.parents);
  }

  /** Records that a fault made stand twice come again here, and have a number that is not lower. */
  readonly wants = ({ type, agent, parent, eventSeq }: Peek): boolean => {
    if (eventSeq >= this.#before) return false;
    if (parent !== null) this.#parents.set(agent, parent);
    return !unshown.has(type) && this.#belongs(agent) !== 'no';
  };

  /** @returns whether more is wanted */
  add(event: AgentEvent, place: number): boolean {
    const { type, agent, parent, seq: eventSeq } = event;
    if (!this.wants({ type, agent, parent, eventSeq })) return true;
    this.#before = eventSeq;
    this.#found.push({ event, place });
    this.#weight += weigh(shownEvent(event));
    this.#end ??= this.#endNow(event);
    // One more than fits tells whether another portion is worth it.
    this.#hasMore = this.#found.slice(this.#end ?? this.#found.length).some((found) => this.#isSeen(found.event));
    return !this.#hasMore;
  }

  finish(): { readonly events: readonly AgentEvent[]; readonly isFirst: boolean; readonly place: number } {
    const found = this.#hasMore ? this.#found.slice(0, this.#end) : this.#found;
    const own = found.filter(({ event }) => this.#belongs(event.agent) === 'yes').reverse();
    return { events: own.map(({ event }) => event), isFirst: !this.#hasMore, place: own[0]?.place ?? 0 };
  }

  #endNow(event: AgentEvent): number | undefined {
    if (this.#weight >= this.#limits.least && this.#isTurn(event)) return this.#found.length;
    if (this.#weight < this.#limits.most) return undefined;
    const turn = this.#found.findLastIndex((found) => this.#isTurn(found.event));
    const step = this.#found.findLastIndex(
      (found) => found.event.type === 'step-start' && found.event.agent === this.#query.agent,
    );
    return turn >= 0 ? turn + 1 : step >= 0 ? step + 1 : this.#found.length;
  }

  #isSeen({ type, agent, parent }: AgentEvent): boolean {
    const isQuiet = type === 'session-start' || type === 'usage-update' || (type === 'agent-start' && parent === null);
    return !isQuiet && this.#belongs(agent) === 'yes';
  }

  #isTurn({ type, agent }: AgentEvent): boolean {
    return agent === this.#query.agent && type === (agent === lead.id ? 'turn-start' : 'agent-start');
  }

  /** `unknown`: what was before it will tell. */
  #belongs(agent: string): 'yes' | 'no' | 'unknown' {
    const whose = this.#query.agent;
    if (whose === lead.id) return 'yes';
    const passed = new Set<string>();
    for (let at: string | undefined = agent; at !== undefined && !passed.has(at); at = this.#parents.get(at)) {
      if (at === whose) return 'yes';
      if (at === lead.id) return 'no';
      passed.add(at);
    }
    return 'unknown';
  }
}

/** What no transcript has. */
const unshown: ReadonlySet<string> = new Set([
  'session-title',
  'prompt-queue',
  'agent-status',
  'step-end',
  'permission-decide',
  'hook-run',
  'worktree-create',
  'worktree-keep',
  'worktree-remove',
]);
