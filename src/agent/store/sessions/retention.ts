import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../host.ts';
import { journalPath } from '../sessions.ts';
import { labelPath, readLabel } from './label.ts';
import { createSessionList } from './sessionList.ts';
import { trashSession } from './trash.ts';

/** A conversation in which nothing has happened for long. */
export type OldSession = {
  readonly id: string;
  readonly title: string;
  readonly workspace: string;
  /** Milliseconds since the epoch. */
  readonly updatedAt: number;
  /** Of its journal and what was kept beside it. */
  readonly bytes: number;
};

const dayMs = 86_400_000;

/**
 * What may be deleted, oldest first: never what is pinned, what somebody may be writing, or what is in doubt.
 * @param open ids of sessions that somebody looks at
 */
export async function findOldSessions(
  state: string,
  days: number,
  open: ReadonlySet<string>,
  clock: Clock,
  signal: AbortSignal,
): Promise<readonly OldSession[]> {
  const limit = clock.now() - days * dayMs;
  const old: OldSession[] = [];
  for (const session of await createSessionList(state, clock).read(signal)) {
    const { id, title, workspace, updatedAt, isPinned, holder } = session;
    if (updatedAt >= limit || isPinned || holder !== undefined || open.has(id)) continue;
    if (await hasUnreadableLabel(state, id)) continue;
    const bytes = (await sizeOf(journalPath(state, id))) + (await sizeOfFolder(join(state, 'artifacts', id)));
    old.push({ id, title, workspace, updatedAt, bytes });
  }
  return old.sort((a, b) => a.updatedAt - b.updatedAt);
}

/**
 * Moves a conversation to the trash if nothing has happened in it since it was found.
 * @returns whether it did
 */
export async function removeOldSession(state: string, session: OldSession, clock: Clock): Promise<boolean> {
  const { id, updatedAt } = session;
  const info = await stat(journalPath(state, id)).catch(() => undefined);
  if (!info || Math.floor(info.mtimeMs) > Math.ceil(updatedAt)) return false;
  if ((await readLabel(state, id)).isPinned) return false;
  return (await trashSession(state, id, clock)) !== 'held';
}

/** It may say that the session is pinned. */
async function hasUnreadableLabel(state: string, id: string): Promise<boolean> {
  const isThere = await stat(labelPath(state, id)).catch(() => undefined);
  return isThere !== undefined && Object.keys(await readLabel(state, id)).length === 0;
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0;
}

async function sizeOfFolder(path: string): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(path).catch(() => [])) bytes += await sizeOf(join(path, name));
  return bytes;
}
