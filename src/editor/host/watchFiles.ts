import * as vscode from 'vscode';

/** Tells when files of the pattern come, change or go. */
export function watchFiles(pattern: vscode.GlobPattern, changed: () => void): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher(pattern);
  const { onDidCreate, onDidChange, onDidDelete } = watcher;
  return vscode.Disposable.from(watcher, ...[onDidCreate, onDidChange, onDidDelete].map((event) => event(changed)));
}
