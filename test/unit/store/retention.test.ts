import { readdir, utimes, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { systemClock } from '../../../src/agent/node/clock.ts';
import { acquireLease } from '../../../src/agent/store/lease.ts';
import { changeLabel, labelPath } from '../../../src/agent/store/sessions/label.ts';
import { findOldSessions, removeOldSession } from '../../../src/agent/store/sessions/retention.ts';
import { journalPath } from '../../../src/agent/store/sessions.ts';
import { begin, message, record, signal } from './index/setup.ts';
import { temporaryFolder } from './sample.ts';

const daysAgo = (days: number) => Date.now() / 1000 - days * 86_400;

async function stateWith(ages: Readonly<Record<string, number>>): Promise<string> {
  const state = await temporaryFolder();
  for (const [id, days] of Object.entries(ages)) {
    await record(state, id, [begin(`Title ${id}`), message('walrus')]);
    await utimes(journalPath(state, id), daysAgo(days), daysAgo(days));
  }
  return state;
}

test('old conversations are found with their size, oldest first; pinned, open, held and doubtful ones never', async () => {
  const state = await stateWith({
    young: 1,
    old: 40,
    older: 50,
    pinned: 60,
    open: 60,
    held: 60,
    doubtful: 60,
    named: 45,
  });
  await changeLabel(state, 'pinned', { isPinned: true });
  await changeLabel(state, 'named', { title: 'Named' });
  await writeFile(labelPath(state, 'doubtful'), '{"version": 1, "isPin');
  const lease = await acquireLease(`${journalPath(state, 'held')}.lock`, { clock: systemClock });
  const found = await findOldSessions(state, 30, new Set(['open']), systemClock, signal);
  expect(found.map(({ id }) => id)).toEqual(['older', 'named', 'old']);
  expect(found[1]).toMatchObject({ title: 'Named', workspace: '/code' });
  expect(found[0]?.bytes).toBeGreaterThan(200);
  if (lease !== 'held') await lease.release();
});

test('what was found is moved to the trash, unless something happened to it since', async () => {
  const state = await stateWith({ a: 40, b: 40, c: 40, d: 40 });
  const found = await findOldSessions(state, 30, new Set(), systemClock, signal);
  await record(state, 'b', [message('again')], 3);
  await changeLabel(state, 'c', { isPinned: true });
  const lease = await acquireLease(`${journalPath(state, 'd')}.lock`, { clock: systemClock });
  const removed = await Promise.all(
    found.map(async (session) => [session.id, await removeOldSession(state, session, systemClock)]),
  );
  expect(removed.toSorted()).toEqual([
    ['a', true],
    ['b', false],
    ['c', false],
    ['d', false],
  ]);
  if (lease !== 'held') await lease.release();
  expect((await readdir(`${state}/sessions`)).filter((name) => name.endsWith('.jsonl'))).toEqual([
    'b.jsonl',
    'c.jsonl',
    'd.jsonl',
  ]);
  expect(await readdir(`${state}/trash`)).toHaveLength(1);
});
