import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/agent/node/clock.ts';
import { openJournal } from '../../../src/agent/store/journal/journal.ts';
import { encodeRecord } from '../../../src/agent/store/journal/record.ts';
import { acquireLease } from '../../../src/agent/store/lease.ts';
import { factsCachePath } from '../../../src/agent/store/sessions/factsCache.ts';
import { changeLabel } from '../../../src/agent/store/sessions/label.ts';
import { createSessionList } from '../../../src/agent/store/sessions/sessionList.ts';
import { emptyTrash, restoreSession, trashSession } from '../../../src/agent/store/sessions/trash.ts';
import { journalPath, sessionsDirectory } from '../../../src/agent/store/sessions.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { notice, stamped, temporaryFolder } from './sample.ts';

const signal = new AbortController().signal;
const noTokens = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

function spend(seq: number, cost: number | undefined) {
  const total = { usage: noTokens, cost };
  return stamped(seq, {
    type: 'usage-update',
    step: 1,
    usage: noTokens,
    cost,
    contextTokens: 1,
    contextWindow: 2,
    total,
  });
}

const start = (seq: number, agent: string) =>
  stamped(
    seq,
    {
      type: 'agent-start',
      ...{ name: agent, agentType: 'Explore', description: '', prompt: '', model: 'm', modelRule: 'r', tools: [] },
      ...{ depth: 1, call: 'c' },
    },
    agent,
  );

/** The events of a whole turn: two agents, 0.25 dollars. */
const turn = [
  stamped(1, { type: 'session-start', workspace: '/code/shop', title: 'First words' }),
  stamped(2, { type: 'turn-start', turn: 1, prompt: 'First words' }),
  start(3, 'a1'),
  start(4, 'a2'),
  notice(5, 'x'.repeat(50_000)),
  spend(6, 0.25),
  start(7, 'a1'),
  stamped(8, { type: 'turn-end', turn: 1, status: 'completed' }),
];

async function write(state: string, id: string, events: readonly (typeof turn)[number][], from = 1): Promise<void> {
  await mkdir(sessionsDirectory(state), { recursive: true });
  const lines = events.map((event, index) => `${encodeRecord(from + index, { ...event, session: id })}\n`);
  await writeFile(journalPath(state, id), lines.join(''), { flag: 'a' });
}

describe('the list of sessions', () => {
  it('says how each ended, what it cost and who worked in it', async () => {
    const state = await temporaryFolder();
    await write(state, 's1', turn);
    await write(state, 's2', turn.slice(0, 2));
    const list = createSessionList(state, systemClock);
    expect(await list.update(signal)).toBe(true);
    const byId = new Map((await list.read(signal)).map((session) => [session.id, session]));
    expect(byId.get('s1')).toMatchObject({
      ...{ title: 'First words', workspace: '/code/shop', status: 'completed', agents: 2, usd: 0.25 },
      ...{ hasUnpriced: false, turns: 1, isPinned: false, holder: undefined },
    });
    expect(byId.get('s2')).toMatchObject({ status: 'interrupted', agents: 0, usd: 0 });
    expect(await list.update(signal)).toBe(false);
  });

  it('knows who holds a session', async () => {
    const state = await temporaryFolder();
    await write(state, 's1', turn.slice(0, 2));
    const list = createSessionList(state, systemClock);
    const lease = await acquireLease(`${journalPath(state, 's1')}.lock`, {
      clock: systemClock,
      pid: 1,
      isAlive: () => true,
    });
    expect(await list.read(signal)).toMatchObject([{ status: 'open', holder: 'elsewhere' }]);
    if (lease !== 'held') await lease.release();
    expect(await list.read(signal)).toMatchObject([{ status: 'interrupted', holder: undefined }]);
  });

  it('reads on where it stopped, also in another process, and anew what became shorter', async () => {
    const state = await temporaryFolder();
    await write(state, 's1', turn);
    await createSessionList(state, systemClock).update(signal);
    const again = createSessionList(state, systemClock);
    expect(await again.update(signal)).toBe(false);
    await write(state, 's1', [stamped(9, { type: 'turn-start', turn: 2, prompt: 'x' }), spend(10, undefined)], 9);
    expect(await again.update(signal)).toBe(true);
    expect(await again.read(signal)).toMatchObject([{ turns: 2, usd: 0.25, hasUnpriced: true, status: 'interrupted' }]);
    await writeFile(journalPath(state, 's1'), '');
    await write(state, 's1', turn.slice(0, 3));
    await again.update(signal);
    expect(await again.read(signal)).toMatchObject([{ turns: 1, usd: 0, agents: 1 }]);
  });

  it('passes over what is damaged or not finished', async () => {
    const state = await temporaryFolder();
    await write(state, 's1', turn.slice(0, 2));
    const path = journalPath(state, 's1');
    await writeFile(path, '{"sum":"00000000","seq":3,"event":{"type":"turn-end","status":"failed"}}\n', { flag: 'a' });
    await writeFile(path, encodeRecord(4, stamped(4, { type: 'turn-end', turn: 1, status: 'failed' })), { flag: 'a' });
    const list = createSessionList(state, systemClock);
    await list.update(signal);
    expect(await list.read(signal)).toMatchObject([{ status: 'interrupted' }]);
    await writeFile(path, '\n', { flag: 'a' });
    await list.update(signal);
    expect(await list.read(signal)).toMatchObject([{ status: 'failed' }]);
  });

  it('is made again from the journals when its file is gone, damaged or of another version', async () => {
    const state = await temporaryFolder();
    await write(state, 's1', turn);
    await createSessionList(state, systemClock).update(signal);
    for (const text of ['', 'x', '{"version":2,"sessions":{}}', '{"version":1,"sessions":{"s1":{}}}']) {
      await writeFile(factsCachePath(state), text);
      const list = createSessionList(state, systemClock);
      expect(await list.update(signal)).toBe(true);
      expect(await list.read(signal)).toMatchObject([{ usd: 0.25 }]);
    }
  });

  it('of a thousand sessions is there within a tenth of a second', async () => {
    const state = await temporaryFolder();
    const ids = Array.from({ length: 1000 }, (_, index) => `s${index}`);
    for (const id of ids) await write(state, id, turn.slice(0, 3));
    await createSessionList(state, systemClock).update(signal);
    const times: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const startedAt = performance.now();
      const sessions = await createSessionList(state, systemClock).read(signal);
      times.push(performance.now() - startedAt);
      expect(sessions).toHaveLength(1000);
    }
    // The best of five: other processes work on this machine as well.
    expect(Math.min(...times)).toBeLessThan(100);
  });
});

describe('a label', () => {
  it('names and pins a session that another process writes, and leaves its journal alone', async () => {
    const state = await temporaryFolder();
    await write(state, 's1', turn);
    await write(state, 's2', turn);
    await utimes(journalPath(state, 's1'), 10, 10);
    const before = await readFile(journalPath(state, 's1'), 'utf8');
    await changeLabel(state, 's1', { title: 'My name' });
    await changeLabel(state, 's1', { isPinned: true });
    const list = createSessionList(state, systemClock);
    expect(await list.read(signal)).toMatchObject([{ id: 's1', title: 'My name', isPinned: true }, { id: 's2' }]);
    await write(state, 's1', [stamped(9, { type: 'session-title', title: 'The model’s' })], 9);
    await list.update(signal);
    expect((await list.read(signal))[0]?.title).toBe('My name');
    await changeLabel(state, 's1', { title: '', isPinned: false });
    expect((await list.read(signal)).find(({ id }) => id === 's1')?.title).toBe('The model’s');
    expect(await readdir(sessionsDirectory(state))).toEqual(['s1.jsonl', 's2.jsonl']);
    expect((await readFile(journalPath(state, 's1'), 'utf8')).startsWith(before)).toBe(true);
  });

  it('that is damaged is none', async () => {
    const state = await temporaryFolder();
    await write(state, 's1', turn);
    await writeFile(join(sessionsDirectory(state), 's1.json'), '\0');
    const list = createSessionList(state, systemClock);
    expect(await list.read(signal)).toMatchObject([{ title: 'First words', isPinned: false }]);
  });

  it('cannot be written outside of the folder', async () => {
    await expect(changeLabel(await temporaryFolder(), '../x', { title: 'x' })).rejects.toThrow(/no id/);
  });
});

describe('the trash', () => {
  it('takes a session with all that belongs to it, and gives it back', async () => {
    const state = await temporaryFolder();
    await write(state, 's1', turn);
    await write(state, 's10', turn);
    await changeLabel(state, 's1', { title: 'Mine' });
    await writeFile(`${journalPath(state, 's1')}.torn-1`, 'x');
    await mkdir(join(state, 'artifacts', 's1'), { recursive: true });
    await writeFile(join(state, 'artifacts', 's1', 'a.txt'), 'long');
    const all = await readdir(state, { recursive: true });
    const trashed = await trashSession(state, 's1', systemClock);
    if (trashed === 'held') throw new Error('nobody holds it');
    expect(await readdir(sessionsDirectory(state))).toEqual(['s10.jsonl']);
    expect(await readdir(join(state, 'artifacts'))).toEqual([]);
    await restoreSession(state, trashed);
    expect((await readdir(state, { recursive: true })).filter((name) => name !== 'trash').sort()).toEqual(all.sort());
    await expect(restoreSession(state, trashed)).rejects.toThrow(/there already/);
  });

  it('does not take what somebody writes', async () => {
    const state = await temporaryFolder();
    const lease = await acquireLease(`${journalPath(state, 's1')}.lock`, { clock: systemClock });
    const journal = await openJournal(journalPath(state, 's1'), { onProblem: () => undefined });
    expect(await trashSession(state, 's1', systemClock)).toBe('held');
    await journal.close();
    if (lease !== 'held') await lease.release();
    expect(await stat(journalPath(state, 's1'))).toBeDefined();
  });

  it('is emptied of what was deleted a day ago', async () => {
    const state = await temporaryFolder();
    const clock = createFakeClock();
    await write(state, 's1', turn);
    await trashSession(state, 's1', clock);
    clock.advance(23 * 3_600_000);
    await write(state, 's2', turn);
    await trashSession(state, 's2', clock);
    await emptyTrash(state, clock);
    expect(await readdir(join(state, 'trash'))).toHaveLength(2);
    clock.advance(2 * 3_600_000);
    await emptyTrash(state, clock);
    expect(await readdir(join(state, 'trash'))).toEqual([expect.stringMatching(/-s2$/)]);
  });
});
