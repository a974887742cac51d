import { readdir, readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Clock } from '../../../src/agent/host.ts';
import { acquireLease, type Lease, type LeaseOptions } from '../../../src/agent/store/lease.ts';
import { temporaryFolder } from './sample.ts';

type FakeClock = Clock & { pass(ms: number): Promise<void> };

function fakeClock(): FakeClock {
  let now = Date.now();
  const sleepers = new Set<{ readonly until: number; readonly wake: () => void }>();
  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        const sleeper = { until: now + ms, wake: resolve };
        sleepers.add(sleeper);
        signal.addEventListener('abort', () => resolve(), { once: true });
      }),
    async pass(ms) {
      now += ms;
      for (const sleeper of sleepers) {
        if (sleeper.until > now) continue;
        sleepers.delete(sleeper);
        sleeper.wake();
      }
      await new Promise((resolve) => setTimeout(resolve, 30));
    },
  };
}

async function setup() {
  const path = join(await temporaryFolder(), 'sessions', 's1.lock');
  const clock = fakeClock();
  const acquire = (options: Partial<LeaseOptions> = {}) => acquireLease(path, { clock, ...options });
  return { path, clock, acquire };
}

function taken(lease: Lease | 'held'): Lease {
  if (lease === 'held') throw new Error('the lease is held');
  return lease;
}

test('a session has one writer, until that one gives it back', async () => {
  const { path, acquire } = await setup();
  const first = taken(await acquire());
  expect(await acquire()).toBe('held');
  expect(await acquire({ host: 'elsewhere' })).toBe('held');
  await first.release();
  await first.release();
  expect(await readdir(join(path, '..'))).toEqual([]);
  await taken(await acquire()).release();
});

test('of many who ask at once, one gets it; also when a dead holder is to be replaced', async () => {
  const { path, acquire } = await setup();
  for (const isLeftOver of [false, true]) {
    if (isLeftOver) await writeFile(path, JSON.stringify({ host: hostname(), pid: 1, token: 't', beat: Date.now() }));
    const isAlive = (pid: number) => pid !== 1;
    const leases = await Promise.all(Array.from({ length: 20 }, () => acquire({ isAlive })));
    const winners = leases.filter((lease) => lease !== 'held');
    expect(winners).toHaveLength(1);
    await winners[0]?.release();
  }
});

test('a holder that beats is never taken over; one that fell silent is, and is told when it wakes', async () => {
  const { path, clock, acquire } = await setup();
  let isLost = false;
  const first = taken(await acquire({ onLost: () => (isLost = true) }));
  for (let beat = 0; beat < 20; beat++) await clock.pass(5_000);
  expect(await acquire()).toBe('held');
  const silent = await readFile(path, 'utf8');
  await writeFile(path, silent.replace(/"beat":\d+/, `"beat":${clock.now() - 30_000}`));
  const second = taken(await acquire());
  const holder = await readFile(path, 'utf8');
  await clock.pass(5_000);
  await expect.poll(() => isLost).toBe(true);
  await first.release();
  expect(JSON.parse(await readFile(path, 'utf8')).token).toBe(JSON.parse(holder).token);
  await second.release();
});

test('a process of this machine that is gone is replaced at once, one of another machine after its time', async () => {
  const { path, clock, acquire } = await setup();
  const leave = (host: string) => writeFile(path, JSON.stringify({ host, pid: 77, token: 't', beat: clock.now() }));
  await acquire().then((lease) => taken(lease).release());
  const isAlive = () => false;
  await leave(hostname());
  await taken(await acquire({ isAlive })).release();
  await leave('elsewhere');
  expect(await acquire({ isAlive })).toBe('held');
  await clock.pass(30_000);
  await taken(await acquire({ isAlive })).release();
});

test('a lock that was cut off while it was written frees itself after its time, and so does the lock of a take-over', async () => {
  const { path, clock, acquire } = await setup();
  await taken(await acquire()).release();
  for (const name of [path, `${path}.takeover`]) await writeFile(name, '{"host":');
  expect(await acquire()).toBe('held');
  await clock.pass(31_000);
  expect(await acquire()).toBe('held');
  await taken(await acquire()).release();
});

test('the process of this test is alive to others, and a finished one is not', async () => {
  const { path, clock, acquire } = await setup();
  await taken(await acquire()).release();
  const leave = (pid: number) =>
    writeFile(path, JSON.stringify({ host: hostname(), pid, token: 't', beat: clock.now() }));
  await leave(process.pid);
  expect(await acquire()).toBe('held');
  await leave(2 ** 30);
  await taken(await acquire()).release();
});
