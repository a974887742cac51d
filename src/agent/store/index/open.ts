import type { HistoryIndex, OpenIndexOptions } from './contract.ts';

/** Starts nothing before the first question. */
export function openIndex(_options: OpenIndexOptions): HistoryIndex {
  throw new Error('The index of conversations is not built yet.');
}
