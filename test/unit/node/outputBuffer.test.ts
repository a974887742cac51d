import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createOutputBuffer } from '../../../src/agent/node/shell/outputBuffer.ts';
import { createDoor } from '../../support/door.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'offshoot-output-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('keeps what fits whole', async () => {
  const buffer = createOutputBuffer(10, join(folder, 'out'), () => undefined);
  for (const text of ['abc', 'de', 'fghij']) buffer.add(text);
  expect(await buffer.end()).toEqual({ output: 'abcdefghij', outputChars: 10, isTruncated: false });
});

it('keeps head and tail of what does not fit, and all of it in the file', async () => {
  const buffer = createOutputBuffer(10, join(folder, 'out'), () => undefined);
  for (const text of ['abc', 'defghijk', 'l', 'mnop']) buffer.add(text);
  const output = 'abcde\n[… 6 characters left out …]\nlmnop';
  expect(await buffer.end()).toEqual({ output, outputChars: 16, isTruncated: true });
  expect(await readFile(join(folder, 'out'), 'utf8')).toBe('abcdefghijklmnop');
});

it('goes on when the file cannot be written', async () => {
  const failed = createDoor();
  const buffer = createOutputBuffer(10, join(folder, 'missing', 'out'), failed.open);
  buffer.add('x'.repeat(100));
  await failed.wait;
  expect(buffer.add('y'.repeat(100))).toBe(true);
  expect((await buffer.end()).outputChars).toBe(200);
});
