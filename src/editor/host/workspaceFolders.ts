import { realpath } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Workspace } from '../../agent/index.ts';

/** The folders of the window that are on this machine; undefined when there is none. */
export async function readWorkspace(): Promise<Workspace | undefined> {
  const folders = localFolders();
  if (folders.length === 0) return undefined;
  const roots = await Promise.all(folders.map(({ uri }) => realpath(uri.fsPath)));
  return {
    roots,
    get isTrusted() {
      return vscode.workspace.isTrusted;
    },
  };
}

export function localFolders(): readonly vscode.WorkspaceFolder[] {
  return (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
}
