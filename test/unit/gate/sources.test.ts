import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createRuleSources } from '../../../src/agent/gate/rules/sources.ts';

it('rules are read once for the calls of one moment, and anew for the next call', async () => {
  let reads = 0;
  let isAllowed = true;
  const sources = createRuleSources({
    settings: () => ({ 'permissions.allow': [], 'permissions.ask': [], 'permissions.deny': [] }),
    workspace: { roots: [], isTrusted: false },
    memory: {
      async read() {
        reads += 1;
        return isAllowed ? [{ text: 'Bash(npm test)', scope: 'always' }] : [];
      },
      add: async () => {},
    },
    tell: () => {},
  });
  const together = await Promise.all([sources.read(), sources.read(), sources.read()]);
  expect(reads).toBe(1);
  expect(together.map(({ allow }) => allow.length)).toEqual([1, 1, 1]);
  isAllowed = false;
  await nextTurn();
  expect((await sources.read()).allow).toEqual([]);
  expect(reads).toBe(2);
});
