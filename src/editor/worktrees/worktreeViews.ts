import { realpath } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { DeskEntry, WorktreeDesk } from '../../agent/index.ts';
import { localFolders } from '../host/workspaceFolders.ts';
import { handleEntry } from './handleEntry.ts';

/** The worktrees of agents, as the user sees and handles them. */
export type WorktreeViews = {
  /** A list, and what can be done with the one that is chosen. */
  show(): Promise<void>;
  dispose(): void;
};

/** Looks at once for what a crash has left, and tells it. */
export function createWorktreeViews(
  desk: WorktreeDesk,
  report: (text: string, cause?: unknown) => void,
): WorktreeViews {
  const stopped = new AbortController();
  const { signal } = stopped;

  async function lookForLeftovers(): Promise<void> {
    if (!vscode.workspace.isTrusted) return;
    const kept = await desk.reconcile(signal);
    if (kept.length === 0) return;
    const text =
      kept.length === 1
        ? vscode.l10n.t('The worktree {0} of an agent that was interrupted is kept.', kept[0]?.branch ?? '')
        : vscode.l10n.t('{0} worktrees of agents that were interrupted are kept.', kept.length);
    const open = vscode.l10n.t('Show Worktrees');
    if ((await vscode.window.showInformationMessage(text, open)) === open) await show();
  }

  async function show(): Promise<void> {
    const entries = await readEntries();
    if (entries.length === 0) {
      await vscode.window.showInformationMessage(vscode.l10n.t('No agent has left a worktree here.'));
      return;
    }
    const title = vscode.l10n.t('Worktrees of Agents');
    const items = entries.map((entry) => toItem(entry));
    const placeHolder = vscode.l10n.t('Which worktree?');
    const chosen = await vscode.window.showQuickPick(items, { title, placeHolder, matchOnDescription: true });
    if (chosen) await handleEntry(chosen.entry, desk, report, signal);
  }

  async function readEntries(): Promise<readonly DeskEntry[]> {
    if (!vscode.workspace.isTrusted) return [];
    const roots = await Promise.all(localFolders().map(({ uri }) => realpath(uri.fsPath)));
    const title = vscode.l10n.t('Looking at the worktrees of agents…');
    const location = vscode.ProgressLocation.Window;
    return vscode.window.withProgress({ location, title }, () => desk.list(roots, signal));
  }

  const look = () =>
    void lookForLeftovers().catch((error) => {
      if (!signal.aborted) report('The worktrees of earlier runs could not be looked at', error);
    });
  look();
  const trust = vscode.workspace.onDidGrantWorkspaceTrust(look);
  return {
    show,
    dispose() {
      stopped.abort();
      trust.dispose();
    },
  };
}

type Item = vscode.QuickPickItem & { readonly entry: DeskEntry };

function toItem(entry: DeskEntry): Item {
  const { record } = entry;
  const detail = [record.description, record.path].filter((part) => part !== '').join(' · ');
  return { label: record.branch, description: stateWords(entry), detail, entry };
}

function stateWords({ isInUse, state }: DeskEntry): string {
  if (isInUse) return vscode.l10n.t('an agent works in it');
  if (!state) return vscode.l10n.t('damaged');
  const files =
    state.files.length === 1 ? vscode.l10n.t('1 file changed') : vscode.l10n.t('{0} files changed', state.files.length);
  return state.commits === 0 ? files : `${files}, ${vscode.l10n.t('commits: {0}', state.commits)}`;
}
