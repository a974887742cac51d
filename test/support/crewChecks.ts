/** What must hold after a crew was killed, and after it has gone on. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { AgentEvent } from '../../src/agent/index.ts';
import { readJournal } from '../../src/agent/store/journal/readJournal.ts';
import { allMarks } from './crew.ts';
import type { MessagesBody, RecordedRequest } from './scriptedModel.ts';
import { ofType } from './startSession.ts';

type JournalContent = { readonly events: readonly AgentEvent[]; readonly problems: readonly string[] };

/** Ids, the oldest first. */
export async function sessionsIn(state: string): Promise<readonly string[]> {
  const names = await readdir(join(state, 'sessions')).catch(() => []);
  return names.flatMap((name) => (name.endsWith('.jsonl') ? [name.slice(0, -'.jsonl'.length)] : [])).sort();
}

export async function readSession(state: string, session: string): Promise<JournalContent> {
  const events: AgentEvent[] = [];
  const problems: string[] = [];
  const onProblem = ({ message }: { message: string }) => problems.push(message);
  for await (const event of readJournal(join(state, 'sessions', `${session}.jsonl`), { onProblem })) events.push(event);
  return { events, problems };
}

export async function readMarks(workspace: string): Promise<readonly string[]> {
  return (await readFile(join(workspace, 'marks'), 'utf8').catch(() => '')).split('\n').filter(Boolean);
}

/** What a model was told, and a mark that was left: each is in the journal. */
export function expectNothingMissing(
  { events }: JournalContent,
  bodies: readonly MessagesBody[],
  marks: readonly string[],
): void {
  const written = JSON.stringify(events.filter(({ type }) => type === 'message-append'));
  for (const { messages } of bodies) {
    for (const { content } of messages) {
      for (const block of typeof content === 'string' ? [] : content) {
        if (block.type === 'tool_result') expect(written).toContain(`"tool_use_id":"${block.tool_use_id}"`);
        else if (block.type === 'text') expect(written).toContain(JSON.stringify(block.text));
      }
    }
  }
  const commands = JSON.stringify(ofType(events, 'tool-start').map(({ input }) => input.command));
  for (const mark of marks) expect(commands).toContain(`echo ${mark} >>`);
}

/** Nothing ran twice, what ended well has left its mark, and a strict server had nothing to say. */
export function expectDoneOnce(
  { events, problems }: JournalContent,
  requests: readonly RecordedRequest[],
  marks: readonly string[],
): void {
  expect(requests.filter(({ status }) => status !== undefined && status >= 400)).toEqual([]);
  expect(marks).toEqual([...new Set(marks)]);
  const calls = ofType(events, 'tool-start').filter(({ tool }) => tool === 'Bash');
  expect(calls.map(({ input }) => input.command).sort()).toEqual(allMarks.map((mark) => `echo ${mark} >> marks`));
  const ended = new Map(ofType(events, 'tool-end').map(({ call, status }) => [call, status]));
  for (const { call, input } of calls) {
    if (ended.get(call) === 'ok') expect(marks).toContain(String(input.command).split(' ')[1]);
    else expect(ended.get(call)).toBe('cancelled');
  }
  // The record that the kill cut short is all that may be told.
  expect(problems.filter((problem) => !problem.includes('not finished'))).toEqual([]);
}
