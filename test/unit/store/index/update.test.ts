import { appendFile, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { indexLimits, shardLimits } from '../../../../src/agent/store/index/schema.ts';
import { journalPath } from '../../../../src/agent/store/sessions.ts';
import { temporaryFolder } from '../sample.ts';
import { begin, find, message, openEngine, record, signal } from './setup.ts';

test('what a journal gets later is found later, and nothing is there twice', async () => {
  const state = await temporaryFolder();
  const index = await openEngine(state);
  expect(await index.update(signal)).toEqual({
    ...{ sessions: 0, messages: 0, damagedLines: 0, unsearched: 0, unreadable: [] },
  });
  await record(state, 's', [begin('x'), message('walrus')]);
  await index.update(signal);
  await record(state, 's', [message('walrus again')], 3);
  expect(await find(index, 'walrus')).toEqual(['s/2']);
  await index.update(signal);
  await index.update(signal);
  expect(await find(index, 'walrus')).toEqual(['s/3', 's/2']);
  expect((await index.update(signal)).messages).toBe(2);
});

test('a record that is half written is left until it is whole, wherever it was cut', async () => {
  const state = await temporaryFolder();
  await record(state, 's', [begin('x'), message('walrus'), message('otter')]);
  const path = journalPath(state, 's');
  const whole = await readFile(path);
  const lastLine = whole.lastIndexOf('\n', whole.length - 2) + 1;
  const index = await openEngine(state);
  for (const cut of [lastLine, lastLine + 1, lastLine + 40, whole.length - 2]) {
    await writeFile(path, whole.subarray(0, cut));
    expect(await index.update(signal)).toMatchObject({ messages: 1, damagedLines: 0 });
  }
  await writeFile(path, whole.subarray(0, whole.length - 1));
  expect(await index.update(signal)).toMatchObject({ messages: 2, damagedLines: 0 });
  await writeFile(path, whole);
  await record(state, 's', [message('heron')], 4);
  expect(await index.update(signal)).toMatchObject({ messages: 3, damagedLines: 0 });
});

test('a journal that shrank, or begins otherwise than it did, is read again', async () => {
  const state = await temporaryFolder();
  const path = journalPath(state, 's');
  const index = await openEngine(state);
  await record(state, 's', [begin('First'), message('walrus'), message('otter')]);
  await record(state, 'other', [begin('Other'), message('walrus')]);
  await index.update(signal);
  const before = await readFile(path);
  await truncate(path, before.indexOf('otter') - 200);
  await index.update(signal);
  expect(await find(index, 'otter')).toEqual([]);
  await rm(path);
  await record(state, 's', [begin('Another'), message('heron'), message('otter'), message('longer than before')]);
  await index.update(signal);
  expect(await find(index, 'walrus')).toEqual(['other/2']);
  expect(await find(index, 'otter')).toEqual(['s/3']);
  expect((await index.sessions({})).map(({ title }) => title).sort()).toEqual(['Another', 'Other']);
});

test('a deleted session is gone from every answer and from every byte, and those beside it stay', async () => {
  const state = await temporaryFolder();
  const index = await openEngine(state);
  for (const id of ['a', 'b', 'c']) await record(state, id, [begin(`Title ${id}`), message(`walrus secretword${id}`)]);
  await index.update(signal);
  await rm(journalPath(state, 'b'));
  expect(await index.update(signal)).toMatchObject({ sessions: 2, messages: 2 });
  expect((await find(index, 'walrus')).toSorted()).toEqual(['a/2', 'c/2']);
  await index.save();
  const bytes = await readFile(`${state}/index/history.sqlite`);
  expect(bytes.includes('secretworda')).toBe(true);
  expect(bytes.includes('secretwordb')).toBe(false);
  expect(bytes.includes('Title b')).toBe(false);
});

test('damage is counted, and the rest of the journal and the other journals are there', async () => {
  const state = await temporaryFolder();
  const path = journalPath(state, 'a');
  await record(state, 'a', [begin('x'), message('walrus'), message('otter'), message('heron'), message('egret')]);
  await record(state, 'b', [begin('x'), message('walrus')]);
  const lines = (await readFile(path, 'utf8')).split('\n');
  await writeFile(path, [lines[0], lines[1]?.replace('walrus', 'wolrus'), '\0\0\0', lines[3], lines[4], ''].join('\n'));
  const index = await openEngine(state);
  const counted = await index.update(signal);
  expect(counted).toMatchObject({ sessions: 2, messages: 3, damagedLines: 2 });
  expect(await find(index, 'walrus')).toEqual(['b/2']);
  expect(await find(index, 'heron')).toEqual(['a/4']);
  await appendFile(path, 'garbage\n');
  expect((await index.update(signal)).damagedLines).toBe(3);
});

test('an update that is stopped leaves what it read, and the next one goes on', async () => {
  const state = await temporaryFolder();
  for (let session = 0; session < 20; session++) {
    await record(state, `s${session}`, [begin('x'), ...Array.from({ length: 50 }, () => message('walrus'))]);
  }
  const index = await openEngine(state);
  const stopping = new AbortController();
  const stopped = index.update(stopping.signal);
  setImmediate(() => stopping.abort());
  await expect(stopped).rejects.toThrow(/abort/i);
  expect(await index.update(signal)).toMatchObject({ sessions: 20, messages: 1000 });
});

test('callers share an update, and one that gives up does not take it from the others', async () => {
  const state = await temporaryFolder();
  await record(state, 's', [begin('x'), message('walrus')]);
  const index = await openEngine(state);
  const leaving = new AbortController();
  const [first, second] = [index.update(leaving.signal), index.update(signal)];
  leaving.abort();
  await expect(first).rejects.toThrow(/abort/i);
  expect(await second).toMatchObject({ messages: 1 });
});

/** So that a test need not write thousands of messages. */
function useSmallTables(): void {
  const before = [shardLimits.messages, indexLimits.bytes] as const;
  onTestFinished(() => {
    [shardLimits.messages, indexLimits.bytes] = before;
  });
  shardLimits.messages = 400;
}

test('long sessions and many sessions spread over tables of words, and a deleted one takes only its own', async () => {
  useSmallTables();
  const state = await temporaryFolder();
  const many = (word: string) => Array.from({ length: 450 }, (_, index) => message(`${word} ${index}`));
  await record(state, 'long', [begin('x'), ...many('walrus')]);
  await record(state, 'other', [begin('x'), ...many('otter')]);
  await record(state, 'small', [begin('x'), message('walrus')]);
  const index = await openEngine(state);
  await index.update(signal);
  const count = async (query: string) => (await index.search(query, { limit: 500 }, signal)).hits.length;
  expect(await count('walrus')).toBe(451);
  expect(await find(index, '"walrus 440"')).toEqual(['long/442']);
  await rm(journalPath(state, 'long'));
  expect(await index.update(signal)).toMatchObject({ sessions: 2, messages: 451 });
  expect(await find(index, 'walrus')).toEqual(['small/2']);
  expect(await find(index, '"otter 440"')).toEqual(['other/442']);
});

test('an index that gets too large lets go of the words of the oldest messages, and says of how many', async () => {
  useSmallTables();
  indexLimits.bytes = 400_000;
  const state = await temporaryFolder();
  for (const [count, id] of ['a', 'b', 'c', 'd'].entries()) {
    const time = 1_000_000 * (count + 1);
    const words = Array.from({ length: 60 }, (_, word) => `word${id}${word}`).join(' ');
    const messages = Array.from({ length: 400 }, (_, index) =>
      message(`${words} unique${id}${index}`, { time: time + index }),
    );
    await record(state, id, [begin(id), ...messages]);
  }
  const index = await openEngine(state);
  const { unsearched, messages } = await index.update(signal);
  expect(messages).toBe(1_600);
  expect(unsearched).toBeGreaterThanOrEqual(400);
  expect(unsearched).toBeLessThan(1_600);
  expect(await find(index, 'uniqued399')).toEqual(['d/401']);
  expect(await find(index, 'uniquea1')).toEqual([]);
  expect((await index.search('uniqued1', { limit: 1 }, signal)).unsearched).toBe(unsearched);
});
