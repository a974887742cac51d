import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSessionList, forkSession, systemClock } from '../../../src/agent/index.ts';
import { readJournal } from '../../../src/agent/store/journal/readJournal.ts';
import { call, delegate, say, text } from '../../support/answers.ts';
import type { Script } from '../../support/scriptedModel.ts';
import { ofType, startSession } from '../../support/startSession.ts';

const signal = new AbortController().signal;
const long = Array.from({ length: 9000 }, (_, line) => `line ${line}`).join('\n');

const script: Script = ({ step, prompt, tools }) => {
  if (!tools.includes('Agent')) return say(text(`report on: ${prompt}`));
  if (prompt === 'look' && step === 0) return say(delegate('look around', { name: 'scout' }));
  if (prompt === 'long' && step === 0) return say(call('Bash', { command: 'cat long.txt' }));
  if (prompt.startsWith('resume') && step === 0) return say(delegate('more', { resume: prompt.slice(7) }));
  return say(text(`re: ${prompt}`));
};

async function three() {
  const started = await startSession({ script, files: { 'long.txt': long } });
  for (const prompt of ['look', 'long', 'last']) await started.session.send(prompt);
  const fork = (turn: number, side: 'before' | 'after', title?: string) =>
    forkSession(
      { stateDirectory: started.state, clock: systemClock },
      started.session.id,
      { turn, side },
      signal,
      title,
    );
  return { ...started, fork };
}

describe('a branch', () => {
  it('has the beginning of its source, goes on against a strict server, and the source stays as it was', async () => {
    const { session, model, state, fork, reopen } = await three();
    const path = join(state, 'sessions', `${session.id}.jsonl`);
    const before = await readFile(path, 'utf8');
    const id = await fork(2, 'after');
    const branch = await reopen(id);
    expect(ofType(branch.events(), 'turn-start').map(({ prompt }) => prompt)).toEqual(['look', 'long']);
    expect((await branch.send('other')).status).toBe('completed');
    const sent = JSON.stringify(model.bodies().at(-1)?.messages);
    expect([sent.includes('re: long'), sent.includes('"last"'), sent.includes('other')]).toEqual([true, false, true]);
    expect(ofType(branch.events(), 'session-start')).toMatchObject([
      { session: id, title: 'look', from: { session: session.id, turn: 2, title: 'look' } },
    ]);
    expect(await readFile(path, 'utf8')).toBe(before);
  });

  it('from before the first turn has nothing but where it is from', async () => {
    const { fork, reopen, model } = await three();
    const branch = await reopen(await fork(1, 'before'));
    expect(branch.events().map(({ type }) => type)).toEqual(['session-start']);
    await branch.send('anew');
    expect(model.bodies().at(-1)?.messages).toHaveLength(1);
  });

  it('is whole: its journal has no damage, and its numbers rise', async () => {
    const { state, fork } = await three();
    const problems: unknown[] = [];
    const seqs: number[] = [];
    const path = join(state, 'sessions', `${await fork(3, 'after')}.jsonl`);
    for await (const event of readJournal(path, { onProblem: (problem) => problems.push(problem) }))
      seqs.push(event.seq);
    expect(problems).toEqual([]);
    expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b));
  });

  it('lets its agents go on, and reads results that were kept as files even when the source is gone', async () => {
    const { session, state, fork, reopen, model } = await three();
    const [scout] = ofType(session.events(), 'agent-start').filter(({ parent }) => parent !== null);
    const id = await fork(2, 'after');
    const branch = await reopen(id);
    await branch.send(`resume ${scout?.agent}`);
    expect(JSON.stringify(model.bodies().at(-2)?.messages)).toContain('report on: look around');
    const [kept] = ofType(branch.events(), 'tool-end').flatMap(({ artifact }) => artifact ?? []);
    expect(kept).toContain(join('artifacts', id));
    expect(await readFile(kept ?? '', 'utf8')).toContain('line 8999');
    expect(JSON.stringify(branch.events())).not.toContain(join('artifacts', session.id));
    expect(await readdir(join(state, 'artifacts'))).toContain(session.id);
  });

  it('does not pay again for what it has copied', async () => {
    const { session, state, fork, reopen } = await three();
    const list = createSessionList(state, systemClock);
    const branch = await reopen(await fork(3, 'after'));
    await branch.send('cheap');
    await branch.close();
    await list.update(signal);
    const costs = new Map((await list.read(signal)).map(({ id, usd }) => [id, usd]));
    const own = ofType(branch.events(), 'usage-update').filter((event) => event.session === branch.id);
    const cost = (events: readonly { readonly cost: number | undefined }[]) =>
      events.reduce((sum, event) => sum + (event.cost ?? 0), 0);
    expect(costs.get(branch.id)).toBeCloseTo(cost(own), 10);
    expect(costs.get(session.id)).toBeCloseTo(cost(ofType(session.events(), 'usage-update')), 10);
    expect(own).toHaveLength(1);
  });

  it('is refused from a turn that is not there, and nothing is left of the attempt', async () => {
    const { state, fork } = await three();
    const before = await readdir(join(state, 'sessions'));
    await expect(fork(9, 'before')).rejects.toThrow(/no turn 9/);
    expect(await readdir(join(state, 'sessions'))).toEqual(before);
  });

  it('keeps signed thinking word for word', async () => {
    const { session, state, fork, reopen } = await three();
    const path = join(state, 'sessions', `${session.id}.jsonl`);
    const thinking = `It is in ${join('artifacts', session.id, 'x')}.`;
    const { encodeRecord } = await import('../../../src/agent/store/journal/record.ts');
    const events = [...session.events()];
    const said = events.findIndex((event) => event.type === 'message-append' && event.message.role === 'assistant');
    const event = events[said];
    if (event?.type !== 'message-append') throw new Error('nothing was said');
    const content = [{ type: 'thinking', thinking, signature: 's' }, ...event.message.content];
    events[said] = { ...event, message: { role: 'assistant', content } } as typeof event;
    await session.close();
    await writeFile(path, events.map((each, index) => `${encodeRecord(index + 1, each)}\n`).join(''));
    expect(JSON.stringify((await reopen(await fork(3, 'after'))).events())).toContain(JSON.stringify(thinking));
  });
});
