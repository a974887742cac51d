import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/agent/loop/events.ts';
import { createEarlierReader, type Earlier } from '../../../src/agent/session/past/readEarlier.ts';
import { Recollection } from '../../../src/agent/session/past/recollection.ts';
import { lacksBeginning, shownPast } from '../../../src/agent/session/past/shownPast.ts';
import { temporaryFolder } from '../../support/gitFolder.ts';
import { longStory, writeJournal } from '../../support/longStory.ts';

const never = new AbortController().signal;
const story = longStory(12);

async function readAll(
  state: string,
  from: number,
  agent = 'lead',
  limits: Parameters<typeof createEarlierReader>[1] = { least: 4000, most: 20_000 },
): Promise<readonly Earlier[]> {
  const reader = createEarlierReader(state, limits);
  const parts: Earlier[] = [];
  for (let before = from; parts[0]?.isFirst !== true; ) {
    const part = await reader.read({ session: 'long', agent, before, parents: new Map() }, never);
    parts.unshift(part);
    before = part.events[0]?.seq ?? 0;
    if (parts.length > 200) throw new Error('It never comes to the first.');
  }
  return parts;
}

const seqs = (events: readonly AgentEvent[]) => events.map(({ seq }) => seq);
const allOf = (parts: readonly Earlier[]) => parts.flatMap(({ events }) => events);

describe('what was earlier', () => {
  it('is read in portions of whole turns until the first, without what only models read', async () => {
    const state = await temporaryFolder();
    await writeJournal(state, 'long', story);
    const parts = await readAll(state, Number.POSITIVE_INFINITY);
    expect(parts.length).toBeGreaterThan(3);
    expect(seqs(allOf(parts))).toEqual(seqs(story));
    for (const { events } of parts.slice(1)) expect(events[0]).toMatchObject({ type: 'turn-start' });
    expect(JSON.stringify(parts)).not.toContain('"content":"word');
  });

  it('is whole across the blocks of a long journal', async () => {
    const state = await temporaryFolder();
    const long = longStory(12, 4000);
    await writeJournal(state, 'long', long);
    const parts = await readAll(state, Number.POSITIVE_INFINITY, 'lead', {});
    expect(parts.length).toBeGreaterThan(2);
    expect(seqs(allOf(parts))).toEqual(seqs(long));
  });

  it('ends in the middle of a turn that is too long, at a step', async () => {
    const state = await temporaryFolder();
    await writeJournal(state, 'long', story);
    const parts = await readAll(state, Number.POSITIVE_INFINITY, 'lead', { least: 1500, most: 1500 });
    expect(seqs(allOf(parts))).toEqual(seqs(story));
    const begins = new Set(parts.slice(1).map(({ events }) => events[0]?.type));
    expect(begins).toContain('step-start');
  });

  it('is, for an agent, what it and all below it did', async () => {
    const state = await temporaryFolder();
    await writeJournal(state, 'long', story);
    const own = (ids: readonly string[]) => seqs(story.filter(({ agent }) => ids.includes(agent)));
    const limits = { least: 300, most: 600 };
    expect(seqs(allOf(await readAll(state, Number.POSITIVE_INFINITY, 'cccccc', limits)))).toEqual(own(['cccccc']));
    const scout = await readAll(state, Number.POSITIVE_INFINITY, 'a00003', limits);
    expect(scout.length).toBeGreaterThan(1);
    expect(seqs(allOf(scout))).toEqual(own(['a00003', 'b00003']));
    expect(await readAll(state, Number.POSITIVE_INFINITY, 'dddddd')).toEqual([{ events: [], isFirst: true }]);
  });

  it('passes over what is damaged and what stands twice', async () => {
    const state = await temporaryFolder();
    const path = await writeJournal(state, 'long', story);
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
    const twice = [...lines.slice(0, 60), ...lines.slice(50, 60), 'no record', ...lines.slice(61)];
    await writeFile(path, twice.join('\n'));
    await appendFile(path, '\n{"sum":"12');
    const expected = seqs(story).filter((seq) => seq !== 61);
    expect(seqs(allOf(await readAll(state, Number.POSITIVE_INFINITY)))).toEqual(expected);
  });

  it('tells how an agent began that is not remembered any more', async () => {
    const state = await temporaryFolder();
    await writeJournal(state, 'long', story);
    const reader = createEarlierReader(state);
    const types = async (agent: string) =>
      (await reader.readBeginning('long', agent, never)).map(({ type, agent: id }) => `${id} ${type}`);
    expect(await types('cccccc')).toEqual(['cccccc agent-start', 'cccccc agent-detach', 'cccccc agent-end']);
    expect(await types('dddddd')).toEqual([]);
  });

  it('can be given up, and says when the journal is gone', async () => {
    const state = await temporaryFolder();
    const query = { session: 'long', agent: 'lead', before: 9, parents: new Map() };
    await expect(createEarlierReader(state).read(query, never)).rejects.toThrow('ENOENT');
    await writeJournal(state, 'long', story);
    await expect(createEarlierReader(state).read(query, AbortSignal.abort())).rejects.toThrow('abort');
  });
});

describe('what a transcript begins with', () => {
  function remember(events: readonly AgentEvent[]): readonly AgentEvent[] {
    const memory = new Recollection({ whole: 20_000, outline: 50_000 });
    for (const event of events) memory.add(event);
    return memory.events;
  }

  it('is all, while that is little', () => {
    expect(shownPast(story)).toEqual({ events: story, before: undefined });
  });

  it('is whole turns, and who is still at work from before them', () => {
    const { events, before } = shownPast(remember(story));
    const first = events.findIndex(({ seq }) => seq === before);
    expect(events[first]).toMatchObject({ type: 'turn-start' });
    expect(seqs(events.slice(first))).toEqual(seqs(story.filter(({ seq }) => seq >= (before ?? 0))));
    const kept = events.slice(0, first).map(({ type, agent }) => `${agent} ${type}`);
    expect(kept).toEqual(['lead session-start', 'cccccc agent-start', 'cccccc agent-detach']);
  });

  it('has what an agent asked long ago and still waits for', () => {
    const end = story.findIndex(({ agent, type }) => agent === 'cccccc' && type === 'agent-end');
    const from = story.findIndex((event) => event.type === 'turn-start' && event.turn === 3);
    const stamp = { session: 'long', agent: 'cccccc', parent: 'lead', time: 1 } as const;
    const words = { type: 'question-ask', text: 'Which?', options: [] } as const;
    const asks: readonly AgentEvent[] = [
      { ...stamp, ...words, question: 'q1', seq: (story[from]?.seq ?? 0) + 0.2 },
      { ...stamp, type: 'question-answer', question: 'q1', answer: 'This.', seq: (story[from]?.seq ?? 0) + 0.4 },
      { ...stamp, ...words, question: 'q2', seq: (story[from]?.seq ?? 0) + 0.6 },
    ];
    const asked = [...story.slice(0, from + 1), ...asks, ...story.slice(from + 1)];
    const asksOf = (events: readonly AgentEvent[], agent?: string) => {
      const { events: shown, before = 0 } = shownPast(remember(events), agent);
      expect(before).toBeGreaterThan(asks[2]?.seq ?? 0);
      return shown.flatMap((event) => (event.type === 'question-ask' ? [event.question] : []));
    };
    const waiting = asked.slice(0, end + asks.length);
    expect([asksOf(waiting), asksOf(waiting, 'cccccc'), asksOf(asked)]).toEqual([['q2'], ['q2'], []]);
  });

  it('is, for an agent, its own beginning and end as well', () => {
    const remembered = remember(story);
    const { events, before } = shownPast(remembered, 'a00008');
    const own = events.filter(({ agent }) => agent === 'a00008').map(({ type }) => type);
    expect([own, before === undefined]).toEqual([['agent-start', 'agent-end'], false]);
    const late = shownPast(remembered, (0xa00000 + 12).toString(16));
    expect(late.before).toBeUndefined();
  });

  it('has from the journal how an agent began that is not remembered', () => {
    const remembered = remember(longStory(40)).filter(({ agent }) => agent !== 'a00002');
    expect([lacksBeginning(remembered, 'a00002'), lacksBeginning(story, 'dddddd')]).toEqual([true, false]);
    const beginning = story.filter(({ agent, type }) => agent === 'a00002' && /agent-(start|end)/.test(type));
    const { events, before } = shownPast(remembered, 'a00002', beginning);
    const own = events.filter(({ agent }) => agent === 'a00002').map(({ type }) => type);
    expect([own, before === undefined]).toEqual([['agent-start', 'agent-end'], false]);
  });

  it('and what was earlier are together all there is', async () => {
    const state = await temporaryFolder();
    await writeJournal(state, 'long', story);
    const { events, before = 0 } = shownPast(remember(story));
    const earlier = allOf(await readAll(state, before));
    expect(seqs([...earlier, ...events.filter(({ seq }) => seq >= before)])).toEqual(seqs(story));
  });
});
