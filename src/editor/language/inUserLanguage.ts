import * as vscode from 'vscode';
import { createSay, type Say } from './say.ts';
import { sentences } from './sentences.ts';

const asItIs: Say = (text) => text;

/** Says what the agent says to people in the language of the editor. For much of it: make it once. */
export function createLanguage(): Say {
  if (vscode.l10n.bundle === undefined) return asItIs;
  return createSay(sentences(), (sentence, ...values) => vscode.l10n.t(sentence, ...values));
}

export function inUserLanguage(text: string): string {
  return createLanguage()(text);
}

/** What an error says to people. */
export function messageOf(error: unknown): string {
  return inUserLanguage(error instanceof Error ? error.message : String(error));
}
