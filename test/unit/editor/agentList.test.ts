import { expect, test } from 'vitest';
import { createAgentList } from '../../../src/editor/conversation/telling/agentList.ts';
import { backgroundStory } from '../../ui/page/story.ts';

test('agents are listed with their state, the newest first; the lead is none of them', () => {
  const list = createAgentList();
  for (const event of backgroundStory().events) list.add(event);
  expect(list.read().map(({ name, state, isBackground, hasEnded }) => [name, state, isBackground, hasEnded])).toEqual([
    ['bench', 'paused', true, false],
    ['limits', 'running', true, false],
    ['scout', 'completed', true, true],
  ]);
});
