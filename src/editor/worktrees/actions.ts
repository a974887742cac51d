import { join } from 'node:path';
import * as vscode from 'vscode';
import type { DeskEntry, WorktreeDesk } from '../../agent/index.ts';
import { findGitApi } from '../host/git.ts';

/** What to tell the user in the end; undefined: nothing. */
export type Done =
  | {
      readonly text: string;
      readonly isWarning: boolean;
      readonly next?: { readonly label: string; run(): Promise<Done> };
    }
  | undefined;

type Action = vscode.QuickPickItem & { run(): Promise<Done> };

/** What can be done with a worktree whose agent has ended. */
export function worktreeActions(entry: DeskEntry, desk: WorktreeDesk, signal: AbortSignal): readonly Action[] {
  const { record, state } = entry;
  const discard = {
    label: `$(trash) ${vscode.l10n.t('Discard…')}`,
    detail: vscode.l10n.t('Deletes the folder and the branch, for good.'),
    run: () => confirmDiscard(entry, desk, signal),
  };
  const openFolder = {
    label: `$(folder-opened) ${vscode.l10n.t('Open Folder in New Window')}`,
    async run() {
      await vscode.commands.executeCommand('vscode.openFolder', vscode.Uri.file(record.path), { forceNewWindow: true });
      return undefined;
    },
  };
  if (!state) return [{ ...openFolder, detail: entry.problem ?? '' }, discard];
  return [
    { label: `$(diff-multiple) ${vscode.l10n.t('Show Changes')}`, run: () => showChanges(entry) },
    {
      label: `$(diff) ${vscode.l10n.t('Apply to the Checkout')}`,
      detail: vscode.l10n.t('Its changes come into your files, three-way and uncommitted.'),
      run: () => apply(entry, desk, signal),
    },
    {
      label: `$(git-merge) ${vscode.l10n.t('Merge')}`,
      detail: vscode.l10n.t('Commits what is not committed there, and merges its branch into yours. No hooks run.'),
      run: () => merge(entry, desk, signal),
    },
    openFolder,
    discard,
  ];
}

async function showChanges({ record, state }: DeskEntry): Promise<Done> {
  const api = await findGitApi();
  const changes = (state?.files ?? []).map((file) => {
    const now = vscode.Uri.file(join(record.path, file));
    const before = api?.toGitUri(vscode.Uri.file(join(record.main, file)), record.base);
    return [now, state?.added.includes(file) ? undefined : before, state?.removed.includes(file) ? undefined : now];
  });
  if (changes.length === 0) return { text: vscode.l10n.t('Nothing is changed in it.'), isWarning: false };
  await vscode.commands.executeCommand('vscode.changes', record.branch, changes);
  return undefined;
}

async function apply(entry: DeskEntry, desk: WorktreeDesk, signal: AbortSignal): Promise<Done> {
  const end = await desk.apply(entry.record, signal);
  if (end.outcome !== 'done') return notDone(end);
  return {
    text: vscode.l10n.t(
      'What {0} changed is in the checkout, uncommitted: {1}.',
      entry.record.branch,
      end.files.join(', '),
    ),
    isWarning: false,
    next: { label: vscode.l10n.t('Discard Worktree…'), run: () => confirmDiscard(entry, desk, signal) },
  };
}

async function merge(entry: DeskEntry, desk: WorktreeDesk, signal: AbortSignal): Promise<Done> {
  const end = await desk.merge(entry.record, signal);
  if (end.outcome !== 'done') return notDone(end);
  return {
    text: vscode.l10n.t('{0} is merged.', entry.record.branch),
    isWarning: false,
    next: {
      label: vscode.l10n.t('Remove Worktree'),
      async run() {
        await desk.removeMerged(entry.record, signal);
        return { text: vscode.l10n.t('The worktree {0} is removed.', entry.record.branch), isWarning: false };
      },
    },
  };
}

function notDone(
  end:
    | { readonly outcome: 'conflict'; readonly files: readonly string[] }
    | { readonly outcome: 'refused'; readonly reason: string },
): Done {
  if (end.outcome === 'refused')
    return { text: vscode.l10n.t('Nothing was changed: {0}', end.reason), isWarning: true };
  return {
    text: vscode.l10n.t('There are conflicts in {0}. Settle them in the Source Control view.', end.files.join(', ')),
    isWarning: true,
    next: {
      label: vscode.l10n.t('Open Source Control'),
      async run() {
        await vscode.commands.executeCommand('workbench.view.scm');
        return undefined;
      },
    },
  };
}

async function confirmDiscard({ record, state }: DeskEntry, desk: WorktreeDesk, signal: AbortSignal): Promise<Done> {
  const lost = state
    ? vscode.l10n.t('Lost for good: changed files: {0}, commits: {1}.', state.files.length, state.commits)
    : vscode.l10n.t('What is in it cannot be told, and is lost for good.');
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t('Discard {0}', record.branch),
    prompt: `${lost} ${vscode.l10n.t('Type {0} to confirm.', record.branch)}`,
    ignoreFocusOut: true,
    validateInput: (text) =>
      text === '' || record.branch.startsWith(text) ? undefined : vscode.l10n.t('This is not its name.'),
  });
  if (typed !== record.branch) return undefined;
  await desk.discard(record, signal);
  return { text: vscode.l10n.t('The worktree {0} is removed.', record.branch), isWarning: false };
}
