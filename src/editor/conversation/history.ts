import { sep } from 'node:path';
import * as vscode from 'vscode';
import { listSessions, type SessionSummary } from '../../agent/index.ts';
import { readWorkspace } from '../host/workspaceFolders.ts';
import type { Conversation } from './conversation.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Lets the user choose an earlier conversation of these folders, and shows it. */
export async function openHistory(
  conversation: Pick<Conversation, 'current' | 'openPast'>,
  stateDirectory: string,
): Promise<void> {
  const workspace = await readWorkspace();
  const roots = new Set(workspace?.roots ?? []);
  const sessions = (await listSessions(stateDirectory)).filter((session) => roots.has(session.workspace));
  if (sessions.length === 0) {
    await vscode.window.showInformationMessage(vscode.l10n.t('There are no conversations in this folder yet.'));
    return;
  }
  const now = Date.now();
  const items = sessions.map((session) => toItem(session, now, session.id === conversation.current()));
  const title = vscode.l10n.t('Open Conversation');
  const placeHolder = vscode.l10n.t(
    'Conversations in {0}',
    [...roots].map((root) => root.split(sep).at(-1)).join(', '),
  );
  const chosen = await vscode.window.showQuickPick(items, { title, placeHolder, matchOnDescription: true });
  if (chosen) await conversation.openPast(chosen.session);
}

function toItem(session: SessionSummary, now: number, isCurrent: boolean) {
  return {
    label: session.title,
    description: isCurrent ? vscode.l10n.t('open now') : age(now - session.updatedAt),
    session: session.id,
  };
}

function age(ms: number): string {
  const { language } = vscode.env;
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  if (ms < hour) return format.format(-Math.floor(ms / minute), 'minute');
  return ms < day ? format.format(-Math.floor(ms / hour), 'hour') : format.format(-Math.floor(ms / day), 'day');
}
