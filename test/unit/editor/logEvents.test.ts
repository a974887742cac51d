import { expect, it } from 'vitest';
import { describeEvent } from '../../../src/editor/log/logEvents.ts';

const stamp = { session: 's', agent: 'lead', parent: null, seq: 1, time: 0 };

it('logs what happened, and nothing of what was said', () => {
  const secret = 'the user’s own words';
  const lines = [
    describeEvent({ ...stamp, type: 'turn-start', turn: 1, prompt: secret }),
    describeEvent({ ...stamp, type: 'text-delta', step: 1, text: secret }),
    describeEvent({ ...stamp, type: 'step-retry', step: 1, reason: 'overloaded', delayMs: 500.4 }),
    describeEvent({ ...stamp, type: 'turn-end', turn: 1, status: 'failed', error: 'no key' }),
  ];
  expect(lines).toEqual([
    'turn 1 begins in session s',
    undefined,
    'lead: step 1 again in 500 ms: overloaded',
    'turn 1 ended: failed (no key)',
  ]);
});
