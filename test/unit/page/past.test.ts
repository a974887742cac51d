import { describe, expect, it } from 'vitest';
import { createConversation } from '../../../src/webview/app/model/conversation.ts';
import { type List, valuesFrom } from '../../../src/webview/app/model/list.ts';
import { putEarlier } from '../../../src/webview/app/model/past.ts';
import { reduceAll } from '../../../src/webview/app/model/reduce.ts';
import type { AgentNode, Conversation } from '../../../src/webview/app/model/types.ts';
import type { AgentEvent } from '../../../src/webview/protocol.ts';
import { longStory } from '../../support/longStory.ts';
import { conversationOf, itemOf } from './viewOf.ts';

const story = longStory(12);
const turnOf = (turn: number) => story.find((event) => event.type === 'turn-start' && event.turn === turn)?.seq ?? 0;

/** As a page shows it that was opened with the events from then on. */
function openFrom(before: number, kept: readonly AgentEvent[] = []): Conversation {
  const conversation = createConversation('long');
  conversation.before = before;
  conversation.past.value = { parts: [], away: [], isWhole: false };
  reduceAll(conversation, [...kept, ...story.filter(({ seq }) => seq >= before)]);
  return conversation;
}

function put(conversation: Conversation, from: number, side: 'front' | 'back' = 'front'): void {
  const { parts, away } = conversation.past.peek();
  const before = (side === 'front' ? parts[0]?.from : away.at(-1)) ?? conversation.before;
  const events = story.filter(({ seq }) => seq >= from && seq < before);
  putEarlier(conversation, { events, isFirst: from <= 1 }, before, side);
}

const idsOf = (list: List<string>) => [
  ...list.earlier.peek().flatMap(({ chunk }) => chunk.peek()),
  ...valuesFrom(list, 0),
];

/** What is drawn of an agent and all below it. */
function drawn(conversation: Conversation, agent: AgentNode = conversation.lead): readonly unknown[] {
  return idsOf(agent.flow).flatMap((id): readonly unknown[] => {
    const item = itemOf(conversation, id);
    if (item?.kind !== 'group') return item ? [item] : [];
    return item.members.map((member) => {
      const child = conversation.agents.get(conversation.agentOfCall.get(member)?.peek() ?? '');
      if (!child) return itemOf(conversation, member);
      const { name, end, isBackground } = child.info.peek();
      return { name, status: end?.status, isBackground, flow: drawn(conversation, child) };
    });
  });
}

const withoutCosts = (value: unknown) => JSON.parse(JSON.stringify(value, (key, part) => (key === 'cost' ? 0 : part)));
const whole = withoutCosts(drawn(conversationOf(story)));

describe('earlier parts', () => {
  it('and what was there look like the whole, cut at turns or at steps', () => {
    const steps = story.filter(({ type, agent }) => type === 'step-start' && agent === 'lead').map(({ seq }) => seq);
    for (const cuts of [
      [11, 8, 3].map(turnOf),
      [11, 10, 9, 2].map(turnOf),
      [23, 20, 17, 5].map((at) => steps[at] ?? 0),
    ]) {
      const [before = 0, ...rest] = cuts;
      const conversation = openFrom(before);
      for (const from of [...rest, 1]) put(conversation, from);
      expect(withoutCosts(drawn(conversation))).toEqual(whole);
      expect(conversation.past.peek()).toMatchObject({ isWhole: true, away: [] });
    }
  });

  it('lose nothing and leave nothing running, wherever they are cut', () => {
    const textsOf = (value: unknown) =>
      JSON.stringify(value)
        .match(/(plan|answer|scouted|watching|prompt) \d+/g)
        ?.sort();
    for (let size = 30; size < 90; size += 7) {
      const conversation = openFrom(story.length - size);
      for (let part = 1; part < 6; part += 1) put(conversation, Math.max(1, story.length - size * (part + 1)));
      if (!conversation.past.peek().isWhole) put(conversation, 1);
      expect(new Set(textsOf(drawn(conversation)))).toEqual(new Set(textsOf(whole)));
      expect(JSON.stringify(drawn(conversation))).not.toContain('"state":"running"');
    }
  });

  it('keep the ends of turns, calls and agents that are behind them', () => {
    const inTurn = (turn: number, type: AgentEvent['type']) =>
      story.find((event) => event.seq > turnOf(turn) && event.type === type && event.agent !== 'lead')?.seq ?? 0;
    const conversation = openFrom(inTurn(11, 'tool-end'));
    expect(JSON.stringify(drawn(conversation))).not.toContain('Read 11.ts');
    put(conversation, turnOf(11));
    const { agents } = conversation;
    expect(drawn(conversation, agents.get('b0000b'))).toMatchObject([
      { summary: 'Read 11.ts', state: 'ok', durationMs: 3 },
    ]);
    expect(agents.get('a0000b')?.info.peek()).toMatchObject({ name: 'scout-11', end: { status: 'completed' } });
    expect(withoutCosts(drawn(conversation))).toEqual(whole.slice(-10));
  });

  it('are put away when there are many, and can be had again, both ways', () => {
    const conversation = openFrom(turnOf(12));
    const sizes: number[] = [];
    for (let turn = 11; turn >= 1; turn -= 1) {
      put(conversation, turn === 1 ? 1 : turnOf(turn));
      sizes.push(conversation.items.size);
    }
    expect(Math.max(...sizes.slice(6))).toBeLessThan((sizes[6] ?? 0) + 10);
    const prompts = () => idsOf(conversation.lead.flow).filter((id) => id.startsWith('prompt:')).length;
    expect(conversation.past.peek()).toMatchObject({ isWhole: true, away: [12, 11, 10, 9, 8].map(turnOf) });
    expect(prompts()).toBe(7);
    for (let turn = 7; turn <= 11; turn += 1) put(conversation, turnOf(turn), 'back');
    expect(conversation.past.peek()).toMatchObject({ isWhole: false, away: [] });
    expect(prompts()).toBe(7);
    expect(conversation.items.size).toBeLessThan((sizes[6] ?? 0) + 10);
    for (let turn = 5; turn >= 1; turn -= 1) put(conversation, turn === 1 ? 1 : turnOf(turn));
    expect(conversation.past.peek().isWhole).toBe(true);
    expect([...conversation.agents.keys()].filter((id) => id.startsWith('a')).length).toBeLessThan(9);
  });

  it('leave what waits for the user where it is, also when they are put away', () => {
    const began = story.filter(({ agent, type }) => agent === 'cccccc' && /start|detach/.test(type)).slice(0, 1);
    const stamp = { session: 'long', agent: 'cccccc', parent: 'lead', time: 1 } as const;
    const words = { question: 'q', text: 'Which?', options: [] } as const;
    const ask: AgentEvent = { ...stamp, type: 'question-ask', ...words, seq: turnOf(9) + 0.5 };
    const end = story.find(({ agent, type }) => agent === 'cccccc' && type === 'agent-end')?.seq ?? 0;
    const conversation = createConversation('long');
    conversation.before = turnOf(10);
    conversation.past.value = { parts: [], away: [], isWhole: false };
    reduceAll(conversation, [...began, ask, ...story.filter(({ seq }) => seq >= turnOf(10) && seq < end)]);
    const questions = () => {
      const flow = idsOf(conversation.agents.get('cccccc')?.flow ?? conversation.lead.flow);
      return [flow.filter((id) => id === 'question:q'), conversation.pending.peek()];
    };
    const part = [...story.filter(({ seq }) => seq >= turnOf(9) && seq < turnOf(10)), ask];
    const events = part.toSorted((left, right) => left.seq - right.seq);
    putEarlier(conversation, { events, isFirst: false }, turnOf(10), 'front');
    expect(questions()).toEqual([['question:q'], ['question:q']]);
    for (let turn = 8; turn >= 2; turn -= 1) put(conversation, turnOf(turn));
    expect(conversation.past.peek().away).toContain(turnOf(10));
    expect(questions()).toEqual([['question:q'], ['question:q']]);
    expect(itemOf(conversation, 'question:q')).toMatchObject({ answer: undefined });
  });

  it('go on with what is live', () => {
    const began = story.filter(({ agent, type }) => agent === 'cccccc' && /start|detach/.test(type)).slice(0, 1);
    const conversation = openFrom(turnOf(10), began);
    put(conversation, turnOf(6));
    put(conversation, 1);
    const live = { session: 'long', agent: 'lead', parent: null, time: 1_796_071_500_000 };
    reduceAll(conversation, [{ ...live, type: 'turn-start', turn: 13, prompt: 'prompt 13', seq: story.length + 1 }]);
    expect(drawn(conversation).at(-1)).toMatchObject({ kind: 'prompt', text: 'prompt 13' });
    expect(conversation.turn.peek()).toMatchObject({ turn: 13, isRunning: true });
    expect(conversation.agents.get('cccccc')?.info.peek()).toMatchObject({
      name: 'watcher',
      end: { status: 'completed' },
    });
  });
});
