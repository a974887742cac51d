import { realpath } from 'node:fs/promises';
import { isAbsolute, join, sep } from 'node:path';
import * as vscode from 'vscode';
import { localFolders } from '../host/workspaceFolders.ts';

/** Shows a file of the workspace at a line, counted from 1. Places outside of the workspace are refused. */
export async function openPlace(path: string, line: number | null): Promise<void> {
  const place = await findPlace(path);
  if (place === undefined) {
    await vscode.window.showWarningMessage(
      vscode.l10n.t('{0} is not in this workspace, so it was not opened.', path.slice(0, 300)),
    );
    return;
  }
  const uri = vscode.Uri.file(place);
  const { type } = await vscode.workspace.fs.stat(uri);
  if (type & vscode.FileType.Directory) {
    await vscode.commands.executeCommand('revealInExplorer', uri);
    return;
  }
  const selection = line === null ? undefined : new vscode.Range(line - 1, 0, line - 1, 0);
  await vscode.commands.executeCommand('vscode.open', uri, { preview: true, ...(selection && { selection }) });
}

/** The place as the editor knows it, if it exists and is, links followed, in a folder of the workspace. */
export async function findPlace(path: string): Promise<string | undefined> {
  for (const { uri } of localFolders()) {
    const candidate = isAbsolute(path) ? path : join(uri.fsPath, path);
    const [place, root] = await Promise.all([realpath(candidate), realpath(uri.fsPath)]).catch(() => []);
    if (place === undefined || root === undefined) continue;
    if (place === root || place.startsWith(root.endsWith(sep) ? root : root + sep)) return candidate;
  }
  return undefined;
}
