import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { indexPath } from '../../../../src/agent/store/index/indexFile.ts';
import { schemaVersion } from '../../../../src/agent/store/index/schema.ts';
import { temporaryFolder } from '../sample.ts';
import { begin, find, message, openEngine, openThread, record, signal } from './setup.ts';

async function savedIndex() {
  const state = await temporaryFolder();
  await record(state, 's', [begin('x'), message('walrus')]);
  const index = await openEngine(state);
  await index.update(signal);
  expect(await index.save()).toBe(true);
  const path = indexPath(state);
  return { state, path, bytes: await readFile(path) };
}

async function openAndFind(state: string): Promise<readonly string[]> {
  const notices: string[] = [];
  const index = await openEngine(state, notices);
  await index.update(signal);
  expect(await find(index, 'walrus')).toEqual(['s/2']);
  await index.close();
  return notices;
}

test('a saved index is read back without reading the journals again, private and sealed', async () => {
  const { state, path } = await savedIndex();
  const notices: string[] = [];
  const index = await openEngine(state, notices);
  expect(await find(index, 'walrus')).toEqual(['s/2']);
  expect(notices).toEqual([]);
  expect(await readdir(dirname(path))).toEqual(['history.sqlite']);
  if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test('an index that is missing is made again without a word; one that is empty, cut, foreign, older or damaged with one', async () => {
  const { state, path, bytes } = await savedIndex();
  await rm(path);
  expect(await openAndFind(state)).toEqual([]);
  const older = Buffer.from(bytes);
  older.writeUInt32BE(schemaVersion - 1, 60);
  const flipped = Buffer.from(bytes);
  flipped[5000] = (flipped[5000] ?? 0) ^ 1;
  const cases = [
    [Buffer.alloc(0), /empty/],
    [bytes.subarray(0, 3000), /damaged/],
    [bytes.subarray(0, bytes.length - 1), /damaged/],
    [Buffer.from('SQLite format 3\0 and no more'), /no index/],
    [Buffer.alloc(9000), /no index/],
    [older, /older version/],
    [flipped, /damaged/],
  ] as const;
  for (const [content, reason] of cases) {
    await writeFile(path, content);
    const notices = await openAndFind(state);
    expect(notices).toHaveLength(1);
    expect(notices[0]).toMatch(reason);
    expect(await openAndFind(state)).toEqual([]);
  }
});

test('an index that a newer version wrote is used by nobody else and left as it is', async () => {
  const { state, path, bytes } = await savedIndex();
  const newer = Buffer.from(bytes);
  newer.writeUInt32BE(schemaVersion + 1, 60);
  await writeFile(path, newer);
  const notices = await openAndFind(state);
  expect(notices).toEqual([expect.stringMatching(/newer version/)]);
  expect(await readFile(path)).toEqual(newer);
});

test('a newer version that saves while this one works is not overwritten', async () => {
  const { state, path, bytes } = await savedIndex();
  const index = await openEngine(state);
  await record(state, 't', [begin('x'), message('walrus')]);
  await index.update(signal);
  const newer = Buffer.from(bytes);
  newer.writeUInt32BE(schemaVersion + 1, 60);
  await writeFile(path, newer);
  await index.close();
  expect(await readFile(path)).toEqual(newer);
});

test('two windows write a hundred sessions each: each finds two hundred, whoever saved last', async () => {
  const state = await temporaryFolder();
  const [one, two] = [await openEngine(state), await openEngine(state)];
  for (let count = 0; count < 100; count++) {
    await Promise.all([`one${count}`, `two${count}`].map((id) => record(state, id, [begin('x'), message('walrus')])));
    if (count === 50) await Promise.all([one.update(signal), two.update(signal)]);
    if (count === 70) await one.save();
  }
  await one.update(signal);
  expect(await one.sessions({})).toHaveLength(200);
  expect((await two.update(signal)).sessions).toBe(200);
  await Promise.all([one.close(), two.close()]);
  const third = await openEngine(state);
  expect((await third.update(signal)).messages).toBe(200);
});

test('while another window holds the lock nothing waits: answers come, and the file is saved when it is free', async () => {
  const state = await temporaryFolder();
  await record(state, 's', [begin('x'), message('walrus')]);
  const lock = `${indexPath(state)}.lock`;
  await mkdir(dirname(lock), { recursive: true });
  const holder = { host: 'elsewhere', pid: 1, token: 't', beat: Date.now() };
  await writeFile(lock, JSON.stringify(holder));
  const index = await openEngine(state);
  await index.update(signal);
  expect(await index.save()).toBe(false);
  expect(await find(index, 'walrus')).toEqual(['s/2']);
  await writeFile(lock, JSON.stringify({ ...holder, host: hostname(), pid: 2 ** 30 }));
  expect(await index.save()).toBe(true);
  expect(await readdir(dirname(lock))).toEqual(['history.sqlite']);
});

test('an index that cannot be saved says so, once, and answers all the same', async () => {
  const state = await temporaryFolder();
  await record(state, 's', [begin('x'), message('walrus')]);
  await writeFile(`${state}/index`, 'a file where a folder is needed');
  const notices: string[] = [];
  const index = await openEngine(state, notices);
  await index.update(signal);
  expect(await index.save()).toBe(false);
  expect(await index.save()).toBe(false);
  expect(await find(index, 'walrus')).toEqual(['s/2']);
  expect(notices).toEqual([expect.stringMatching(/cannot be read/), expect.stringMatching(/cannot be saved/)]);
});

test('leftovers of a process that was killed while it saved are removed in time', async () => {
  const { state, path } = await savedIndex();
  const leftover = `${path}.0123456789abcdef.tmp`;
  await writeFile(leftover, 'x');
  await utimes(leftover, 1, 1);
  await record(state, 't', [begin('x'), message('walrus')]);
  const index = await openEngine(state);
  await index.update(signal);
  await index.save();
  expect(await readdir(dirname(path))).toEqual(['history.sqlite']);
});

test('the thread answers, is stopped, and is started again after it was closed', async () => {
  const state = await temporaryFolder();
  await record(state, 's', [begin('x'), message('walrus')]);
  const index = openThread(state);
  await expect(index.update(AbortSignal.abort())).rejects.toThrow(/abort/i);
  expect(await index.update(signal)).toMatchObject({ sessions: 1, messages: 1 });
  expect(await find(index, 'walrus')).toEqual(['s/2']);
  expect((await index.report({ kind: 'cost', by: 'model' }, signal)).rows).toEqual([]);
  await index.close();
  await index.close();
  expect(await readdir(`${state}/index`)).toEqual(['history.sqlite']);
  expect((await index.sessions({}, signal)).map(({ id }) => id)).toEqual(['s']);
});

test('who asks while the thread is closed gets another one', async () => {
  const state = await temporaryFolder();
  await record(state, 's', [begin('x'), message('walrus')]);
  const index = openThread(state);
  await index.update(signal);
  const closing = index.close();
  const [found] = await Promise.all([index.update(signal).then(() => find(index, 'walrus')), closing]);
  expect(found).toEqual(['s/2']);
});

test('opening and asking change no journal and no time of one', async () => {
  const { state } = await savedIndex();
  const path = `${state}/sessions/s.jsonl`;
  const before = [await readFile(path), (await stat(path)).mtimeMs, await readdir(dirname(path))];
  await openAndFind(state);
  expect([await readFile(path), (await stat(path)).mtimeMs, await readdir(dirname(path))]).toEqual(before);
});
