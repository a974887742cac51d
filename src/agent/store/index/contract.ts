import type { EndStatus, ToolStatus } from '../../loop/events.ts';
import type { Usage } from '../../model/provider.ts';

/**
 * What can be asked about all conversations together. Built from their journals, kept in `<state>/index`, never the truth:
 * an answer that must be right to the last event comes from the journal. It works in a thread of its own.
 */
export interface HistoryIndex {
  /**
   * Reads what the journals hold beyond the index. Calls that come while one runs share the next one. The other questions
   * answer from what was read so far and do not wait.
   * @throws only when the signal aborts or the thread is gone; damage in journals is counted in the answer
   */
  update(signal: AbortSignal): Promise<IndexState>;
  /** Newest first. */
  sessions(filter: SessionFilter, signal: AbortSignal): Promise<readonly IndexedSession[]>;
  /** Every word must be there; "quoted words" in that order; the last word may be a beginning. Newest first. */
  search(text: string, options: SearchOptions, signal: AbortSignal): Promise<SearchAnswer>;
  report(query: ReportQuery, signal: AbortSignal): Promise<Report>;
  /** Saves what is not saved yet, as far as another window lets it, and ends the thread. */
  close(): Promise<void>;
}

export type OpenIndexOptions = {
  readonly stateDirectory: string;
  /** For people, in English: an index that was damaged and is made again, one that a newer version wrote. Must not throw. */
  readonly onNotice: (text: string) => void;
};

export type IndexState = {
  readonly sessions: number;
  readonly messages: number;
  /** Lines of journals that could not be used, in all of them. */
  readonly damagedLines: number;
  /** Messages whose text is not searched, since the index is as large as it may get. */
  readonly unsearched: number;
  /** Journals that could not be read at all, by session. */
  readonly unreadable: readonly string[];
};

/** Milliseconds since the epoch; `from` is in it, `to` is not. */
export type TimeRange = { readonly from?: number | undefined; readonly to?: number | undefined };

export type SessionFilter = TimeRange & {
  /** The folder it was started in. */
  readonly workspace?: string | undefined;
  readonly ids?: readonly string[];
  readonly limit?: number;
};

/**
 * One session as its journal tells it. Events that were copied from another session (their stamp names that one) are part of
 * its text, but not of its usage, cost and calls: those were counted where they happened.
 */
export type IndexedSession = {
  readonly id: string;
  /** As the journal has it; names that people gave are kept elsewhere. */
  readonly title: string;
  readonly workspace: string;
  readonly startedAt: number;
  /** Of its last event. */
  readonly updatedAt: number;
  /** How its last turn ended; `open`: it has not, since it runs or nobody came back to it; `empty`: there was none. */
  readonly status: Exclude<EndStatus, 'cached'> | 'interrupted' | 'open' | 'empty';
  readonly turns: number;
  readonly messages: number;
  /** Of its subagents, in order of their first start. */
  readonly agents: readonly string[];
  readonly usage: Usage;
  readonly cost: Cost;
  readonly bytes: number;
  readonly damagedLines: number;
};

/** Sums of money say what is not in them. */
export type Cost = {
  /** US dollars, of the requests whose price is known. */
  readonly usd: number;
  /** Requests whose price is not. */
  readonly unpriced: number;
};

export type SearchOptions = {
  /** At most so many hits. */
  readonly limit: number;
  /** Only in these. */
  readonly sessions?: readonly string[];
  readonly workspace?: string;
};

export type SearchAnswer = {
  readonly hits: readonly SearchHit[];
  /** There are more than `limit`. */
  readonly hasMore: boolean;
  /** Messages that could not be looked through; see `IndexState`. */
  readonly unsearched: number;
};

export type SearchHit = {
  readonly session: string;
  readonly title: string;
  readonly workspace: string;
  /** `lead`, or the id of a subagent. */
  readonly agent: string;
  readonly agentName: string;
  /** 1-based. */
  readonly turn: number;
  /** 0: before the first answer. */
  readonly step: number;
  /** Of the message among those of this agent, turn and step, from 0. */
  readonly position: number;
  /** The `seq` of the message's event. */
  readonly seq: number;
  readonly role: 'user' | 'assistant';
  /** Which part of the message the snippet is from. */
  readonly part: 'text' | 'thinking' | 'call' | 'result';
  readonly time: number;
  readonly snippet: string;
  /** What to mark in the snippet, in order, in UTF-16 units: [start, end). */
  readonly marks: readonly (readonly [number, number])[];
};

export type ReportFilter = TimeRange & { readonly workspace?: string | undefined };

export type ReportQuery = ReportFilter &
  (
    | { readonly kind: 'agents'; readonly agent: string; readonly limit: number }
    | { readonly kind: 'commands'; readonly text: string; readonly limit: number }
    | { readonly kind: 'cost'; readonly by: 'day' | 'agentType' | 'model' }
    | { readonly kind: 'permissions'; readonly limit: number }
  );

/** Whose row it is, and where it leads. */
type Origin = {
  readonly session: string;
  readonly title: string;
  readonly workspace: string;
  readonly agent: string;
  readonly agentName: string;
  readonly agentType: string;
  readonly turn: number;
  readonly time: number;
};

/** What an agent did: one row a call. */
export type CallRow = Origin & {
  readonly tool: string;
  readonly summary: string;
  /** `open`: no end of it is known. */
  readonly status: ToolStatus | 'open';
  readonly durationMs: number;
};

export type CommandRow = Origin & {
  readonly command: string;
  /** undefined: it was not run, or its end is not known. */
  readonly exitCode: number | undefined;
  readonly status: ToolStatus | 'open';
  readonly durationMs: number;
};

export type CostRow = {
  /** A day of the local calendar (2026-11-30), an agent type, or a model's id. */
  readonly key: string;
  readonly requests: number;
  readonly usage: Usage;
  readonly cost: Cost;
};

export type PermissionRow = Origin & {
  readonly tool: string;
  readonly summary: string;
  readonly decision: 'allow' | 'deny';
  /** Who decided: see the event `permission-decide`. */
  readonly by: string;
  readonly rule: string;
  readonly source: string;
};

export type Report =
  | { readonly kind: 'agents'; readonly rows: readonly CallRow[]; readonly total: number }
  | { readonly kind: 'commands'; readonly rows: readonly CommandRow[]; readonly total: number }
  | { readonly kind: 'cost'; readonly by: 'day' | 'agentType' | 'model'; readonly rows: readonly CostRow[] }
  | { readonly kind: 'permissions'; readonly rows: readonly PermissionRow[]; readonly total: number };
