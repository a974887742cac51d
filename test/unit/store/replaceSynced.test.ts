import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { replaceSynced } from '../../../src/agent/store/replaceSynced.ts';
import { temporaryFolder } from './sample.ts';

async function oldFile() {
  const folder = await temporaryFolder();
  const path = join(folder, 'export.md');
  await writeFile(path, 'what stood there');
  return { path, left: async () => [await readFile(path, 'utf8'), await readdir(folder)] };
}

async function* pieces(end: () => void = () => {}): AsyncGenerator<string> {
  yield 'one ';
  end();
  yield 'two';
}

test('a file is replaced by what comes in pieces', async () => {
  const { path, left } = await oldFile();
  await replaceSynced(path, pieces());
  expect(await left()).toEqual(['one two', ['export.md']]);
});

test('a file stays as it was when what was to replace it fails in the middle, or is not wanted any more', async () => {
  const { path, left } = await oldFile();
  const failing = pieces(() => {
    throw new Error('the journal cannot be read');
  });
  await expect(replaceSynced(path, failing)).rejects.toThrow('cannot be read');
  expect(await left()).toEqual(['what stood there', ['export.md']]);
  const controller = new AbortController();
  const stopped = pieces(() => controller.abort());
  await expect(replaceSynced(path, stopped, controller.signal)).rejects.toThrow(/abort/i);
  expect(await left()).toEqual(['what stood there', ['export.md']]);
});
