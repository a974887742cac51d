import * as vscode from 'vscode';
import type { DeskEntry, WorktreeDesk } from '../../agent/index.ts';
import { messageOf } from '../language/inUserLanguage.ts';
import { type Done, worktreeActions } from './actions.ts';

/** Asks what is to be done with a worktree, does it, and tells what came of it. */
export async function handleEntry(
  entry: DeskEntry,
  desk: WorktreeDesk,
  report: (text: string, cause?: unknown) => void,
  signal: AbortSignal,
): Promise<void> {
  const { record, isInUse } = entry;
  if (isInUse) {
    const text = vscode.l10n.t('{0} works in it. Stop the agent first, or wait for its end.', record.name);
    await vscode.window.showInformationMessage(text);
    return;
  }
  const actions = worktreeActions(entry, desk, signal);
  const chosen = await vscode.window.showQuickPick(actions, { title: record.branch });
  if (!chosen) return;
  try {
    await tell(await chosen.run());
  } catch (error) {
    report(`The worktree ${record.path}`, error);
    await vscode.window.showErrorMessage(messageOf(error));
  }
}

async function tell(done: Done): Promise<void> {
  if (done === undefined) return;
  const { text, isWarning, next } = done;
  const say = isWarning ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
  const buttons = next ? [next.label] : [];
  if ((await say(text, ...buttons)) === next?.label && next) await tell(await next.run());
}
