import * as vscode from 'vscode';
import { type AgentEvent, createEarlierReader, lacksBeginning, type Session } from '../../../agent/index.ts';
import type { EarlierPart } from '../../../webview/protocol.ts';
import { messageOf } from '../../language/inUserLanguage.ts';

const patienceMs = 60_000;

type Open = Pick<Session, 'id' | 'events'>;

/** Reads what was before the transcripts of the session that shows. */
export type EarlierTurns = {
  /** @throws Error for people */
  read(before: number, agent: string): Promise<EarlierPart>;
  /** Of an agent that is not remembered any more; empty for the others. Never rejects. */
  beginning(session: Open, agent: string | undefined): Promise<readonly AgentEvent[]>;
};

export function createEarlier(stateDirectory: string, current: () => Open | undefined): EarlierTurns {
  const reader = createEarlierReader(stateDirectory);
  return {
    async read(before, agent) {
      const session = current();
      if (!session) throw new Error(vscode.l10n.t('This conversation is not open any more.'));
      const query = { session: session.id, before, agent, parents: parentsOf(session) };
      try {
        const part = await reader.read(query, AbortSignal.timeout(patienceMs));
        return { session: session.id, ...part };
      } catch (error) {
        const reason = messageOf(error);
        throw new Error(vscode.l10n.t('What was earlier could not be read: {0}', reason));
      }
    },
    async beginning(session, agent) {
      if (agent === undefined || !lacksBeginning(session.events(), agent)) return [];
      // Without it the transcript says that the agent is not there.
      return reader.readBeginning(session.id, agent, AbortSignal.timeout(patienceMs)).catch(() => []);
    },
  };
}

function parentsOf(session: Pick<Session, 'events'>): ReadonlyMap<string, string> {
  const parents = new Map<string, string>();
  for (const { agent, parent } of session.events()) if (parent !== null) parents.set(agent, parent);
  return parents;
}
