import { effect, type Signal } from '@preact/signals';
import { expect, test } from 'vitest';
import { isTransient } from '../../../src/agent/loop/events.ts';
import { reduceAll } from '../../../src/webview/app/model/reduce.ts';
import type { Conversation } from '../../../src/webview/app/model/types.ts';
import {
  backgroundStory,
  createStory,
  doneStory,
  emptyReceipt,
  type Story,
  workingStory,
} from '../../ui/page/story.ts';
import { conversationOf, outline, viewOf } from './viewOf.ts';

const lasting = (story: Story) => story.events.filter((event) => !isTransient(event));
const replayed = (story: Story) => viewOf(conversationOf(lasting(story)));

/** Events one at a time, as a page sees them that was open all the while. */
function watched(story: Story): Conversation {
  const conversation = conversationOf([]);
  for (const event of story.events) reduceAll(conversation, [event]);
  return conversation;
}

/** Two agents that stream in turns, with calls that start before their message is complete, and a step that is retried. */
function streamedStory(): Story {
  const story = createStory();
  const stream = (agent: string, text: string) => story.emit(agent, { type: 'text-delta', step: 1, text });
  story.emit('lead', { type: 'turn-start', turn: 1, prompt: 'Look.' });
  story.emit('lead', { type: 'step-start', step: 1, model: 'm' });
  story.emit('lead', { type: 'thinking-delta', step: 1, text: 'Let me ' });
  story.emit('lead', { type: 'thinking-delta', step: 1, text: 'see.' });
  stream('lead', 'Two ');
  stream('lead', 'areas.');
  story.call('lead', 'd1', 'Agent', {}, 'one');
  story.spawn('one', 'd1', { type: 'Explore', description: 'First' });
  stream('lead', 'And another.');
  story.call('lead', 'd2', 'Agent', {}, 'two');
  story.spawn('two', 'd2', { type: 'Explore', description: 'Second' });
  story.emit('one', { type: 'step-start', step: 1, model: 'm' });
  stream('one', 'Half an ans');
  story.emit('two', { type: 'step-start', step: 1, model: 'm' });
  stream('two', 'Reading');
  story.emit('one', { type: 'step-retry', step: 1, reason: 'overloaded', delayMs: 500 });
  story.call('two', 'c1', 'Read', { path: 'a' }, 'Read a');
  stream('one', 'A whole ');
  stream('two', ' on.');
  stream('one', 'answer.');
  story.emit('two', { type: 'tool-progress', call: 'c1', text: 'line\n' });
  story.say('lead', 1, [
    { type: 'thinking', thinking: 'Let me see.', signature: 's' },
    { type: 'text', text: 'Two areas.' },
    { type: 'tool_use', id: 'd1', name: 'Agent', input: {} },
    { type: 'text', text: 'And another.' },
    { type: 'tool_use', id: 'd2', name: 'Agent', input: {} },
  ]);
  story.say('one', 1, [{ type: 'text', text: 'A whole answer.' }]);
  story.say('two', 1, [
    { type: 'text', text: 'Reading' },
    { type: 'tool_use', id: 'c1', name: 'Read', input: {} },
    { type: 'text', text: ' on.' },
  ]);
  story.result('two', 'c1', 'Read', '3 lines');
  story.finish('one', 'A whole answer.');
  return story;
}

test('replaying the lasting events of a session gives what was seen live', () => {
  for (const story of [streamedStory(), workingStory(), doneStory(true), doneStory(false), backgroundStory()]) {
    const live = watched(story);
    // The clock of silence counts what streams too; everything that is drawn is the same.
    expect(viewOf(live)).toEqual(replayed(story));
  }
});

test('texts stand between the calls as the model gave them', () => {
  const conversation = watched(streamedStory());
  expect(outline(conversation)).toEqual([
    'prompt Look.',
    'thinking Let me see.',
    'text Two areas.',
    'group one two',
    'text And another.',
  ]);
  const [one, two] = ['one', 'two'].map((id) => conversation.agents.get(id));
  expect(one && outline(conversation, one)).toEqual(['text A whole answer.']);
  expect(two && outline(conversation, two)).toEqual(['text Reading', 'call Read a ok', 'text  on.']);
});

test('what a retried step streamed is gone at once', () => {
  const story = createStory();
  story.emit('lead', { type: 'turn-start', turn: 1, prompt: 'Go' });
  story.emit('lead', { type: 'step-start', step: 1, model: 'm' });
  story.emit('lead', { type: 'text-delta', step: 1, text: 'Wrong' });
  const conversation = conversationOf(story.events);
  expect(outline(conversation)).toEqual(['prompt Go', 'text Wrong …']);
  const retry = story.emit('lead', { type: 'step-retry', step: 1, reason: 'overloaded', delayMs: 1 });
  reduceAll(conversation, [retry]);
  expect(outline(conversation)).toEqual(['prompt Go']);
  expect(conversation.lead.info.peek()).toMatchObject({ activity: 'retrying', detail: 'overloaded' });
});

test('an event that comes twice changes nothing', () => {
  const story = streamedStory();
  const conversation = watched(story);
  const before = viewOf(conversation);
  reduceAll(conversation, story.events);
  expect(viewOf(conversation)).toEqual(before);
});

test('a page that opens in mid-stream gets no text twice', () => {
  const story = streamedStory();
  const conversation = conversationOf(lasting(story));
  reduceAll(conversation, story.events.filter(isTransient));
  expect(viewOf(conversation)).toEqual(replayed(story));
});

test('what waits for the user is pending until it is answered or its agent ends', () => {
  const story = workingStory();
  const conversation = conversationOf(story.events);
  expect(conversation.pending.peek()).toEqual(['ask:ask-1']);
  const ended = { type: 'agent-end', status: 'stopped', report: '', receipt: receiptOf(story) } as const;
  reduceAll(conversation, [story.emit('bench', ended)]);
  expect(conversation.pending.peek()).toEqual([]);
  expect(conversation.lead.live.peek()).toEqual(['limits']);
  expect(conversation.items.get('ask:ask-1')?.peek()).toMatchObject({ answer: 'closed' });
});

test('an edit takes the place of its call', () => {
  const lines = outline(conversationOf(doneStory(true).events));
  expect(lines.slice(-3)).toEqual([
    'edit src/http/limiter.ts accept',
    'edit src/http/server.ts undefined',
    'edit test/limiter.test.ts undefined',
  ]);
});

test('a call id may come again in another step', () => {
  const story = createStory();
  story.emit('lead', { type: 'turn-start', turn: 1, prompt: 'Go' });
  for (const step of [1, 2]) {
    story.emit('lead', { type: 'step-start', step, model: 'm' });
    story.call('lead', 'same', 'Read', {}, `Read ${step}`);
    story.result('lead', 'same', 'Read', 'ok');
  }
  expect(outline(conversationOf(story.events))).toEqual(['prompt Go', 'call Read 1 ok', 'call Read 2 ok']);
});

function receiptOf(story: Story) {
  for (const event of story.events) if (event.type === 'agent-end') return event.receipt;
  throw new Error('The story has no ended agent.');
}

/** 50 agents that work at the same time, `length` events in all. */
function longStory(length: number): Story {
  const story = createStory();
  story.emit('lead', { type: 'turn-start', turn: 1, prompt: 'Everything.' });
  story.emit('lead', { type: 'step-start', step: 1, model: 'm' });
  for (let agent = 0; agent < 50; agent += 1) {
    story.call('lead', `d${agent}`, 'Agent', {}, 'one');
    story.spawn(`a${agent}`, `d${agent}`, { type: 'Explore', description: 'Look' });
  }
  for (let round = 0; story.events.length < length; round += 1) {
    const agent = `a${round % 50}`;
    story.emit(agent, { type: 'step-start', step: round, model: 'm' });
    story.emit(agent, { type: 'text-delta', step: round, text: 'Next: ' });
    story.call(agent, `c${round}`, 'Read', { path: 'x' }, 'Read x');
    story.say(agent, round, [
      { type: 'text', text: 'Next: ' },
      { type: 'tool_use', id: `c${round}`, name: 'Read', input: {} },
    ]);
    story.result(agent, `c${round}`, 'Read', 'ok');
  }
  return story;
}

/** Counts what the reducer writes: each change of a signal, and for a list every element that was copied. */
function workOf(events: Story['events']): number {
  const conversation = conversationOf([]);
  let work = 0;
  const seen = new Set<unknown>();
  const watch = (target: Signal<unknown>) => {
    if (seen.has(target)) return;
    seen.add(target);
    effect(() => {
      const { value } = target;
      work += Array.isArray(value) ? value.length : 1;
      if (Array.isArray(value)) for (const part of value) if (isSignal(part)) watch(part);
    });
  };
  for (const event of events) {
    reduceAll(conversation, [event]);
    const agent = conversation.agents.get(event.agent);
    if (!agent) continue;
    for (const target of [agent.flow.chunks, agent.info, agent.recent, agent.live, agent.groups]) watch(target);
    for (const id of agent.recent.peek()) {
      const item = conversation.items.get(id);
      if (item) watch(item);
    }
  }
  return work;
}

function isSignal(value: unknown): value is Signal<unknown> {
  return typeof value === 'object' && value !== null && 'peek' in value;
}

test('10,000 events of 50 agents cost twice what 5,000 do', () => {
  const half = workOf(longStory(5000).events);
  const whole = workOf(longStory(10_000).events);
  expect(whole / half).toBeLessThan(2.3);
  expect(whole / 10_000).toBeLessThan(40);
});

test('an agent keeps the color of its definition', () => {
  const story = createStory();
  story.emit('lead', { type: 'turn-start', turn: 1, prompt: 'Look.' });
  story.call('lead', 'd1', 'Agent', {}, 'one');
  story.emit('one', {
    type: 'agent-start',
    name: 'one',
    agentType: 'schema-guard',
    description: 'First',
    prompt: 'Look.',
    model: 'm',
    modelRule: 'parent',
    tools: [],
    depth: 1,
    color: 'blue',
    call: 'd1',
  });
  const { agents } = conversationOf(story.events);
  expect([agents.get('one')?.info.value.color, agents.get('lead')?.info.value.color]).toEqual(['blue', undefined]);
});

test('a turn is over while agents work in the background, and the end of one is a line of its own', () => {
  const story = backgroundStory();
  const conversation = conversationOf(story.events);
  expect(conversation.turn.peek()).toMatchObject({ turn: 2, isRunning: false });
  expect(conversation.background.peek()).toEqual(['limits', 'bench']);
  expect(outline(conversation)).toEqual([
    'prompt Look into the three areas, and tell me as you go.',
    'text Three agents look at it. I report as they come back.',
    'group scout limits bench',
    'end',
    'scout completed: Tokens are checked once, in src/http/guard.ts:41.',
    'text The guard is the one place: `src/http/guard.ts:41`. Two agents are still out.',
    'end',
  ]);
  story.emit('limits', { type: 'agent-end', status: 'stopped', report: '', receipt: receiptOf(story) });
  reduceAll(conversation, story.events);
  expect(conversation.background.peek()).toEqual(['bench']);
});

test('what was said to an agent stands in its flow, and a changed instruction is its task', () => {
  const story = createStory();
  story.spawn('scout', 'd1', { type: 'Explore', description: 'Look' });
  story.hear('scout', 'Message from the user:\nthis is the task itself');
  story.hear('scout', 'Message from the agent that delegated to you:\nhurry');
  story.hear('scout', 'The user changed your instruction. It now reads:\nLook at the tests.');
  story.hear('scout', 'Your answer was cut off.');
  const conversation = conversationOf(story.events);
  const scout = conversation.agents.get('scout');
  expect(scout && outline(conversation, scout)).toEqual(['agent: hurry', 'user instructs: Look at the tests.']);
  expect(scout?.info.peek().prompt).toBe('Look at the tests.');
});

test('a retried agent stands beside the first and says whose task it does', () => {
  const story = createStory();
  story.emit('lead', { type: 'turn-start', turn: 1, prompt: 'Go' });
  story.call('lead', 'd1', 'Agent', {}, 'scout');
  story.spawn('scout', 'd1', { type: 'Explore', description: 'Look' });
  story.call('lead', 'd2', 'Agent', {}, 'other');
  story.spawn('other', 'd2', { type: 'Explore', description: 'Look' });
  story.emit('scout', { type: 'agent-end', status: 'failed', report: '', receipt: emptyReceipt });
  story.emit('lead', { type: 'turn-end', turn: 1, status: 'completed' });
  story.spawn('scout-2', 'd1', { type: 'Explore', description: 'Look' });
  const conversation = watched(story);
  expect(outline(conversation)).toEqual(['prompt Go', 'group scout scout-2 other', 'end']);
  expect(conversation.agents.get('scout-2')?.info.peek().retryOf).toBe('scout');
  expect(viewOf(conversation)).toEqual(replayed(story));
});

test('the context shrinks when older parts of a conversation are summarised', () => {
  const story = createStory();
  const contextParts = { system: 1_000, instructions: 200, tools: 3_000, messages: 95_800 };
  const usage = { inputTokens: 99_000, outputTokens: 1_000, cacheReadTokens: 0, cacheWriteTokens: 0 };
  story.emit('lead', {
    type: 'usage-update',
    step: 1,
    usage,
    cost: 0,
    contextTokens: 100_000,
    contextWindow: 200_000,
    contextParts,
    total: { usage, cost: 0 },
  });
  story.emit('lead', {
    type: 'context-compact',
    by: 'lead',
    how: 'summary',
    tokensBefore: 100_000,
    tokensAfter: 9_000,
    history: [],
  });
  const { contextTokens, contextParts: parts } = conversationOf(story.events).lead.info.peek();
  expect([contextTokens, parts]).toEqual([9_000, { ...contextParts, messages: 4_800 }]);
});
