import { emptyTrash, type HistoryIndex, systemClock } from '../../../agent/index.ts';
import type { HistoryHits, HistoryView } from '../../../webview/protocol.ts';
import type { Conversation } from '../contract.ts';
import { createHistoryActions, type HistoryActions } from './actions.ts';
import { createEntryList } from './entryList.ts';
import { createHistorySearch } from './search.ts';
import { createShownList } from './shownList.ts';

export type HistoryParts = {
  readonly conversation: Conversation;
  readonly stateDirectory: string;
  readonly index: Pick<HistoryIndex, 'update' | 'search'>;
  /** undefined: it is closed. */
  readonly show: (view: HistoryView | undefined) => void;
  readonly showHits: (hits: HistoryHits) => void;
  readonly report: (text: string, cause?: unknown) => void;
};

/** The list of conversations in the sidebar: shown on request, up to date as long as it is open. */
export type History = HistoryActions & {
  show(): Promise<void>;
  close(): void;
  search(text: string): void;
  dispose(): void;
};

export function createHistory(parts: HistoryParts): History {
  const { conversation, stateDirectory, report } = parts;
  const entries = createEntryList(conversation, stateDirectory);
  const search = createHistorySearch(parts);
  const list = createShownList({ ...parts, entries, deleted: () => actions.deleted() });
  const find = async (session: string) =>
    (await entries.read(new AbortController().signal)).find(({ id }) => id === session);
  const actions = createHistoryActions({ conversation, stateDirectory, find, changed: list.changed });
  const subscription = conversation.subscribe({
    event: (_, { type }) => {
      if (type === 'turn-start' || type === 'turn-end' || type === 'session-title') list.refresh();
    },
    state: list.refresh,
    attention: () => undefined,
    reset: list.refresh,
  });

  function close(): void {
    search.stop();
    list.stop();
    parts.show(undefined);
  }

  return {
    ...actions,
    async open(session, isReadOnly) {
      const isOpen = await actions.open(session, isReadOnly);
      if (isOpen) close();
      return isOpen;
    },
    async show() {
      search.stop();
      void emptyTrash(stateDirectory, systemClock).catch((error) => report('The trash could not be emptied', error));
      await list.open();
    },
    close,
    search: search.begin,
    dispose() {
      close();
      subscription.dispose();
    },
  };
}
