import * as vscode from 'vscode';
import { findOldSessions, type OldSession, removeOldSession, systemClock } from '../../agent/index.ts';
import type { Log } from '../log/log.ts';

export type CleanUpParts = {
  readonly stateDirectory: string;
  /** 0: nothing is deleted by itself. */
  readonly retentionDays: () => number;
  /** The conversation that shows. */
  readonly current: () => string | undefined;
  readonly log: Log;
};

/** Deletes conversations in which nothing has happened for long; a day long they can be had back from the trash. */
export type CleanUp = {
  /** Shows what would be deleted, and deletes what the user leaves chosen. */
  ask(): Promise<void>;
  dispose(): void;
};

const suggestedDays = 90;
const maxDays = 3650;
/** Nobody waits for it. */
const firstLookMs = 60_000;
const timeoutMs = 120_000;

export function createCleanUp(parts: CleanUpParts): CleanUp {
  const { stateDirectory, retentionDays, log } = parts;
  const find = (days: number) => {
    const open = new Set([parts.current()].filter((id) => id !== undefined));
    return findOldSessions(stateDirectory, days, open, systemClock, AbortSignal.timeout(timeoutMs));
  };

  async function remove(sessions: readonly OldSession[], why: string): Promise<number> {
    let count = 0;
    for (const session of sessions) {
      if (session.id === parts.current()) continue;
      if (!(await removeOldSession(stateDirectory, session, systemClock))) continue;
      count += 1;
      log.info(
        `Deleted the conversation ${session.id} (${why}; last used ${new Date(session.updatedAt).toISOString()}).`,
      );
    }
    return count;
  }

  async function removeByItself(): Promise<void> {
    const days = retentionDays();
    if (days > 0) await remove(await find(days), `store.retentionDays is ${days}`);
  }

  const timer = setTimeout(() => {
    removeByItself().catch((error: unknown) => log.error('Old conversations could not be deleted', error));
  }, firstLookMs);

  return {
    async ask() {
      const days = await askForDays(retentionDays() || suggestedDays);
      if (days === undefined) return;
      const found = await find(days);
      if (found.length === 0) {
        const text = vscode.l10n.t('There are no conversations that old, or they are pinned or in use.');
        return void vscode.window.showInformationMessage(text);
      }
      const chosen = await choose(found);
      if (!chosen || chosen.length === 0) return;
      const count = await remove(chosen, 'chosen by the user');
      const said = vscode.l10n.t('{0} of {1} conversations were moved to the trash for a day.', count, chosen.length);
      void vscode.window.showInformationMessage(said);
    },
    dispose: () => clearTimeout(timer),
  };
}

async function askForDays(suggested: number): Promise<number | undefined> {
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t('Clean up old conversations'),
    prompt: vscode.l10n.t('Days without anything new in a conversation; the next step shows which these are.'),
    value: String(suggested),
    validateInput: (value) =>
      isDays(value) ? undefined : vscode.l10n.t('A whole number from {0} to {1} is wanted.', 1, maxDays),
  });
  return typed === undefined ? undefined : Number(typed);
}

function isDays(text: string): boolean {
  const days = Number(text.trim());
  return Number.isInteger(days) && days >= 1 && days <= maxDays;
}

async function choose(found: readonly OldSession[]): Promise<readonly OldSession[] | undefined> {
  const items = found.map((session) => ({
    label: session.title,
    description: `${new Date(session.updatedAt).toLocaleDateString(vscode.env.language)} · ${sizeText(session.bytes)}`,
    detail: session.workspace,
    picked: true,
    session,
  }));
  const sum = sizeText(found.reduce((bytes, session) => bytes + session.bytes, 0));
  const chosen = await vscode.window.showQuickPick(items, {
    canPickMany: true,
    matchOnDetail: true,
    title: vscode.l10n.t('Delete these {0} conversations ({1})?', found.length, sum),
    placeHolder: vscode.l10n.t('What stays chosen is deleted.'),
  });
  return chosen?.map(({ session }) => session);
}

function sizeText(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.max(1, Math.round(bytes / 1000))} kB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}
