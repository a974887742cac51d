import { join } from 'node:path';
import * as vscode from 'vscode';
import {
  builtInTools,
  type DefinitionProblem,
  type DefinitionSet,
  definitionFolders,
  homeFolders,
  homeSkillFolders,
  loadDefinitions,
  noDefinitions,
  projectFolders,
  projectSkillFolders,
  skillFolders,
} from '../../agent/index.ts';
import { localFolders } from '../host/workspaceFolders.ts';

/** Several files change at once when a branch is checked out. */
const restMs = 100;

/** The agent types and skills that files of the workspace and the home folder define, as they are now. */
export type Definitions = {
  /** As read last. */
  current(): DefinitionSet;
  /** Resolves when every change that the editor has told of is read. */
  settled(): Promise<void>;
  dispose(): void;
};

export type DefinitionsParts = {
  /** The user's home folder. */
  readonly home: string;
  readonly report: (text: string, cause: unknown) => void;
};

/** Reads at once, and again when files, folders or trust change; what is wrong with a file stands in the Problems list. */
export function createDefinitions({ home, report }: DefinitionsParts): Definitions {
  const diagnostics = vscode.languages.createDiagnosticCollection('offshoot');
  const stopped = new AbortController();
  let watchers: readonly vscode.Disposable[] = [];
  let current = noDefinitions;
  let reading: Promise<void> | undefined;
  let isStale = false;
  let timer: NodeJS.Timeout | undefined;

  async function readWhileStale(): Promise<void> {
    while (isStale && !stopped.signal.aborted) {
      isStale = false;
      const roots = localFolders().map(({ uri }) => uri.fsPath);
      const folders = definitionFolders({ workspace: { roots, isTrusted: vscode.workspace.isTrusted }, home });
      try {
        const skills = skillFolders({ workspace: { roots, isTrusted: vscode.workspace.isTrusted }, home });
        current = await loadDefinitions(folders, builtInTools, stopped.signal, skills);
        if (!stopped.signal.aborted) show(diagnostics, current.problems);
      } catch (error) {
        if (!stopped.signal.aborted) report('The agent files could not be read', error);
      }
    }
  }

  function read(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    reading ??= readWhileStale().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  function readSoon(): void {
    isStale = true;
    clearTimeout(timer);
    timer = setTimeout(() => void read(), restMs);
  }

  function watchAnew(): void {
    for (const watcher of watchers) watcher.dispose();
    watchers = [
      ...filesToWatch(home).map((pattern) => watch(pattern, readSoon)),
      ...foldersToAwait(home).map((pattern) => watchComing(pattern, watchAnew)),
    ];
    readSoon();
  }

  watchAnew();
  const listeners = [
    vscode.workspace.onDidGrantWorkspaceTrust(watchAnew),
    vscode.workspace.onDidChangeWorkspaceFolders(watchAnew),
  ];
  return {
    current: () => current,
    async settled() {
      while (!stopped.signal.aborted && (isStale || reading !== undefined)) await read();
    },
    dispose() {
      stopped.abort();
      clearTimeout(timer);
      for (const disposable of [...watchers, ...listeners, diagnostics]) disposable.dispose();
    },
  };
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

function watch(pattern: vscode.RelativePattern, changed: () => void): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher(pattern);
  const { onDidCreate, onDidChange, onDidDelete } = watcher;
  return vscode.Disposable.from(watcher, ...[onDidCreate, onDidChange, onDidDelete].map((event) => event(changed)));
}

/** Not its changes: a folder changes with whatever is in it. */
function watchComing(pattern: vscode.RelativePattern, came: () => void): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher(pattern, false, true, false);
  return vscode.Disposable.from(watcher, watcher.onDidCreate(came), watcher.onDidDelete(came));
}

function show(collection: vscode.DiagnosticCollection, problems: readonly DefinitionProblem[]): void {
  const byFile = new Map<string, vscode.Diagnostic[]>();
  for (const problem of problems) {
    const known = byFile.get(problem.file) ?? [];
    byFile.set(problem.file, [...known, toDiagnostic(problem)]);
  }
  collection.clear();
  collection.set([...byFile].map(([file, found]) => [vscode.Uri.file(file), found]));
}

function toDiagnostic({ line, severity, message }: DefinitionProblem): vscode.Diagnostic {
  const place = new vscode.Range(line - 1, 0, line - 1, Number.MAX_SAFE_INTEGER);
  const level = severity === 'error' ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning;
  const diagnostic = new vscode.Diagnostic(place, message, level);
  diagnostic.source = 'Offshoot';
  return diagnostic;
}
