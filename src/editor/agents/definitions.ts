import * as vscode from 'vscode';
import {
  builtInTools,
  type DefinitionProblem,
  type DefinitionSet,
  definitionFolders,
  loadDefinitions,
  noDefinitions,
  skillFolders,
} from '../../agent/index.ts';
import { localFolders } from '../host/workspaceFolders.ts';
import { watchDefinitionFiles } from './definitionFiles.ts';

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

  readSoon();
  const watching = watchDefinitionFiles(home, readSoon);
  return {
    current: () => current,
    async settled() {
      while (!stopped.signal.aborted && (isStale || reading !== undefined)) await read();
    },
    dispose() {
      stopped.abort();
      clearTimeout(timer);
      vscode.Disposable.from(watching, diagnostics).dispose();
    },
  };
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
