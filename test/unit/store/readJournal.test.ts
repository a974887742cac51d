import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openJournal } from '../../../src/agent/store/journal/journal.ts';
import { readJournal } from '../../../src/agent/store/journal/readJournal.ts';
import { notice, numbers, readAll, temporaryFolder } from './sample.ts';

async function journalOf(
  count: number,
): Promise<{ readonly path: string; readonly lines: string[]; readonly bytes: Buffer }> {
  const path = join(await temporaryFolder(), 's.jsonl');
  const journal = await openJournal(path, { onProblem: (message) => expect.unreachable(message) });
  for (const seq of numbers(1, count)) await journal.append(notice(seq), 'lazy');
  await journal.close();
  const bytes = await readFile(path);
  return { path, lines: bytes.toString().split('\n').slice(0, -1), bytes };
}

function line(seq: number, event: unknown): string {
  const covered = `"seq":${seq},"event":${JSON.stringify(event)}}`;
  return `{"sum":"${createHash('sha256').update(covered).digest('hex').slice(0, 8)}",${covered}`;
}

test('a flipped bit costs at most the lines it touches, and is told with the line number', async () => {
  const { path, bytes } = await journalOf(3);
  for (let place = 0; place < bytes.length; place++) {
    const flipped = Buffer.from(bytes);
    flipped[place] = (flipped[place] ?? 0) ^ (1 << (place % 8));
    await writeFile(path, flipped);
    const broken = bytes.subarray(0, place).toString().split('\n').length;
    const isLineEnd = bytes[place] === 0x0a;
    const lost = isLineEnd ? [broken, broken + 1] : [broken];
    const { seqs, problems } = await readAll(path);
    if (!(isLineEnd && broken === 3)) {
      expect(seqs).toEqual([1, 2, 3].filter((seq) => !lost.includes(seq)));
    }
    expect(problems.length).toBeGreaterThan(0);
    expect(problems[0]).toContain(`Line ${broken}:`);
  }
});

test('garbage, NULs and a foreign file in the middle are skipped; the rest is there', async () => {
  const { path, lines } = await journalOf(4);
  const [first = '', second = '', third = '', fourth = ''] = lines;
  await writeFile(path, [first, '\0'.repeat(5000), second, '{"half":', third, '', '[1]', fourth, ''].join('\n'));
  expect(await readAll(path)).toEqual({
    seqs: [1, 2, 3, 4],
    problems: [
      'Line 2: skipped, it is not a record.',
      'Line 4: skipped, it is not a record.',
      'Line 7: skipped, it is not a record.',
    ],
  });
});

test('deleted, repeated and exchanged lines are noticed', async () => {
  const { path, lines } = await journalOf(6);
  const at = (...seqs: readonly number[]) => seqs.map((seq) => `${lines[seq - 1]}\n`).join('');
  await writeFile(path, at(1, 4, 5, 6));
  expect(await readAll(path)).toEqual({ seqs: [1, 4, 5, 6], problems: ['Line 2: 2 record(s) before it are missing.'] });
  await writeFile(path, at(1, 2, 2, 1, 3));
  expect(await readAll(path)).toEqual({ seqs: [1, 2, 3], problems: [] });
  await writeFile(path, at(1, 3, 2, 4));
  expect(await readAll(path)).toEqual({
    seqs: [1, 3, 4],
    problems: ['Line 2: 1 record(s) before it are missing.', 'Line 3: skipped, its number 2 is out of order.'],
  });
});

test('events of other versions are passed over, and events without an envelope too', async () => {
  const { path, lines } = await journalOf(2);
  const strange = { ...notice(3), type: 'mind-read' };
  const { agent: _, ...bare } = notice(4);
  await writeFile(path, `${[...lines, line(3, strange), line(4, bare), line(5, notice(5))].join('\n')}\n`);
  expect(await readAll(path)).toEqual({
    seqs: [1, 2, 5],
    problems: [
      'Line 3: passed over, it holds an event of an unknown type, "mind-read".',
      'Line 4: passed over, its event lacks who, when or what.',
    ],
  });
});

test('reading changes nothing, and an unfinished last record is told', async () => {
  const { path, bytes } = await journalOf(2);
  const torn = bytes.subarray(0, bytes.length - 9);
  await writeFile(path, torn);
  expect(await readAll(path)).toEqual({
    seqs: [1],
    problems: ['Line 2: the last record was not finished; it is skipped.'],
  });
  expect(await readFile(path)).toEqual(torn);
});

test('a line far too long is skipped without being kept in memory', async () => {
  const { path, lines } = await journalOf(2);
  await writeFile(path, `${lines[0]}\n`);
  const megabytes = 200;
  for (let count = 0; count < megabytes; count++) await writeFile(path, Buffer.alloc(1024 * 1024), { flag: 'a' });
  await writeFile(path, `\n${lines[1]}\n`, { flag: 'a' });
  const before = process.memoryUsage().arrayBuffers;
  expect(await readAll(path)).toEqual({ seqs: [1, 2], problems: ['Line 2: skipped, it is too long.'] });
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(150 * 1024 * 1024);
});

test('reading ends when its signal aborts, and fails for a file that is not there', async () => {
  const { path } = await journalOf(2);
  const read = async (file: string, signal?: AbortSignal) => {
    const options = { onProblem: () => undefined, ...(signal && { signal }) };
    for await (const event of readJournal(file, options)) expect(event.type).toBe('notice');
  };
  await expect(read(path, AbortSignal.abort())).rejects.toThrow(/abort/i);
  await expect(read(`${path}.missing`)).rejects.toThrow(/ENOENT/);
});
