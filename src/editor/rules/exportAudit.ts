import { join } from 'node:path';
import * as vscode from 'vscode';
import {
  type AuditFilter,
  type AuditFormat,
  auditHead,
  auditLine,
  readAudit,
  replaceSynced,
} from '../../agent/index.ts';
import { localFolders } from '../host/workspaceFolders.ts';

export type ExportParts = {
  readonly stateDirectory: string;
  /** The conversation that shows. */
  readonly session: string | undefined;
  readonly report: (text: string, cause?: unknown) => void;
};

/** Writes the decisions of the gate into a file that the user names. */
export async function exportAudit({ stateDirectory, session, report }: ExportParts): Promise<void> {
  const filter = await pickFilter(session);
  if (!filter) return;
  const folder = localFolders()[0]?.uri.fsPath;
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Export the permission audit'),
    filters: { 'JSON lines': ['jsonl'], CSV: ['csv'] },
    ...(folder !== undefined && { defaultUri: vscode.Uri.file(join(folder, 'permission-audit.jsonl')) }),
  });
  if (!target) return;
  if (target.scheme !== 'file') throw new Error(vscode.l10n.t('Choose a file on this machine.'));
  const format: AuditFormat = /\.csv$/i.test(target.fsPath) ? 'csv' : 'jsonl';
  const count = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Exporting the permission audit'),
      cancellable: true,
    },
    (_, token) => {
      const controller = new AbortController();
      token.onCancellationRequested(() => controller.abort());
      return writeAudit({ stateDirectory, filter, format, path: target.fsPath, report }, controller.signal);
    },
  );
  if (count === undefined) return;
  const open = vscode.l10n.t('Open');
  const chosen = await vscode.window.showInformationMessage(vscode.l10n.t('{0} decisions were written.', count), open);
  if (chosen === open) await vscode.commands.executeCommand('vscode.open', target);
}

async function pickFilter(session: string | undefined): Promise<AuditFilter | undefined> {
  if (session === undefined) return {};
  const choices = [
    { label: vscode.l10n.t('All conversations'), filter: {} },
    { label: vscode.l10n.t('This conversation'), filter: { session } },
  ];
  const placeHolder = vscode.l10n.t('Decisions of which conversations?');
  return (await vscode.window.showQuickPick(choices, { placeHolder }))?.filter;
}

type Writing = {
  readonly stateDirectory: string;
  readonly filter: AuditFilter;
  readonly format: AuditFormat;
  readonly path: string;
  readonly report: (text: string) => void;
};

/** @returns how many, or undefined when it was cancelled: then what stood there stands there still */
async function writeAudit(writing: Writing, signal: AbortSignal): Promise<number | undefined> {
  const { stateDirectory, filter, format, path, report } = writing;
  let count = 0;
  async function* lines(): AsyncGenerator<string> {
    yield auditHead(format);
    for await (const entry of readAudit(stateDirectory, filter, signal, report)) {
      count += 1;
      yield auditLine(entry, format);
    }
  }
  try {
    await replaceSynced(path, lines(), signal);
    return count;
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}
