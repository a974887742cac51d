import { describe, expect, it } from 'vitest';
import { dropOldResults } from '../../../src/agent/context/drop.ts';
import { keepEnd, lastRequest, withSummary, withText } from '../../../src/agent/context/shorten.ts';
import { repairHistory } from '../../../src/agent/messages/repair.ts';
import { estimateTokens } from '../../../src/agent/messages/tokens.ts';
import type { Message } from '../../../src/agent/messages/types.ts';

/** Repeatable numbers from 0 up to 1. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

const results = (count: number) => ({ results: count, chars: Number.POSITIVE_INFINITY });
const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });

/** Turns of steps with parallel calls, results of all lengths, notes in between; it ends before a step, or at rest. */
function randomHistory(random: () => number): readonly Message[] {
  const history: Message[] = [];
  let calls = 0;
  const nextId = () => {
    calls += 1;
    return `call-${calls}`;
  };
  const turns = 1 + Math.floor(random() * 4);
  for (let turn = 0; turn < turns; turn += 1) {
    history.push(user(`request ${turn} ${'abc '.repeat(random() * 300)}`));
    const steps = Math.floor(random() * 5);
    for (let step = 0; step < steps; step += 1) {
      const ids = Array.from({ length: 1 + Math.floor(random() * 4) }, nextId);
      const input = { path: 'x'.repeat(random() * 500) };
      history.push({ role: 'assistant', content: ids.map((id) => ({ type: 'tool_use', id, name: 'Read', input })) });
      const content = ids.map((id) => {
        const text = 'line of a file\n'.repeat(random() * 400);
        return { type: 'tool_result' as const, tool_use_id: id, content: text || 'none' };
      });
      history.push({ role: 'user', content });
      if (random() < 0.2) history.push(user(`note ${step}`));
    }
    if (turn < turns - 1 || random() < 0.2)
      history.push({ role: 'assistant', content: [{ type: 'text', text: 'done' }] });
  }
  return history;
}

const faultsIn = (history: readonly Message[]) =>
  repairHistory(history).repairs.filter((repair) => !repair.startsWith('messages were dropped, joined'));

describe('shorter histories', () => {
  it('are valid, small enough, and hold the request word for word', () => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const random = numbers(seed);
      const history = randomHistory(random);
      const request = lastRequest(history);
      const budget = 500 + Math.floor(random() * 4_000);
      const dropped = dropOldResults(history, results(3));
      const ended = keepEnd(dropped, request, budget);
      const summarised = withSummary(history, request, 'so far', budget);
      const twice = withSummary([...summarised, user('and then')], lastRequest([user('and then')]), 'so far', budget);
      for (const shorter of [dropped, ended, summarised, twice, keepEnd(twice, request, budget)]) {
        expect(faultsIn(withText(shorter, 'roster')), `seed ${seed}`).toEqual([]);
      }
      for (const shorter of [dropped, ended, summarised]) {
        expect(JSON.stringify(shorter), `seed ${seed}`).toContain(JSON.stringify(request[0]));
      }
      const least = estimateTokens([{ role: 'user', content: request }]) + 1_300;
      expect(estimateTokens(ended), `seed ${seed}`).toBeLessThanOrEqual(Math.max(budget + 100, least));
      expect(JSON.stringify(twice).match(/<summary/g), `seed ${seed}`).toHaveLength(1);
    }
  });

  it('are the same objects where nothing had to go', () => {
    const history = randomHistory(numbers(7));
    expect(dropOldResults(history, results(1_000))).toBe(history);
    expect(keepEnd(history, lastRequest(history), 1_000_000)).toBe(history);
    const dropped = dropOldResults(history, results(2));
    expect(dropOldResults(dropped, results(2))).toBe(dropped);
  });

  it('keep the first request of a conversation through summaries', () => {
    const first = [user('build a boat'), { role: 'assistant', content: [{ type: 'text', text: 'ok' }] } as const];
    const second = [...first, user('paint it')];
    const once = withSummary(second, lastRequest(second), 'one', 100);
    const third = [
      ...once,
      { role: 'assistant', content: [{ type: 'text', text: 'painted' }] } as const,
      user('launch it'),
    ];
    const twice = withSummary(third, lastRequest(third), 'two', 100);
    const texts = twice.flatMap(({ content }) => content.map((block) => (block.type === 'text' ? block.text : '')));
    expect(texts[0]).toBe('<first-request>\nbuild a boat\n</first-request>');
    expect(texts[1]).toMatch(/^<summary of="the conversation so far">\ntwo\n<\/summary>/);
    expect(texts[2]).toBe('launch it');
  });
});
