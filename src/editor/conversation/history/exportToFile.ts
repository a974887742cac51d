import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as vscode from 'vscode';
import { type ExportFormat, exportSession } from '../../../agent/index.ts';

/** Asks where to. @returns the file; undefined when the user has changed their mind */
export async function exportToFile(
  stateDirectory: string,
  session: string,
  title: string,
  format: ExportFormat,
): Promise<vscode.Uri | undefined> {
  const target = await askForFile(title, format);
  if (!target) return undefined;
  await writeExport(stateDirectory, session, format, target);
  return target;
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
