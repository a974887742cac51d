import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as vscode from 'vscode';
import {
  changeLabel,
  type ExportFormat,
  exportSession,
  restoreSession,
  systemClock,
  type TrashedSession,
  trashSession,
} from '../../../agent/index.ts';
import type { HistoryEntry } from '../../../webview/protocol.ts';
import { messageOf } from '../../language/inUserLanguage.ts';
import type { Conversation } from '../contract.ts';

export type HistoryActionParts = {
  readonly conversation: Pick<Conversation, 'current' | 'openPast' | 'newChat'>;
  readonly stateDirectory: string;
  readonly find: (session: string) => Promise<HistoryEntry | undefined>;
  /** Something is other than the list says. */
  readonly changed: () => void;
};

/** What the user does with a conversation of the list. All throw Error for people. */
export type HistoryActions = {
  /** @returns false when it was given up */
  open(session: string, isReadOnly: boolean): Promise<boolean>;
  rename(session: string, title: string): Promise<void>;
  pin(session: string, isPinned: boolean): Promise<void>;
  remove(session: string): Promise<void>;
  /** Brings the one back that was deleted last. */
  undoDelete(): Promise<void>;
  /** Title of the one that was deleted last. */
  deleted(): string | undefined;
  /** Asks where to. @returns the file; undefined when the user has changed their mind */
  exportTo(session: string, format: ExportFormat): Promise<vscode.Uri | undefined>;
};

export function createHistoryActions(parts: HistoryActionParts): HistoryActions {
  const { conversation, stateDirectory, find, changed } = parts;
  let last: { readonly title: string; readonly trashed: TrashedSession } | undefined;

  async function remove(session: string): Promise<void> {
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
  }

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
    remove,
    async undoDelete() {
      if (last) await restore(last.trashed);
    },
    deleted: () => last?.title,
    async exportTo(session, format) {
      const title = (await find(session))?.title ?? session;
      const target = await askForFile(title, format);
      if (!target) return undefined;
      await writeExport(stateDirectory, session, format, target);
      return target;
    },
  };
}

async function confirmStop(title: string): Promise<boolean> {
  const stop = vscode.l10n.t('Stop and Delete');
  const text = vscode.l10n.t('“{0}” is at work. Stop it and delete it?', title);
  return (await vscode.window.showWarningMessage(text, { modal: true }, stop)) === stop;
}

async function askForFile(title: string, format: ExportFormat): Promise<vscode.Uri | undefined> {
  const extension = format === 'json' ? 'json' : 'md';
  const name =
    title
      .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
      .replaceAll(/^[-.]+|[-.]+$/g, '')
      .slice(0, 60) || 'conversation';
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  return vscode.window.showSaveDialog({
    title: vscode.l10n.t('Export Conversation'),
    filters: format === 'json' ? { JSON: ['json'] } : { Markdown: ['md'] },
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, `${name}.${extension}`) }),
  });
}

async function writeExport(state: string, session: string, format: ExportFormat, target: vscode.Uri): Promise<void> {
  await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Exporting the conversation'),
      cancellable: true,
    },
    async (_, token) => {
      const controller = new AbortController();
      token.onCancellationRequested(() => controller.abort());
      const { signal } = controller;
      const text = Readable.from(exportSession(state, session, format, signal));
      await pipeline(text, createWriteStream(target.fsPath, { mode: 0o600 }), { signal });
    },
  );
}
