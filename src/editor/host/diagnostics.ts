import { sep } from 'node:path';
import * as vscode from 'vscode';
import type { Diagnostic, Diagnostics } from '../../agent/index.ts';

/** What the language services of the editor found. */
export function createEditorDiagnostics(): Diagnostics {
  return {
    async list(path, signal) {
      signal.throwIfAborted();
      const found: Diagnostic[] = [];
      for (const [uri, diagnostics] of vscode.languages.getDiagnostics()) {
        if (uri.scheme !== 'file' || !isWithin(uri.fsPath, path)) continue;
        for (const diagnostic of diagnostics) found.push(toDiagnostic(uri.fsPath, diagnostic));
      }
      return found.sort((a, b) => compare(a.path, b.path) || a.line - b.line || a.column - b.column);
    },
  };
}

function isWithin(path: string, folder: string | undefined): boolean {
  return folder === undefined || path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function toDiagnostic(path: string, diagnostic: vscode.Diagnostic): Diagnostic {
  return {
    path,
    line: diagnostic.range.start.line + 1,
    column: diagnostic.range.start.character + 1,
    severity: severityOf(diagnostic.severity),
    message: diagnostic.message,
    ...(diagnostic.source !== undefined && { source: diagnostic.source }),
  };
}

function severityOf(severity: vscode.DiagnosticSeverity): Diagnostic['severity'] {
  switch (severity) {
    case vscode.DiagnosticSeverity.Error:
      return 'error';
    case vscode.DiagnosticSeverity.Warning:
      return 'warning';
    case vscode.DiagnosticSeverity.Information:
      return 'information';
    case vscode.DiagnosticSeverity.Hint:
      return 'hint';
  }
}
