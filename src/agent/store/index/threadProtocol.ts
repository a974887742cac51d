import type {
  IndexedSession,
  IndexState,
  Report,
  ReportQuery,
  SearchAnswer,
  SearchOptions,
  SessionFilter,
} from './contract.ts';

/** What the window and the thread of the index say to each other. Both are of one build, so the types hold. */
export type Question =
  | { readonly ask: 'update' }
  | { readonly ask: 'sessions'; readonly filter: SessionFilter }
  | { readonly ask: 'search'; readonly text: string; readonly options: SearchOptions }
  | { readonly ask: 'report'; readonly query: ReportQuery }
  | { readonly ask: 'close' };

export type ToThread = (Question & { readonly id: number }) | { readonly cancel: number };

export type FromThread =
  | { readonly notice: string }
  | { readonly id: number; readonly error: string }
  | { readonly id: number; readonly answer: Answer };

export type Answer =
  | { readonly to: 'update'; readonly value: IndexState }
  | { readonly to: 'sessions'; readonly value: readonly IndexedSession[] }
  | { readonly to: 'search'; readonly value: SearchAnswer }
  | { readonly to: 'report'; readonly value: Report }
  | { readonly to: 'close'; readonly value: undefined };
