import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createNodeFiles } from '../../../src/agent/node/files.ts';

const { signal } = new AbortController();
const big = 'x'.repeat(40 * 1024 * 1024);
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'offshoot-replace-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Until the new file is being written beside the old one. */
async function writingHasBegun(names: number): Promise<void> {
  while ((await readdir(folder)).length < names) await new Promise((resolve) => setTimeout(resolve, 1));
}

it('sees a change that came while the new text was being written', async () => {
  const path = join(folder, 'a.txt');
  await writeFile(path, 'one');
  const files = createNodeFiles();
  const { version } = await files.readText(path, signal);
  const writing = files.writeText(path, big, version, signal);
  await writingHasBegun(2);
  await Promise.all([writeFile(path, 'two'), expect(writing).rejects.toMatchObject({ kind: 'changed' })]);
  expect(await readFile(path, 'utf8')).toBe('two');
  expect(await readdir(folder)).toEqual(['a.txt']);
});

it('sees a file that came up while the new one was being written', async () => {
  const path = join(folder, 'a.txt');
  const writing = createNodeFiles().writeText(path, big, 'absent', signal);
  await writingHasBegun(1);
  await Promise.all([writeFile(path, 'two'), expect(writing).rejects.toMatchObject({ kind: 'exists' })]);
  expect(await readFile(path, 'utf8')).toBe('two');
  expect(await readdir(folder)).toEqual(['a.txt']);
});
