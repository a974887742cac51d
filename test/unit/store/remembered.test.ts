import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createRememberedRules } from '../../../src/agent/store/remembered.ts';

async function stateDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'offshoot-remembered-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return join(directory, 'state');
}

it('two windows that remember at the same time lose nothing', async () => {
  const state = await stateDirectory();
  const windows = [1, 2].map(() => createRememberedRules(state, '/w/app', () => undefined));
  const added = windows.flatMap((rules, window) =>
    Array.from({ length: 10 }, (_, index) => rules.add({ text: `Bash(${window} ${index})`, scope: 'always' })),
  );
  await Promise.all(added);
  expect(await windows[0]?.read()).toHaveLength(20);
  expect(await readdir(state)).toEqual(['permissions.json']);
});

it('what was allowed for one workspace is not allowed in another, and can be taken back', async () => {
  const state = await stateDirectory();
  const app = createRememberedRules(state, '/w/app', () => undefined);
  const other = createRememberedRules(state, '/w/other', () => undefined);
  await app.add({ text: 'Bash(make)', scope: 'workspace' });
  await app.add({ text: 'Bash(ls)', scope: 'always' });
  expect(await app.read()).toEqual([
    { text: 'Bash(ls)', scope: 'always' },
    { text: 'Bash(make)', scope: 'workspace' },
  ]);
  expect(await other.read()).toEqual([{ text: 'Bash(ls)', scope: 'always' }]);
  await app.remove({ text: 'Bash(make)', scope: 'workspace' });
  await other.remove({ text: 'Bash(ls)', scope: 'always' });
  expect(await app.read()).toEqual([]);
});
