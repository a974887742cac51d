import { expect, onTestFinished } from 'vitest';
import type { AgentEvent, EventBody } from '../../../../src/agent/loop/events.ts';
import type { Message } from '../../../../src/agent/messages/types.ts';
import { systemClock } from '../../../../src/agent/node/clock.ts';
import type { HistoryIndex } from '../../../../src/agent/store/index/contract.ts';
import { loadSqlite, type OpenDatabase } from '../../../../src/agent/store/index/database.ts';
import { IndexEngine } from '../../../../src/agent/store/index/engine.ts';
import { openIndex } from '../../../../src/agent/store/index/open.ts';
import { openJournal } from '../../../../src/agent/store/journal/journal.ts';
import { journalPath } from '../../../../src/agent/store/sessions.ts';

export const signal = AbortSignal.timeout(60_000);

export type Author = { readonly agent?: string; readonly session?: string; readonly time?: number };
export type Entry = EventBody & { readonly as?: Author };

/** Appends to a session's journal, as a window does. Times rise by a second an event. */
export async function record(state: string, id: string, bodies: readonly Entry[], from = 1): Promise<void> {
  const journal = await openJournal(journalPath(state, id), { onProblem: (text) => expect.unreachable(text) });
  const writing = bodies.map(({ as, ...body }, index) => {
    const seq = from + index;
    const { agent = 'lead', session = id, time = 1_000_000 + seq * 1000 } = as ?? {};
    const event: AgentEvent = { ...body, session, agent, parent: agent === 'lead' ? null : 'lead', seq, time };
    return journal.append(event, 'lazy');
  });
  await Promise.all(writing);
  await journal.close();
}

export const said = (text: string, role: 'user' | 'assistant' = 'user'): Message => ({
  role,
  content: [{ type: 'text', text }],
});

export const message = (text: string, as?: Author, step = 0): Entry => ({
  ...{ type: 'message-append', step, message: said(text) },
  ...(as && { as }),
});

export const begin = (title: string, workspace = '/code'): Entry => ({ type: 'session-start', workspace, title });

let sqlite: Promise<OpenDatabase> | undefined;

/** The index without its thread, which starts slowly. */
export async function openEngine(state: string, notices: string[] = []): Promise<IndexEngine> {
  sqlite ??= loadSqlite();
  const engine = new IndexEngine({
    stateDirectory: state,
    openDatabase: await sqlite,
    clock: systemClock,
    onNotice: (text) => notices.push(text),
  });
  onTestFinished(() => engine.close());
  return engine;
}

export function openThread(state: string, notices: string[] = []): HistoryIndex {
  const index = openIndex({ stateDirectory: state, onNotice: (text) => notices.push(text) });
  onTestFinished(() => index.close());
  return index;
}

export async function find(index: Pick<HistoryIndex, 'search'>, text: string): Promise<readonly string[]> {
  const { hits } = await index.search(text, { limit: 100 }, signal);
  return hits.map((hit) => `${hit.session}/${hit.seq}`);
}
