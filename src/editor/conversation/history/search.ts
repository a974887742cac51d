import type { HistoryIndex } from '../../../agent/index.ts';
import type { HistoryHits } from '../../../webview/protocol.ts';

const mostHits = 200;

/** Searches in all that was said; a new text gives up the one before. */
export type HistorySearch = { begin(text: string): void; stop(): void };

export function createHistorySearch(parts: {
  readonly index: Pick<HistoryIndex, 'update' | 'search'>;
  readonly showHits: (hits: HistoryHits) => void;
  readonly report: (text: string, cause?: unknown) => void;
}): HistorySearch {
  const { index, showHits, report } = parts;
  let running: AbortController | undefined;

  async function search(text: string, signal: AbortSignal): Promise<void> {
    const tell = async (isWhole: boolean) => {
      const { hits, unsearched } = await index.search(text, { limit: mostHits }, signal);
      if (signal.aborted) return;
      showHits({
        text,
        isWhole,
        unsearched,
        hits: hits.map(({ session, agent, agentName, role, part, snippet, marks }) => ({
          session,
          who: agent !== 'lead' ? agentName : role === 'user' && part === 'text' ? 'user' : '',
          snippet,
          marks,
        })),
      });
    };
    // From what is known at once, then from what was said since.
    await tell(false);
    await index.update(signal);
    await tell(true);
  }

  return {
    begin(text) {
      running?.abort();
      if (text.trim() === '') return;
      const controller = new AbortController();
      running = controller;
      search(text, controller.signal).catch((error) => {
        if (controller.signal.aborted) return;
        report('The conversations could not be searched', error);
        showHits({ text, hits: [], isWhole: true, unsearched: 0 });
      });
    },
    stop: () => running?.abort(),
  };
}
