import { type FSWatcher, mkdirSync, watch } from 'node:fs';
import {
  createSessionList,
  emptyTrash,
  type HistoryIndex,
  sessionsDirectory,
  systemClock,
} from '../../../agent/index.ts';
import type { HistoryEntry, HistoryHits, HistoryView } from '../../../webview/protocol.ts';
import { readWorkspace } from '../../host/workspaceFolders.ts';
import type { Conversation } from '../contract.ts';
import { createHistoryActions, type HistoryActions } from './actions.ts';
import { toHistoryEntries } from './entries.ts';
import { createHistorySearch } from './search.ts';

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

/** A running session writes often. */
const restMs = 400;

export function createHistory(parts: HistoryParts): History {
  const { conversation, stateDirectory, report } = parts;
  const list = createSessionList(stateDirectory, systemClock);
  const search = createHistorySearch(parts);
  let showing: AbortController | undefined;
  let watcher: FSWatcher | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function entries(signal: AbortSignal): Promise<readonly HistoryEntry[]> {
    const [sessions, workspace, state] = await Promise.all([
      list.read(signal),
      readWorkspace(),
      conversation.isRunning(),
    ]);
    const current = conversation.current();
    return toHistoryEntries(sessions, { current, isRunning: state, roots: workspace?.roots ?? [] });
  }

  /** What is known at once, then what the journals say beyond. */
  async function push(signal: AbortSignal): Promise<void> {
    const tell = async () => {
      const sessions = await entries(signal);
      const deleted = actions.deleted();
      if (!signal.aborted) parts.show({ sessions, now: Date.now(), ...(deleted !== undefined && { deleted }) });
    };
    await tell();
    if (await list.update(signal)) await tell();
  }

  function refresh(): void {
    const { signal } = showing ?? {};
    if (!signal || timer) return;
    timer = setTimeout(() => {
      timer = undefined;
      push(signal).catch((error) => {
        if (!signal.aborted) report('The list of conversations could not be brought up to date', error);
      });
    }, restMs);
  }

  function stop(): void {
    clearTimeout(timer);
    timer = undefined;
    search.stop();
    watcher?.close();
    showing?.abort();
    showing = undefined;
  }

  function close(): void {
    stop();
    parts.show(undefined);
  }

  const changed = () => {
    clearTimeout(timer);
    timer = undefined;
    if (showing) push(showing.signal).catch((error) => report('The list of conversations could not be read', error));
  };
  const find = async (session: string) =>
    (await entries(new AbortController().signal)).find(({ id }) => id === session);
  const actions = createHistoryActions({ conversation, stateDirectory, find, changed });
  const subscription = conversation.subscribe({
    event: (_, { type }) => {
      if (type === 'turn-start' || type === 'turn-end' || type === 'session-title') refresh();
    },
    state: refresh,
    attention: () => undefined,
    reset: refresh,
  });

  return {
    ...actions,
    async open(session, isReadOnly) {
      const isOpen = await actions.open(session, isReadOnly);
      if (isOpen) close();
      return isOpen;
    },
    async show() {
      stop();
      const controller = new AbortController();
      showing = controller;
      mkdirSync(sessionsDirectory(stateDirectory), { recursive: true, mode: 0o700 });
      watcher = watch(sessionsDirectory(stateDirectory), refresh).on('error', () => undefined);
      void emptyTrash(stateDirectory, systemClock).catch((error) => report('The trash could not be emptied', error));
      await push(controller.signal);
    },
    close,
    search: search.begin,
    dispose() {
      close();
      subscription.dispose();
    },
  };
}
