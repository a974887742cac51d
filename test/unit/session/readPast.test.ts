import { describe, expect, it } from 'vitest';
import type { AgentEvent, EventBody } from '../../../src/agent/loop/events.ts';
import { createEarlierReader } from '../../../src/agent/session/past/readEarlier.ts';
import { readPast } from '../../../src/agent/session/past/readPast.ts';
import { shownPast } from '../../../src/agent/session/past/shownPast.ts';
import { temporaryFolder } from '../../support/gitFolder.ts';
import { writeJournal } from '../../support/longStory.ts';

/** One turn after another, in each of which an agent says one text. */
function storyOf(turns: number, text: string): readonly AgentEvent[] {
  const bodies = Array.from({ length: turns }, (_, index): readonly (readonly [string, EventBody])[] => {
    const message = { role: 'assistant', content: [{ type: 'text', text }] } as const;
    return [
      ['lead', { type: 'turn-start', turn: index + 1, prompt: `prompt ${index + 1}` }],
      ['a00001', { type: 'message-append', step: 1, message }],
      ['lead', { type: 'turn-end', turn: index + 1, status: 'completed' }],
    ];
  });
  const start: EventBody = { type: 'session-start', workspace: '/code/shop', title: 'Long' };
  return [['lead', start] as const, ...bodies.flat()].map(([agent, body], index) => ({
    ...body,
    ...{ session: 'long', agent, parent: agent === 'lead' ? null : 'lead', seq: index + 1, time: index },
  }));
}

describe('the past of a long journal', () => {
  // Of the second kind all that is read whole weighs less than what memory keeps whole.
  it.each([
    ['three bytes a character', '字'],
    ['six bytes a character', '\u0001'],
  ])('says where it is whole from, with %s', async (_, character) => {
    const state = await temporaryFolder();
    const story = storyOf(24, character.repeat(1_000_000 / (JSON.stringify(character).length > 3 ? 6 : 3)));
    await writeJournal(state, 'long', story);
    const { recollection } = await readPast(state, 'long');
    const { events, before = 0 } = shownPast(recollection.events);
    expect(before).toBeGreaterThan(0);
    const shown = events.filter(({ seq }) => seq >= before);
    expect(shown).toEqual(story.filter(({ seq }) => seq >= before));
    const signal = new AbortController().signal;
    const query = { session: 'long', agent: 'lead', before, parents: new Map() };
    const earlier = await createEarlierReader(state, { least: 1e9, most: 1e9 }).read(query, signal);
    expect(earlier.events.length + shown.length).toBe(story.length);
  });
});
