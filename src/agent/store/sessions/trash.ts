import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../host.ts';
import { acquireLease } from '../lease.ts';
import { journalPath, sessionsDirectory } from '../sessions.ts';

/** A deleted session; pass it to `restoreSession`. */
export type TrashedSession = { readonly session: string; readonly folder: string };

/** How long what was deleted can be had back, in milliseconds. */
const keptMs = 24 * 60 * 60 * 1000;

function trashDirectory(state: string): string {
  return join(state, 'trash');
}

/**
 * Moves a session with all that belongs to it into the trash.
 * @returns `held` when somebody may be writing it
 */
export async function trashSession(state: string, session: string, clock: Clock): Promise<TrashedSession | 'held'> {
  const path = journalPath(state, session);
  const lease = await acquireLease(`${path}.lock`, { clock });
  if (lease === 'held') return 'held';
  try {
    const folder = join(trashDirectory(state), `${clock.now()}-${session}`);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (const name of await readdir(sessionsDirectory(state))) {
      if (belongsTo(session, name)) await rename(join(sessionsDirectory(state), name), join(folder, name));
    }
    await unlessMissing(rename(join(state, 'artifacts', session), join(folder, 'artifacts')));
    return { session, folder };
  } finally {
    await lease.release();
  }
}

/** @throws when it is no longer there, or another one has its name */
export async function restoreSession(state: string, { session, folder }: TrashedSession): Promise<void> {
  const isTaken = await stat(journalPath(state, session)).catch(() => undefined);
  if (isTaken) throw new Error('The conversation is there already.');
  const names = await readdir(folder).catch((cause: unknown) => {
    throw new Error('The conversation is no longer in the trash, so it cannot be had back.', { cause });
  });
  await mkdir(sessionsDirectory(state), { recursive: true, mode: 0o700 });
  if (names.includes('artifacts')) {
    await mkdir(join(state, 'artifacts'), { recursive: true, mode: 0o700 });
    await rename(join(folder, 'artifacts'), join(state, 'artifacts', session));
  }
  for (const name of names.filter((each) => each !== 'artifacts')) {
    await rename(join(folder, name), join(sessionsDirectory(state), name));
  }
  await rm(folder, { recursive: true, force: true });
}

/** Removes for good what was deleted a day ago or longer. @throws when one cannot be removed: the rest stays too */
export async function emptyTrash(state: string, clock: Clock): Promise<void> {
  const names = await readdir(trashDirectory(state)).catch(() => []);
  for (const name of names) {
    const deletedAt = Number(/^(\d+)-/.exec(name)?.[1] ?? Number.NaN);
    if (clock.now() - deletedAt < keptMs || Number.isNaN(deletedAt)) continue;
    await rm(join(trashDirectory(state), name), { recursive: true, force: true });
  }
}

/** Its journal, what was put aside of it, and its label; not its lock. */
function belongsTo(session: string, name: string): boolean {
  if (name.startsWith(`${session}.jsonl.lock`)) return false;
  return name.startsWith(`${session}.json`);
}

async function unlessMissing(promise: Promise<void>): Promise<void> {
  try {
    await promise;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}
