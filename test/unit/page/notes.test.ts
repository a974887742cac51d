import { expect, test } from 'vitest';
import { delegate, say, text } from '../../support/answers.ts';
import { ofType, startSession } from '../../support/startSession.ts';
import { conversationOf, outline } from './viewOf.ts';

/** The page knows by their words what the loop hands to an agent; this holds both to the same words. */
test('what a real session hands to its agents is recognised', async () => {
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const { session, events } = await startSession({
    script: async (request) => {
      if (!request.tools.includes('Agent')) {
        if (request.step === 0 && !request.prompt.includes('changed')) await gate;
        return say(text('found it'));
      }
      if (request.prompt.startsWith('A background agent has ended')) return say(text('noted'));
      return request.step === 0 ? say(delegate('look', { name: 'scout', run_in_background: true })) : say(text('away'));
    },
  });
  await session.send('go');
  const scout = ofType(events, 'agent-start').find(({ name }) => name === 'scout')?.agent ?? '';
  session.pause(scout);
  // Whoever looks in now sees it as well.
  expect(conversationOf(session.snapshot().events).agents.get(scout)?.info.value.activity).toBe('pausing');
  expect(session.tell(scout, 'mind the tests')).toBe(true);
  open();
  await expect.poll(() => ofType(events, 'agent-status').at(-1)?.activity).toBe('paused');
  session.resume(scout, 'changed: look elsewhere');
  await session.settled();
  const conversation = conversationOf(events);
  const agent = conversation.agents.get(scout);
  expect(agent && outline(conversation, agent)).toEqual([
    'text found it',
    'user: mind the tests',
    'user instructs: changed: look elsewhere',
    'text found it',
  ]);
  expect(outline(conversation)).toEqual([
    'prompt go',
    `group ${scout}`,
    'text away',
    'end',
    'scout completed: found it',
    'text noted',
    'end',
  ]);
});
