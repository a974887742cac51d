import * as vscode from 'vscode';
import { restoreSession, systemClock, type TrashedSession, trashSession } from '../../../agent/index.ts';
import type { HistoryEntry } from '../../../webview/protocol.ts';
import { messageOf } from '../../language/inUserLanguage.ts';
import type { Conversation } from '../contract.ts';

export type DeletionParts = {
  readonly conversation: Pick<Conversation, 'newChat'>;
  readonly stateDirectory: string;
  readonly find: (session: string) => Promise<HistoryEntry | undefined>;
  /** Something is other than the list says. */
  readonly changed: () => void;
};

/** Conversations are put into the trash, and the last one can be had back. */
export type Deletion = {
  /** One that shows is closed first. @throws Error for people */
  remove(session: string): Promise<void>;
  /** Brings the one back that was deleted last. @throws Error for people */
  undoDelete(): Promise<void>;
  /** Title of the one that was deleted last. */
  deleted(): string | undefined;
};

export function createDeletion({ conversation, stateDirectory, find, changed }: DeletionParts): Deletion {
  let last: { readonly title: string; readonly trashed: TrashedSession } | undefined;

  async function offerUndo(title: string, trashed: TrashedSession): Promise<void> {
    const undo = vscode.l10n.t('Undo');
    const chosen = await vscode.window.showInformationMessage(vscode.l10n.t('“{0}” was deleted.', title), undo);
    if (chosen !== undo) return;
    await restore(trashed).catch((error: unknown) => {
      void vscode.window.showErrorMessage(messageOf(error));
    });
  }

  async function restore(trashed: TrashedSession): Promise<void> {
    if (last?.trashed === trashed) last = undefined;
    try {
      await restoreSession(stateDirectory, trashed);
    } finally {
      changed();
    }
  }

  return {
    async remove(session) {
      const entry = await find(session);
      if (!entry) return;
      if (entry.isCurrent) {
        if (entry.state === 'running' && !(await confirmStop(entry.title))) return;
        await conversation.newChat();
      }
      const trashed = await trashSession(stateDirectory, session, systemClock);
      const held = vscode.l10n.t('“{0}” is open in another window. Close it there, then delete it.', entry.title);
      if (trashed === 'held') throw new Error(held);
      last = { title: entry.title, trashed };
      changed();
      // Not waited for: the notification stays as long as the user lets it.
      void offerUndo(entry.title, trashed);
    },
    async undoDelete() {
      if (last) await restore(last.trashed);
    },
    deleted: () => last?.title,
  };
}

async function confirmStop(title: string): Promise<boolean> {
  const stop = vscode.l10n.t('Stop and Delete');
  const text = vscode.l10n.t('“{0}” is at work. Stop it and delete it?', title);
  return (await vscode.window.showWarningMessage(text, { modal: true }, stop)) === stop;
}
