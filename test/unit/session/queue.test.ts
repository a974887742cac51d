import { expect, test } from 'vitest';
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
