import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createRedactor, systemClock } from '../../../src/agent/index.ts';
import { loadSqlite } from '../../../src/agent/store/index/database.ts';
import { IndexEngine } from '../../../src/agent/store/index/engine.ts';
import { startSession } from '../../support/startSession.ts';

const canary = 'sk-ant-canary-0123456789abcdefghij';

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

test('a key that agents come upon is not shown, not sent and nowhere in what is kept', async () => {
  const redactor = createRedactor();
  redactor.learn(canary);
  const logged: string[] = [];
  const { session, model, state, events } = await startSession({
    files: {
      '.env': `KEY=${canary}\n`,
      'long.txt': `${'line of text\n'.repeat(9_000)}${canary}\n${'more\n'.repeat(9_000)}`,
    },
    redactor,
    log: (text) => logged.push(text),
  });
  const call = (name: string, input: Record<string, unknown>) => ({ type: 'tool_use', name, input }) as const;
  model.queue(
    'find',
    {
      blocks: [
        { type: 'text', text: `Is it ${canary}?` },
        call('Bash', { command: 'cat .env; cat long.txt; cat .env >&2; exit 1' }),
        call('Bash', { command: 'sed s/KEY=// .env | (head -c 9; sleep 0.1; cat)' }),
        call('Read', { file_path: '.env' }),
        call('Grep', { pattern: 'canary', output_mode: 'content' }),
        call('Bash', { command: `echo ${canary} > /dev/null` }),
      ],
    },
    { blocks: [{ type: 'text', text: 'Done.' }] },
  );
  await session.send(`find ${canary}`);
  await session.close();
  const index = new IndexEngine({
    ...{ stateDirectory: state, openDatabase: await loadSqlite(), clock: systemClock },
    onNotice: (text) => logged.push(text),
  });
  await index.update(AbortSignal.timeout(10_000));
  await index.close();

  const kept = await filesBelow(state);
  expect(kept.some((file) => file.includes('artifacts'))).toBe(true);
  expect(kept.some((file) => file.endsWith('history.sqlite'))).toBe(true);
  for (const file of kept) {
    const content = (await readFile(file)).toString('latin1');
    expect(content.includes(canary), file).toBe(false);
    expect(content.includes('0123456789abcdefghij'), file).toBe(false);
  }
  expect(JSON.stringify(events)).not.toContain(canary);
  expect(JSON.stringify(events)).toContain('[secret removed]');
  expect(JSON.stringify(model.bodies())).not.toContain(canary);
  expect(model.bodies()).toHaveLength(2);
  expect(logged.join()).not.toContain(canary);
});

test('the key that goes to the server stands in no error and no event', async () => {
  const { session, model, state, events } = await startSession({ apiKey: canary });
  model.failNext(
    { type: 'status', status: 401, errorType: 'authentication_error', message: `invalid x-api-key` },
    { type: 'status', status: 401, errorType: 'authentication_error', message: `invalid x-api-key` },
  );
  const { status } = await session.send('hello');
  expect(status).toBe('failed');
  await session.close();
  expect(JSON.stringify(events)).not.toContain(canary);
  for (const file of await filesBelow(state)) expect((await readFile(file, 'latin1')).includes(canary)).toBe(false);
});

test('pieces of a text lose a secret wherever it is cut, and nothing else', () => {
  const redactor = createRedactor();
  redactor.learn(canary);
  redactor.learn('short');
  const text = `short before ${canary}${canary} after\nnext ${canary.slice(0, -1)} end`;
  const wanted = `short before [secret removed][secret removed] after\nnext ${canary.slice(0, -1)} end`;
  for (let size = 1; size <= text.length; size++) {
    const filter = redactor.filter();
    let shown = '';
    for (let start = 0; start < text.length; start += size) shown += filter.add(text.slice(start, start + size));
    expect(shown + filter.end(), `${size} characters at a time`).toBe(wanted);
  }
});

test('data without a secret stays the very same, data with one becomes a copy', () => {
  const redactor = createRedactor();
  const clean = { list: ['a', { b: 1 }] };
  const dirty = { list: ['a', { b: `x${canary}` }], [canary]: null };
  expect(redactor.value(dirty)).toBe(dirty);
  redactor.learn(canary);
  expect(redactor.value(clean)).toBe(clean);
  expect(redactor.value(dirty)).toEqual({ list: ['a', { b: 'x[secret removed]' }], '[secret removed]': null });
  expect(dirty.list[1]).toEqual({ b: `x${canary}` });
});
