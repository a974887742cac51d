import type { AgentEvent } from '../../loop/events.ts';
import { readJournal } from '../../store/journal/readJournal.ts';
import { addFact, noFacts, type SessionFacts } from '../../store/sessions/facts.ts';
import { readLabel } from '../../store/sessions/label.ts';
import { journalPath } from '../../store/sessions.ts';
import { toEntries } from './entries.ts';
import { MarkdownExport } from './markdown.ts';

export type ExportFormat = 'markdown' | 'json';

/**
 * A conversation for people or programs, piece by piece, while it is read. A session that somebody writes is exported as far
 * as it is on disk.
 * @throws when the journal cannot be read, or the signal aborts
 */
export async function* exportSession(
  state: string,
  session: string,
  format: ExportFormat,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  const path = journalPath(state, session);
  const events = readJournal(path, { onProblem: () => undefined, signal });
  const title = (await readLabel(state, session)).title;
  if (format === 'json') yield* toJson(session, title, events);
  else yield* toMarkdown(title, events);
}

async function* toJson(session: string, title: string | undefined, events: AsyncIterable<AgentEvent>) {
  yield `{\n"format": "offshoot-conversation",\n"version": 1,\n"id": ${JSON.stringify(session)},\n"entries": [`;
  let facts: SessionFacts = noFacts;
  let separator = '\n';
  for await (const event of events) {
    facts = addFact(facts, event, session);
    for (const entry of toEntries(event)) {
      yield `${separator}${JSON.stringify(entry)}`;
      separator = ',\n';
    }
  }
  const { workspace, startedAt, updatedAt, status, turns, usd, hasUnpriced, from } = facts;
  const about = { title: title || facts.title, workspace, startedAt, updatedAt, status, turns };
  const more = { agents: facts.agents.length, cost: { usd, isWhole: !hasUnpriced }, branchedFrom: from ?? null };
  const fields = Object.entries({ ...about, ...more }).map(([key, value]) => `"${key}": ${JSON.stringify(value)}`);
  yield `\n],\n${fields.join(',\n')}\n}\n`;
}

async function* toMarkdown(title: string | undefined, events: AsyncIterable<AgentEvent>) {
  const markdown = new MarkdownExport(title);
  for await (const event of events) yield* markdown.add(event);
  yield* markdown.end();
}
