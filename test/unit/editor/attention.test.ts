import { expect, test } from 'vitest';
import type { AgentEvent } from '../../../src/agent/index.ts';
import { createAttentionCounter } from '../../../src/editor/asking/attention.ts';

const stamp = (agent: string, parent: string | null = null) => ({ session: 's', agent, parent, seq: 1, time: 1 });
const ask = (agent: string, id: string): AgentEvent => ({
  type: 'question-ask',
  question: id,
  text: '?',
  options: [],
  ...stamp(agent, 'lead'),
});

test('agents at work and open questions are counted, and a turn that ends leaves none', () => {
  const counter = createAttentionCounter();
  counter.add({ type: 'turn-start', turn: 1, prompt: 'x', ...stamp('lead') });
  counter.add(ask('a', 'q1'));
  counter.add(ask('b', 'q2'));
  expect(counter.read()).toEqual({ working: 1, waiting: 2 });
  expect(counter.add({ type: 'question-answer', question: 'q1', answer: 'yes', ...stamp('a', 'lead') })).toBe(true);
  expect(counter.read()).toEqual({ working: 1, waiting: 1 });
  expect(counter.add({ type: 'text-delta', step: 1, text: 'x', ...stamp('lead') })).toBe(false);
  counter.add({ type: 'turn-end', turn: 1, status: 'stopped', ...stamp('lead') });
  expect(counter.read()).toEqual({ working: 0, waiting: 0 });
});

test('agents in the background count on after the turn, with what they ask', () => {
  const counter = createAttentionCounter();
  const start = { name: 'a', agentType: 'x', description: '', prompt: '', model: 'm', modelRule: '', tools: [] };
  counter.add({ type: 'turn-start', turn: 1, prompt: 'x', ...stamp('lead') });
  for (const agent of ['a', 'b'])
    counter.add({ type: 'agent-start', ...start, depth: 1, call: null, ...stamp(agent, 'lead') });
  counter.add({ type: 'agent-detach', ...stamp('a', 'lead') });
  counter.add({ type: 'agent-start', ...start, depth: 2, call: null, ...stamp('c', 'a') });
  counter.add(ask('a', 'q1'));
  counter.add(ask('b', 'q2'));
  counter.add({ type: 'turn-end', turn: 1, status: 'completed', ...stamp('lead') });
  expect(counter.read()).toEqual({ working: 2, waiting: 1 });
});
