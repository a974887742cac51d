import * as vscode from 'vscode';
import { createEarlierReader, type Session } from '../../agent/index.ts';
import type { EarlierPart } from '../../webview/protocol.ts';

const patienceMs = 60_000;

/** Reads what was before the transcripts of the session that shows. */
export function createEarlier(
  stateDirectory: string,
  current: () => Pick<Session, 'id' | 'events'> | undefined,
): (before: number, agent: string) => Promise<EarlierPart> {
  const reader = createEarlierReader(stateDirectory);
  return async (before, agent) => {
    const session = current();
    if (!session) throw new Error(vscode.l10n.t('This conversation is not open any more.'));
    const query = { session: session.id, before, agent, parents: parentsOf(session) };
    try {
      const part = await reader.read(query, AbortSignal.timeout(patienceMs));
      return { session: session.id, ...part };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(vscode.l10n.t('What was earlier could not be read: {0}', reason));
    }
  };
}

function parentsOf(session: Pick<Session, 'events'>): ReadonlyMap<string, string> {
  const parents = new Map<string, string>();
  for (const { agent, parent } of session.events()) if (parent !== null) parents.set(agent, parent);
  return parents;
}
