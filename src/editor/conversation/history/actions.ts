import type * as vscode from 'vscode';
import { changeLabel, type ExportFormat } from '../../../agent/index.ts';
import type { Conversation } from '../contract.ts';
import { createDeletion, type Deletion, type DeletionParts } from './deletion.ts';
import { exportToFile } from './exportToFile.ts';

export type HistoryActionParts = DeletionParts & { readonly conversation: Pick<Conversation, 'openPast'> };

/** What the user does with a conversation of the list. All throw Error for people. */
export type HistoryActions = Deletion & {
  /** @returns false when it was given up */
  open(session: string, isReadOnly: boolean): Promise<boolean>;
  rename(session: string, title: string): Promise<void>;
  pin(session: string, isPinned: boolean): Promise<void>;
  /** Asks where to. @returns the file; undefined when the user has changed their mind */
  exportTo(session: string, format: ExportFormat): Promise<vscode.Uri | undefined>;
};

export function createHistoryActions(parts: HistoryActionParts): HistoryActions {
  const { conversation, stateDirectory, find, changed } = parts;
  return {
    ...createDeletion(parts),
    async open(session, isReadOnly) {
      const entry = await find(session);
      return conversation.openPast(session, isReadOnly || entry?.isHere === false);
    },
    async rename(session, title) {
      await changeLabel(stateDirectory, session, { title: title.trim() });
      changed();
    },
    async pin(session, isPinned) {
      await changeLabel(stateDirectory, session, { isPinned });
      changed();
    },
    async exportTo(session, format) {
      const title = (await find(session))?.title ?? session;
      return exportToFile(stateDirectory, session, title, format);
    },
  };
}
