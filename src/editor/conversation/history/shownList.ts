import { type FSWatcher, mkdirSync, watch } from 'node:fs';
import { sessionsDirectory } from '../../../agent/index.ts';
import type { HistoryView } from '../../../webview/protocol.ts';
import type { EntryList } from './entryList.ts';

/** The list in the sidebar: up to date as long as it is open. */
export type ShownList = {
  open(): Promise<void>;
  stop(): void;
  /** Something may be other than it says. */
  refresh(): void;
  /** Something is other than it says, as the user knows. */
  changed(): void;
};

export type ShownListParts = {
  readonly entries: EntryList;
  readonly stateDirectory: string;
  readonly deleted: () => string | undefined;
  readonly show: (view: HistoryView) => void;
  readonly report: (text: string, cause?: unknown) => void;
};

/** A running session writes often. */
const restMs = 400;

export function createShownList({ entries, stateDirectory, deleted, show, report }: ShownListParts): ShownList {
  let showing: AbortController | undefined;
  let watcher: FSWatcher | undefined;
  let timer: NodeJS.Timeout | undefined;

  /** What is known at once, then what the journals say beyond. */
  async function push(signal: AbortSignal): Promise<void> {
    const tell = async () => {
      const sessions = await entries.read(signal);
      const gone = deleted();
      if (!signal.aborted) show({ sessions, now: Date.now(), ...(gone !== undefined && { deleted: gone }) });
    };
    await tell();
    if (await entries.update(signal)) await tell();
  }

  function endRest(): void {
    clearTimeout(timer);
    timer = undefined;
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
    endRest();
    watcher?.close();
    showing?.abort();
    showing = undefined;
  }

  return {
    async open() {
      stop();
      const controller = new AbortController();
      showing = controller;
      mkdirSync(sessionsDirectory(stateDirectory), { recursive: true, mode: 0o700 });
      watcher = watch(sessionsDirectory(stateDirectory), refresh).on('error', () => undefined);
      await push(controller.signal);
    },
    stop,
    refresh,
    changed() {
      endRest();
      if (showing) push(showing.signal).catch((error) => report('The list of conversations could not be read', error));
    },
  };
}
