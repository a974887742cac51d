import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { AgentEvent, EventBody } from '../../../src/agent/loop/events.ts';
import { readJournal } from '../../../src/agent/store/journal/readJournal.ts';

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'offshoot-store-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export function stamped(seq: number, body: EventBody, agent = 'lead'): AgentEvent {
  return { ...body, session: 's1', agent, parent: agent === 'lead' ? null : 'lead', seq, time: 1_000 + seq };
}

export function notice(seq: number, text = `note ${seq} — 注意 😀`): AgentEvent {
  return stamped(seq, { type: 'notice', level: 'info', text });
}

export type Reading = { readonly seqs: readonly number[]; readonly problems: readonly string[] };

export async function readAll(path: string): Promise<Reading> {
  const problems: string[] = [];
  const seqs: number[] = [];
  for await (const event of readJournal(path, { onProblem: (problem) => problems.push(problem.message) }))
    seqs.push(event.seq);
  return { seqs, problems };
}

export const numbers = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);
