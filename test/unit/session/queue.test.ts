import { expect, test, vi } from 'vitest';
import { say, text } from '../../support/answers.ts';
import { ofType, startSession } from '../../support/startSession.ts';

test('prompts wait for the turn, in order, and one can be taken back', async () => {
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const { session, events } = await startSession({
    script: async ({ prompt }) => {
      if (prompt === 'first') await gate;
      return say(text(`answer to ${prompt}`));
    },
  });
  const results = ['first', 'second', 'third'].map((prompt) => session.send(prompt));
  expect(session.unqueue(1, 'second')).toBe(false);
  expect(session.unqueue(0, 'second')).toBe(true);
  open();
  expect((await Promise.all(results)).map((result) => `${result.status} ${result.text}`)).toEqual([
    'completed answer to first',
    'stopped ',
    'completed answer to third',
  ]);
  expect(ofType(events, 'prompt-queue').map((event) => event.prompts)).toEqual([
    ['second'],
    ['second', 'third'],
    ['third'],
    [],
  ]);
});

test('prompts that wait when everything is stopped are kept, and follow the next one', async () => {
  const { session, events, reopen } = await startSession({
    script: ({ prompt }) => ({
      blocks: [text(`answer to ${prompt}`)],
      chunkMs: prompt === 'first' ? 60_000 : 0,
      chunkChars: 3,
    }),
  });
  const first = session.send('first');
  void session.send('second');
  await vi.waitUntil(() => ofType(events, 'step-start').length > 0);
  session.stop();
  expect((await first).status).toBe('stopped');
  expect(session.isRunning).toBe(false);
  expect(ofType(events, 'prompt-queue').at(-1)?.prompts).toEqual(['second']);
  await session.close();
  const again = await reopen(session.id);
  await again.send('third');
  await again.settled();
  expect(ofType(again.events(), 'turn-start').map(({ prompt }) => prompt)).toEqual(['first', 'third', 'second']);
});
