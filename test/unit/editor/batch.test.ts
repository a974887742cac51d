import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AgentEvent } from '../../../src/agent/index.ts';
import { createBatch } from '../../../src/webview/batch.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const stamp = (agent: string, seq: number) => ({ session: 's', agent, parent: null, seq, time: seq });
const delta = (agent: string, seq: number, text: string, step = 1): AgentEvent => ({
  type: 'text-delta',
  step,
  text,
  ...stamp(agent, seq),
});

function collect() {
  const sent: { session: string; events: readonly AgentEvent[] }[] = [];
  const batch = createBatch((session, events) => sent.push({ session, events }), 20);
  return { sent, batch };
}

test('text of one block becomes one event with the last stamp, per agent, in the order of the stamps', () => {
  const { sent, batch } = collect();
  const [a1, b2, a3, b4] = [delta('a', 1, 'x'), delta('b', 2, 'p'), delta('a', 3, 'y'), delta('b', 4, 'q')];
  for (const event of [a1, b2, a3, b4]) batch.add('s', event);
  expect(sent).toEqual([]);
  vi.advanceTimersByTime(20);
  expect(sent).toEqual([{ session: 's', events: [delta('a', 3, 'xy'), delta('b', 4, 'pq')] }]);
});

test('other steps and anything in between keep pieces apart', () => {
  const { sent, batch } = collect();
  const between: AgentEvent = { type: 'step-end', step: 1, stopReason: 'end_turn', ...stamp('a', 2) };
  const events = [delta('a', 1, 'x'), between, delta('a', 3, 'y'), delta('a', 4, 'z', 2)];
  for (const event of events) batch.add('s', event);
  vi.advanceTimersByTime(20);
  expect(sent).toEqual([{ session: 's', events }]);
});

test('another session begins another message, and what was cleared is not sent', () => {
  const { sent, batch } = collect();
  batch.add('s', delta('a', 1, 'x'));
  batch.add('t', delta('a', 1, 'y'));
  expect(sent).toEqual([{ session: 's', events: [delta('a', 1, 'x')] }]);
  batch.clear();
  vi.advanceTimersByTime(100);
  expect(sent).toHaveLength(1);
});
