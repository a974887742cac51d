import { createSessionList, systemClock } from '../../../agent/index.ts';
import type { HistoryEntry } from '../../../webview/protocol.ts';
import { readWorkspace } from '../../host/workspaceFolders.ts';
import type { Conversation } from '../contract.ts';
import { toHistoryEntries } from './entries.ts';

/** All conversations, as they look from this window. */
export type EntryList = {
  /** As far as it is known. */
  read(signal: AbortSignal): Promise<readonly HistoryEntry[]>;
  /** Reads what the journals say beyond. @returns whether they say more */
  update(signal: AbortSignal): Promise<boolean>;
};

export function createEntryList(
  conversation: Pick<Conversation, 'current' | 'isRunning'>,
  stateDirectory: string,
): EntryList {
  const list = createSessionList(stateDirectory, systemClock);
  return {
    async read(signal) {
      const [sessions, workspace] = await Promise.all([list.read(signal), readWorkspace()]);
      const [current, isRunning] = [conversation.current(), conversation.isRunning()];
      return toHistoryEntries(sessions, { current, isRunning, roots: workspace?.roots ?? [] });
    },
    update: (signal) => list.update(signal),
  };
}
