import * as vscode from 'vscode';
import { type ExportFormat, exportSession, replaceSynced } from '../../../agent/index.ts';

/** Asks where to. @returns the file; undefined when the user has changed their mind */
export async function exportToFile(
  stateDirectory: string,
  session: string,
  title: string,
  format: ExportFormat,
): Promise<vscode.Uri | undefined> {
  const target = await askForFile(title, format);
  if (!target) return undefined;
  if (target.scheme !== 'file') throw new Error(vscode.l10n.t('Choose a file on this machine.'));
  const isWritten = await writeExport(stateDirectory, session, format, target);
  return isWritten ? target : undefined;
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

/** @returns false when it was given up: then what stood there stands there still */
async function writeExport(state: string, session: string, format: ExportFormat, target: vscode.Uri): Promise<boolean> {
  return vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Exporting the conversation'),
      cancellable: true,
    },
    async (_, token) => {
      const controller = new AbortController();
      token.onCancellationRequested(() => controller.abort());
      const { signal } = controller;
      try {
        await replaceSynced(target.fsPath, exportSession(state, session, format, signal), signal);
        return true;
      } catch (error) {
        if (signal.aborted) return false;
        throw error;
      }
    },
  );
}
