import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { type Journal, openJournal } from '../../../src/agent/store/journal/journal.ts';
import { diskFiles, type JournalFile, type JournalFiles } from '../../../src/agent/store/journal/journalFile.ts';
import { syncPoint } from '../../../src/agent/store/journal/syncPoint.ts';
import { notice, numbers, readAll, stamped, temporaryFolder } from './sample.ts';

const unexpected = (message: string) => expect.unreachable(message);

async function fill(path: string, from: number, to: number): Promise<void> {
  const journal = await openJournal(path, { onProblem: unexpected });
  await Promise.all(numbers(from, to).map((seq) => journal.append(notice(seq), 'lazy')));
  await journal.close();
}

type Call = 'write' | 'sync';

/** The disk, with a hand on every write and sync; `before` may throw, or say how many bytes are taken. */
function watchedFiles(before: (call: Call, bytes: Uint8Array) => number | undefined): JournalFiles {
  return {
    ...diskFiles,
    async open(path) {
      const file = await diskFiles.open(path);
      const watched: JournalFile = {
        ...file,
        write: (bytes) => file.write(bytes.subarray(0, before('write', bytes) ?? bytes.length)),
        async sync() {
          before('sync', new Uint8Array());
          await file.sync();
        },
      };
      return watched;
    },
  };
}

test('a journal holds one checked line per event, in order, private to the user', async () => {
  const path = join(await temporaryFolder(), 'state', 'sessions', 's1.jsonl');
  await fill(path, 1, 3);
  await fill(path, 4, 5);
  const lines = (await readFile(path, 'utf8')).split('\n');
  expect(lines).toHaveLength(6);
  expect(lines[3]).toMatch(/^\{"sum":"[0-9a-f]{8}","seq":4,"event":\{"type":"notice",.*\}\}$/);
  expect(await readAll(path)).toEqual({ seqs: numbers(1, 5), problems: [] });
  if (process.platform === 'win32') return;
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await stat(join(path, '..'))).mode & 0o777).toBe(0o700);
});

test('a journal cut at any byte loses only the unfinished record, and goes on behind it', {
  timeout: 60_000,
}, async () => {
  const folder = await temporaryFolder();
  const whole = join(folder, 'whole.jsonl');
  await fill(whole, 1, 3);
  const bytes = await readFile(whole);
  const cutAt = async (length: number) => {
    const path = join(folder, `cut-${length}.jsonl`);
    await writeFile(path, bytes.subarray(0, length));
    const kept = completeRecords(bytes, length);
    expect((await readAll(path)).seqs).toEqual(numbers(1, kept));
    expect(await readFile(path)).toEqual(bytes.subarray(0, length));
    const problems: string[] = [];
    const journal = await openJournal(path, { onProblem: (message) => problems.push(message) });
    await journal.append(notice(9), 'lazy');
    await journal.close();
    expect(await readAll(path)).toEqual({ seqs: [...numbers(1, kept), 9], problems: [] });
    const torn = bytes.subarray(0, length).subarray(endOf(bytes, kept));
    const isTorn = torn.length > 0;
    expect(problems).toHaveLength(isTorn ? 1 : 0);
    if (isTorn) expect(await readFile(`${path}.torn-1`)).toEqual(torn);
  };
  for (let start = 0; start < bytes.length; start += 16) {
    await Promise.all(numbers(start, Math.min(start + 15, bytes.length - 1)).map(cutAt));
  }
});

/** A record is complete without its line end. */
function completeRecords(bytes: Buffer, length: number): number {
  return [1, 2, 3].filter((count) => endOf(bytes, count) - 1 <= length).length;
}

function endOf(bytes: Buffer, records: number): number {
  let end = 0;
  for (let count = 0; count < records; count++) end = bytes.indexOf('\n', end) + 1;
  return end;
}

test('a tail that is torn again is kept under a new name', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 's.jsonl');
  for (const seq of [1, 2]) {
    const journal = await openJournal(path, { onProblem: () => undefined });
    await journal.append(notice(seq), 'lazy');
    await journal.close();
    await writeFile(path, `{"sum":"torn ${seq}`, { flag: 'a' });
  }
  await (await openJournal(path, { onProblem: () => undefined })).close();
  expect((await readdir(folder)).sort()).toEqual(['s.jsonl', 's.jsonl.torn-1', 's.jsonl.torn-2']);
  expect(await readAll(path)).toEqual({ seqs: [1, 2], problems: [] });
});

test.each(numbers(1, 12))(
  'a disk that fails at write or sync %i loses nothing, says so once, and goes on',
  async (failAt) => {
    for (const taken of [undefined, 0, 1, 40, 250]) {
      const path = join(await temporaryFolder(), 's.jsonl');
      let calls = 0;
      let isPartial = false;
      const files = watchedFiles((_, bytes) => {
        if (isPartial) {
          isPartial = false;
          throw new Error('ENOSPC: no space left on device');
        }
        calls += 1;
        if (calls !== failAt) return undefined;
        if (taken === undefined || taken >= bytes.length) throw new Error('EIO: i/o error');
        isPartial = true;
        return taken;
      });
      const problems: string[] = [];
      const journal = await openJournal(path, { files, onProblem: (message) => problems.push(message) });
      const failed = await appendAll(journal, 8);
      await journal.close();
      const { seqs } = await readAll(path);
      expect(seqs).toEqual(numbers(1, 8));
      expect(problems.length).toBe(1);
      expect(problems[0]).toMatch(/cannot be saved \((EIO|ENOSPC).*tried again/);
      expect(failed).toBeLessThanOrEqual(1);
    }
  },
);

/** One after the other, every second one synced. */
async function appendAll(journal: Journal, count: number): Promise<number> {
  let failed = 0;
  for (const seq of numbers(1, count)) {
    await journal.append(notice(seq), seq % 2 === 0 ? 'synced' : 'lazy').catch(() => {
      failed += 1;
    });
  }
  return failed;
}

test('a full disk is told once, every append rejects, and all is there once there is room', async () => {
  const path = join(await temporaryFolder(), 's.jsonl');
  let isFull = false;
  const files = watchedFiles((call) => {
    if (call === 'write' && isFull) throw new Error('ENOSPC: no space left on device');
    return undefined;
  });
  const problems: string[] = [];
  const journal = await openJournal(path, { files, onProblem: (message) => problems.push(message) });
  await journal.append(notice(1), 'synced');
  isFull = true;
  for (const seq of [2, 3, 4]) await expect(journal.append(notice(seq), 'lazy')).rejects.toThrow(/ENOSPC/);
  expect(problems).toHaveLength(1);
  isFull = false;
  await journal.append(notice(5), 'lazy');
  isFull = true;
  await expect(journal.append(notice(6), 'synced')).rejects.toThrow(/ENOSPC/);
  expect(problems).toHaveLength(2);
  await expect(journal.close()).rejects.toThrow(/1 records? .*missing|not saved/);
  expect(await readAll(path)).toEqual({ seqs: numbers(1, 5), problems: [] });
});

test('what the system drops when a sync fails is written again', async () => {
  const path = join(await temporaryFolder(), 's.jsonl');
  let durable = 0;
  let isFailing = false;
  const files: JournalFiles = {
    ...diskFiles,
    async open(name) {
      const file = await diskFiles.open(name);
      const forgetful: JournalFile = {
        ...file,
        async sync() {
          if (isFailing) {
            await file.truncate(durable);
            throw new Error('EIO: i/o error');
          }
          durable = await file.size();
        },
      };
      return forgetful;
    },
  };
  const journal = await openJournal(path, { files, onProblem: () => undefined });
  await journal.append(notice(1), 'synced');
  await journal.append(notice(2), 'lazy');
  isFailing = true;
  await expect(journal.append(notice(3), 'synced')).rejects.toThrow(/EIO/);
  isFailing = false;
  await journal.append(notice(4), 'synced');
  await journal.close();
  expect(await readAll(path)).toEqual({ seqs: numbers(1, 4), problems: [] });
});

test('a slow medium keeps no write waiting, and what was written while its sync failed is written again in order', async () => {
  const path = join(await temporaryFolder(), 's.jsonl');
  const syncs: ((isFailing: boolean) => void)[] = [];
  let durable = 0;
  const files: JournalFiles = {
    ...diskFiles,
    async open(name) {
      const file = await diskFiles.open(name);
      const slow: JournalFile = {
        ...file,
        async sync() {
          if (!(await new Promise<boolean>((resolve) => syncs.push(resolve)))) {
            durable = await file.size();
            return;
          }
          await file.truncate(durable);
          throw new Error('EIO: i/o error');
        },
      };
      return slow;
    },
  };
  const problems: string[] = [];
  const journal = await openJournal(path, { files, onProblem: (message) => problems.push(message) });
  const begun = () => vi.waitUntil(() => syncs.length > 0);
  const first = journal.append(notice(1), 'synced');
  await begun();
  await journal.append(notice(2), 'lazy');
  syncs.shift()?.(false);
  await first;
  const lost = journal.append(notice(3), 'synced').catch(() => 'told');
  await begun();
  await journal.append(notice(4), 'lazy');
  expect((await readAll(path)).seqs).toEqual(numbers(1, 4));
  syncs.shift()?.(true);
  expect(await lost).toBe('told');
  expect(problems).toHaveLength(1);
  const last = journal.append(notice(5), 'synced');
  await begun();
  await journal.append(notice(6), 'lazy');
  syncs.shift()?.(false);
  await last;
  const closed = journal.close();
  await begun();
  syncs.shift()?.(false);
  await closed;
  expect(await readAll(path)).toEqual({ seqs: numbers(1, 6), problems: [] });
});

test('a process that is killed in the middle of writing loses no record that was reported as written', async () => {
  for (const delay of [1, 10, 40]) {
    const path = join(await temporaryFolder(), 's.jsonl');
    const script = fileURLToPath(new URL('./appendForever.ts', import.meta.url));
    const child = spawn(process.execPath, [script, path]);
    let output = '';
    child.stdout.on('data', (text: Buffer) => {
      if (output === '') setTimeout(() => child.kill('SIGKILL'), delay);
      output += text.toString();
    });
    await once(child, 'close');
    const reported = output.split('\n').length - 1;
    expect(reported).toBeGreaterThan(0);
    const { seqs } = await readAll(path);
    expect(seqs.length).toBeGreaterThanOrEqual(reported);
    expect(seqs).toEqual(numbers(1, seqs.length));
  }
});

test('records of one tick share a write, and one sync covers all before it', async () => {
  const path = join(await temporaryFolder(), 's.jsonl');
  const calls: string[] = [];
  const files = watchedFiles((call, bytes) => {
    calls.push(call === 'sync' ? 'sync' : `write ${Buffer.from(bytes).toString().split('\n').length - 1}`);
    return undefined;
  });
  const journal = await openJournal(path, { files, onProblem: unexpected });
  await Promise.all([journal.append(notice(1), 'lazy'), journal.append(notice(2), 'lazy')]);
  await journal.append(notice(3), 'synced');
  await journal.append(notice(4), 'lazy');
  await journal.close();
  await expect(journal.append(notice(5), 'lazy')).rejects.toThrow(/closed/);
  expect(calls).toEqual(['write 2', 'write 1', 'sync', 'write 1', 'sync']);
});

test('an append that follows the last one at once is not forgotten', async () => {
  const path = join(await temporaryFolder(), 's.jsonl');
  const journal = await openJournal(path, { onProblem: unexpected });
  for (const seq of numbers(1, 300)) await journal.append(notice(seq), 'lazy');
  const before = numbers(301, 1000).map((seq) => journal.append(notice(seq), seq % 100 === 0 ? 'synced' : 'lazy'));
  await Promise.all([...before, journal.close()]);
  expect(await readAll(path)).toEqual({ seqs: numbers(1, 1000), problems: [] });
});

test('each append writes its own record and reads nothing, however long the journal is', async () => {
  const path = join(await temporaryFolder(), 's.jsonl');
  let written = 0;
  let writes = 0;
  const files = watchedFiles((call, bytes) => {
    writes += call === 'write' ? 1 : 0;
    written += bytes.length;
    return undefined;
  });
  const journal = await openJournal(path, { files, onProblem: unexpected });
  for (const seq of numbers(1, 1000)) await journal.append(notice(seq), 'lazy');
  await journal.close();
  expect(writes).toBe(1000);
  expect(written).toBe((await stat(path)).size);
});

test('sync points stand at the message of the user and around what may change the world', () => {
  const events = [
    stamped(1, { type: 'turn-start', turn: 1, prompt: 'hi' }),
    stamped(2, { type: 'message-append', step: 0, message: { role: 'user', content: [{ type: 'text', text: 'hi' }] } }),
    stamped(3, { type: 'tool-start', step: 1, call: 'c', tool: 'Read', input: {}, summary: 'Read a' }),
    stamped(4, { type: 'tool-end', call: 'c', tool: 'Read', status: 'ok', summary: '', preview: '', durationMs: 1 }),
    stamped(5, { type: 'turn-end', turn: 1, status: 'completed' }),
  ];
  expect(events.map(syncPoint)).toEqual(['synced', 'lazy', 'synced', 'synced', 'synced']);
});

test('lazy records do not pile up: they are synced by and by, and what a record costs does not depend on how many there are', async () => {
  const path = join(await temporaryFolder(), 's.jsonl');
  let syncs = 0;
  const files = watchedFiles((call) => {
    syncs += call === 'sync' ? 1 : 0;
    return undefined;
  });
  const journal = await openJournal(path, { files, onProblem: unexpected });
  for (const seq of numbers(1, 100)) await journal.append(notice(seq, 'x'.repeat(100_000)), 'lazy');
  expect(syncs).toBe(2);
  await journal.close();
  expect((await readAll(path)).seqs).toEqual(numbers(1, 100));
});

test('what is written is not yet on the medium, and a write is not waited for longer than it takes', async () => {
  const path = join(await temporaryFolder(), 's.jsonl');
  let sync = () => {};
  const held = new Promise<void>((resolve) => {
    sync = resolve;
  });
  const files: JournalFiles = {
    ...diskFiles,
    async open(path) {
      const file = await diskFiles.open(path);
      return { ...file, sync: () => held.then(() => file.sync()) };
    },
  };
  const journal = await openJournal(path, { files, onProblem: unexpected });
  await journal.written();
  const kept = journal.append(notice(1), 'synced');
  await journal.written();
  expect((await readAll(path)).seqs).toEqual([1]);
  // Nothing is left to be written, though the sync goes on.
  await journal.written();
  const isKept = await Promise.race([kept.then(() => true), Promise.resolve(false)]);
  expect(isKept).toBe(false);
  sync();
  await kept;
  await journal.close();
});

test('a write that fails keeps nobody waiting', async () => {
  const path = join(await temporaryFolder(), 's.jsonl');
  let isFull = true;
  const files = watchedFiles(() => {
    if (isFull) throw new Error('ENOSPC: no space left on device');
    return undefined;
  });
  const problems: string[] = [];
  const journal = await openJournal(path, { files, onProblem: (message) => problems.push(message) });
  const lost = journal.append(notice(1), 'lazy').catch(() => 'told');
  await journal.written();
  expect([await lost, problems.length]).toEqual(['told', 1]);
  isFull = false;
  await journal.close();
  expect((await readAll(path)).seqs).toEqual([1]);
});
