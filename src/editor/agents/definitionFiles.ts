import { join } from 'node:path';
import * as vscode from 'vscode';
import { homeFolders, homeSkillFolders, projectFolders, projectSkillFolders } from '../../agent/index.ts';
import { watchFiles } from '../host/watchFiles.ts';
import { localFolders } from '../host/workspaceFolders.ts';

/** Tells when files that define agent types or skills may have changed, and when others count: by trust, or with other folders. */
export function watchDefinitionFiles(home: string, changed: () => void): vscode.Disposable {
  let watchers = watchAll();

  function watchAll(): readonly vscode.Disposable[] {
    return [
      ...filesToWatch(home).map((pattern) => watchFiles(pattern, changed)),
      ...foldersToAwait(home).map((pattern) => watchComing(pattern, watchAnew)),
    ];
  }

  function dispose(): void {
    for (const watcher of watchers) watcher.dispose();
  }

  function watchAnew(): void {
    dispose();
    watchers = watchAll();
    changed();
  }

  return vscode.Disposable.from(
    { dispose },
    vscode.workspace.onDidGrantWorkspaceTrust(watchAnew),
    vscode.workspace.onDidChangeWorkspaceFolders(watchAnew),
  );
}

/** Folders too: when one is removed or renamed, nothing is told of the files in it. */
function filesToWatch(home: string): readonly vscode.RelativePattern[] {
  const paths = [...projectFolders.map(({ path }) => path), ...projectSkillFolders];
  const names = new Set(paths.flatMap((path) => [path.split('/')[0] ?? path, path, `${path}/**`]));
  const project = vscode.workspace.isTrusted ? localFolders() : [];
  return [
    ...project.map((folder) => new vscode.RelativePattern(folder, `{${[...names].join(',')}}`)),
    ...[...homeFolders, ...homeSkillFolders].map(
      (path) => new vscode.RelativePattern(vscode.Uri.file(join(home, path)), '**'),
    ),
  ];
}

/** Nothing is told of a folder that was not there when it began to be watched; so its coming is watched from above. */
function foldersToAwait(home: string): readonly vscode.RelativePattern[] {
  return [...homeFolders, ...homeSkillFolders].flatMap((path) => {
    const [folder = path, below = ''] = path.split('/');
    const at = (base: string, name: string) => new vscode.RelativePattern(vscode.Uri.file(base), name);
    return [at(home, folder), at(join(home, folder), below)];
  });
}

/** Not its changes: a folder changes with whatever is in it. */
function watchComing(pattern: vscode.RelativePattern, came: () => void): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher(pattern, false, true, false);
  return vscode.Disposable.from(watcher, watcher.onDidCreate(came), watcher.onDidDelete(came));
}
