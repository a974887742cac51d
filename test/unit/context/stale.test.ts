import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { dropAndKeep, dropOldResults } from '../../../src/agent/context/drop.ts';
import type { Message } from '../../../src/agent/messages/types.ts';
import { call, say, text } from '../../support/answers.ts';
import { startSession } from '../../support/startSession.ts';

const step = (id: string, name: string, content: string): readonly Message[] => [
  { role: 'assistant', content: [{ type: 'tool_use', id, name, input: {} }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
];
const resultsOf = (history: readonly Message[]) =>
  history.flatMap(({ role, content }) => {
    if (role === 'assistant') return [];
    return content.flatMap((block) => (block.type === 'tool_result' ? [block.content] : []));
  });

describe('old results', () => {
  const long = 'x'.repeat(1_000);
  const history = [...step('a', 'Read', long), ...step('b', 'Bash', `${long}b`), ...step('c', 'Read', `${long}c`)];

  test('leave once they are older than what there is room for; the last step always stays', () => {
    const shorter = dropOldResults(history, { results: 10, chars: 1_500 });
    expect(resultsOf(shorter).map((content) => content.length > 500)).toEqual([false, false, true]);
    expect(dropOldResults(history, { results: 10, chars: 10_000 })).toBe(history);
  });

  test('are kept as a whole where no call brings them back', async () => {
    const kept: string[] = [];
    const keep = async (whole: string) => `/artifacts/${kept.push(whole)}.txt`;
    const shorter = await dropAndKeep(history, (name) => name === 'Read', keep, { results: 0, chars: 0 });
    expect(kept).toEqual([`${long}b`]);
    expect(resultsOf(shorter)).toEqual([
      '[An old result, left out to make room. Call the tool again if you need it.]',
      '[An old result, left out to make room; the whole is in /artifacts/1.txt, readable with Read.]',
      `${long}c`,
    ]);
  });
});

test('an agent that reads much does not send all of it again with each step, and can read it again', async () => {
  const names = Array.from({ length: 9 }, (_, index) => `large${index}.txt`);
  const files = Object.fromEntries(names.map((name) => [name, `${`${name} `.repeat(8)}\n`.repeat(400)]));
  const rereading = [...names, ...names.slice(0, 8)];
  const { session, model, events } = await startSession({
    files,
    script: ({ step }) => {
      if (step === 0) return say(call('Bash', { command: 'git --version; seq 1 2000' }));
      const name = rereading[step - 1];
      return say(name === undefined ? text('done') : call('Read', { file_path: name }));
    },
    settings: { 'permissions.allow': ['Bash(seq:*)', 'Bash(git --version)'] },
  });
  expect((await session.send('read all')).status).toBe('completed');
  const sizes = model.bodies().map((body) => JSON.stringify(body.messages).length);
  expect(Math.max(...sizes)).toBeLessThan(190_000);
  expect(sizes.at(-1)).toBeLessThan(0.5 * names.length * 26_000);
  const drops = events.filter((event) => event.type === 'context-compact');
  expect(drops.map(({ how }) => how).slice(0, 1)).toEqual(['drop']);
  const path = /the whole is in (\S+), readable/.exec(JSON.stringify(model.bodies().at(-1)))?.[1] ?? '';
  expect(await readFile(path, 'utf8')).toContain('\n2000');
});
