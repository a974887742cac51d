import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, readFile, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import * as z from 'zod';
import type { Clock } from '../host.ts';

/** The right to write one session. */
export interface Lease {
  /** Gives it back; does nothing when it was taken over. */
  release(): Promise<void>;
}

export type LeaseOptions = {
  readonly clock: Clock;
  /** Another process took over, because this one showed no sign of life for `staleMs`: stop writing. Must not throw. */
  readonly onLost?: () => void;
  /** Another window asks for it, on its user's word: finish and release it. Must not throw. */
  readonly onWanted?: () => void;
  readonly heartbeatMs?: number;
  /** How often it is looked whether somebody asks. */
  readonly wantedMs?: number;
  readonly staleMs?: number;
  /** The machine and process that ask. */
  readonly host?: string;
  readonly pid?: number;
  readonly isAlive?: (pid: number) => boolean;
};

const holderSchema = z.object({ host: z.string(), pid: z.int(), token: z.string(), beat: z.number() });
type Holder = z.output<typeof holderSchema>;

/** @returns `held` while another living process, or another part of this one, has it */
export async function acquireLease(path: string, options: LeaseOptions): Promise<Lease | 'held'> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const holder: Holder = {
    host: options.host ?? hostname(),
    pid: options.pid ?? process.pid,
    token: randomBytes(8).toString('hex'),
    beat: options.clock.now(),
  };
  const isTaken = (await create(path, holder)) || (await takeOver(path, holder, options));
  return isTaken ? keepAlive(path, holder, options) : 'held';
}

/** Who may write now; undefined: nobody, or somebody who is dead or silent. */
export async function whoHolds(path: string, clock: Clock): Promise<'here' | 'elsewhere' | undefined> {
  if ((await look(path, { clock })) !== 'held') return undefined;
  const holder = await readHolder(path);
  return holder?.host === hostname() && holder.pid === process.pid ? 'here' : 'elsewhere';
}

const askEveryMs = 100;
const askForMs = 15_000;

/**
 * Asks a living holder to give its lease back, and waits for that.
 * @returns false when it does not
 * @throws when the signal aborts
 */
export async function askForLease(path: string, clock: Clock, signal: AbortSignal): Promise<boolean> {
  const wanted = wantedPath(path);
  const end = clock.now() + askForMs;
  try {
    while ((await look(path, { clock })) === 'held') {
      signal.throwIfAborted();
      if (clock.now() >= end) return false;
      await writeFile(wanted, '', { mode: 0o600 });
      await clock.sleep(askEveryMs, signal);
    }
    return true;
  } finally {
    await unless('ENOENT', unlink(wanted));
  }
}

function wantedPath(path: string): string {
  return `${path}.wanted`;
}

async function create(path: string, holder: Holder): Promise<boolean> {
  return (
    (await unless(
      'EEXIST',
      writeFile(path, encode(holder), { flag: 'wx', mode: 0o600 }).then(() => true),
    )) ?? false
  );
}

/** Replaces a holder that is dead or silent. A second lock sees to it that only one process does so at a time. */
async function takeOver(path: string, holder: Holder, options: LeaseOptions): Promise<boolean> {
  if ((await look(path, options)) === 'held') return false;
  const guard = `${path}.takeover`;
  if (!(await create(guard, holder))) {
    // Left by a process that died within milliseconds; the next attempt finds the way free.
    if ((await look(guard, options)) === 'stale') await unless('ENOENT', unlink(guard));
    return false;
  }
  try {
    const found = await look(path, options);
    if (found !== 'stale') return found === 'free' && (await create(path, holder));
    const fresh = `${path}.${holder.token}`;
    await writeFile(fresh, encode(holder), { flag: 'wx', mode: 0o600 });
    await rename(fresh, path);
    return true;
  } finally {
    await unless('ENOENT', unlink(guard));
  }
}

async function look(path: string, options: LeaseOptions): Promise<'free' | 'held' | 'stale'> {
  const now = options.clock.now();
  const staleMs = options.staleMs ?? 30_000;
  const info = await unless('ENOENT', stat(path));
  if (!info) return 'free';
  const holder = await readHolder(path);
  // Without a holder: created a moment ago and not filled yet, or cut off by a crash.
  if (now - (holder?.beat ?? info.mtimeMs) >= staleMs) return 'stale';
  const isHere = holder?.host === (options.host ?? hostname());
  return holder && isHere && !(options.isAlive ?? isProcessAlive)(holder.pid) ? 'stale' : 'held';
}

/** Writes to the file it acquired, and never to the one that a process put there that took over. */
async function keepAlive(path: string, holder: Holder, options: LeaseOptions): Promise<Lease> {
  const { clock } = options;
  const handle = await open(path, 'r+');
  const stopping = new AbortController();
  const isOwn = async () => (await readHolder(path))?.token === holder.token;
  const beating = beat(handle, async () => {
    await clock.sleep(options.heartbeatMs ?? 5_000, stopping.signal);
    if (stopping.signal.aborted) return undefined;
    if (await isOwn()) return { ...holder, beat: clock.now() };
    options.onLost?.();
    return undefined;
  });
  const listening = options.onWanted && listen(path, options, stopping.signal);
  let releasing: Promise<void> | undefined;
  const release = async () => {
    stopping.abort();
    await Promise.all([beating, listening]);
    await handle.close();
    if (await isOwn()) await unless('ENOENT', unlink(path));
  };
  return {
    release() {
      releasing ??= release();
      return releasing;
    },
  };
}

/** Tells once that somebody asks for the lease. */
async function listen(path: string, { clock, wantedMs, onWanted }: LeaseOptions, signal: AbortSignal): Promise<void> {
  for (;;) {
    await clock.sleep(wantedMs ?? 500, signal);
    if (signal.aborted) return;
    if (await stat(wantedPath(path)).catch(() => undefined)) return onWanted?.();
  }
}

async function beat(handle: FileHandle, next: () => Promise<Holder | undefined>): Promise<void> {
  for (let isGoing = true; isGoing; ) {
    try {
      const holder = await next();
      if (holder) await handle.write(encode(holder), 0);
      isGoing = holder !== undefined;
    } catch {
      // A beat that fails is a beat missed: after enough of them another process may take over.
    }
  }
}

/** Always of one length for one holder, so that a beat overwrites the last one whole. */
function encode(holder: Holder): string {
  return `${JSON.stringify({ ...holder, beat: Math.round(holder.beat) }).padEnd(300)}\n`;
}

async function readHolder(path: string): Promise<Holder | undefined> {
  const text = await unless('ENOENT', readFile(path, 'utf8'));
  if (text === undefined) return undefined;
  try {
    return holderSchema.safeParse(JSON.parse(text)).data;
  } catch {
    // Half-written: nobody is named in it.
    return undefined;
  }
}

function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Anything but "no such process" means that there is one.
    return !hasCode(error, 'ESRCH');
  }
}

async function unless<Value>(code: string, promise: Promise<Value>): Promise<Value | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (hasCode(error, code)) return undefined;
    throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
