import { realpath } from 'node:fs/promises';
import { basename } from 'node:path';
import * as vscode from 'vscode';

/** The document of a file that is open in the editor, also when it was opened through a link. */
export async function openDocument(path: string): Promise<vscode.TextDocument | undefined> {
  const candidates = vscode.workspace.textDocuments.filter(({ uri, isClosed }) => uri.scheme === 'file' && !isClosed);
  const exact = candidates.find(({ uri }) => uri.fsPath === path);
  if (exact) return exact;
  for (const document of candidates) {
    if (basename(document.uri.fsPath).toLowerCase() !== basename(path).toLowerCase()) continue;
    const place = await realpath(document.uri.fsPath).catch(() => undefined);
    if (place === path) return document;
  }
  return undefined;
}

/** Replaces only what differs, so that the cursor, folds and undo of the user survive. @returns whether it was applied */
export async function replaceText(document: vscode.TextDocument, text: string): Promise<boolean> {
  const { start, end, inserted } = changedSpan(document.getText(), text);
  if (start === end && inserted === '') return true;
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(document.positionAt(start), document.positionAt(end)), inserted);
  return vscode.workspace.applyEdit(edit);
}

/** The span of `before` that has to go and what comes in its place; never between the halves of a line end or of a character. */
export function changedSpan(before: string, after: string): { start: number; end: number; inserted: string } {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  if (head > 0 && isFirstHalf(before[head - 1])) head -= 1;
  let tail = 0;
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  if (tail > 0 && isSecondHalf(before[before.length - tail])) tail -= 1;
  return { start: head, end: before.length - tail, inserted: after.slice(head, after.length - tail) };
}

function isFirstHalf(character: string | undefined): boolean {
  return character !== undefined && /[\r\ud800-\udbff]/.test(character);
}

function isSecondHalf(character: string | undefined): boolean {
  return character !== undefined && /[\n\udc00-\udfff]/.test(character);
}
