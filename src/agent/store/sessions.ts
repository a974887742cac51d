import { randomBytes } from 'node:crypto';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeRecord } from './journal/record.ts';

const journalEnd = '.jsonl';

export type SessionSummary = {
  readonly id: string;
  readonly title: string;
  /** As the session was started with; empty when the journal's head cannot be read. */
  readonly workspace: string;
  /** Milliseconds since the epoch. */
  readonly updatedAt: number;
};

/** @param state the storage folder of Offshoot */
export function sessionsDirectory(state: string): string {
  return join(state, 'sessions');
}

/** @throws for anything that is not an id of a session: ids come from command lines and stored state */
export function journalPath(state: string, id: string): string {
  if (!isSessionId(id))
    throw new Error(`${JSON.stringify(id)} is no id of a session. List the sessions to see their ids.`);
  return join(sessionsDirectory(state), `${id}${journalEnd}`);
}

/** Ids sort by time. @param now milliseconds since the epoch */
export function newSessionId(now: number): string {
  const time = new Date(now)
    .toISOString()
    .replace(/[-:.Z]/g, '')
    .replace('T', '-');
  return `${time}-${randomBytes(4).toString('hex')}`;
}

/** Of all sessions that have a journal, oldest first. */
export async function sessionIds(state: string): Promise<readonly string[]> {
  return (await namesIn(sessionsDirectory(state)))
    .filter((name) => name.endsWith(journalEnd))
    .map((name) => name.slice(0, -journalEnd.length))
    .filter(isSessionId)
    .sort();
}

/** Newest first. Reads only the head of each journal and changes nothing. */
export async function listSessions(state: string, signal?: AbortSignal): Promise<readonly SessionSummary[]> {
  const ids = await sessionIds(state);
  const summaries: SessionSummary[] = [];
  for (let start = 0; start < ids.length; start += filesAtOnce) {
    signal?.throwIfAborted();
    const batch = ids.slice(start, start + filesAtOnce);
    for (const summary of await Promise.all(batch.map((id) => readSummary(state, id)))) {
      if (summary) summaries.push(summary);
    }
  }
  return summaries.sort((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? 1 : -1));
}

const filesAtOnce = 32;
const headBytes = 16 * 1024;

/** undefined for a session that was removed meanwhile */
async function readSummary(state: string, id: string): Promise<SessionSummary | undefined> {
  const handle = await unlessMissing(open(journalPath(state, id), 'r'));
  if (!handle) return undefined;
  try {
    const { mtimeMs } = await handle.stat();
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return { id, ...describe(buffer.subarray(0, bytesRead).toString('utf8'), id), updatedAt: Math.round(mtimeMs) };
  } finally {
    await handle.close();
  }
}

function describe(head: string, id: string): { readonly title: string; readonly workspace: string } {
  for (const line of head.split('\n')) {
    const record = decodeRecord(Buffer.from(line));
    if (record.kind === 'event' && record.event.type === 'session-start') {
      return { title: record.event.title || id, workspace: record.event.workspace };
    }
  }
  return { title: id, workspace: '' };
}

export function isSessionId(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(text);
}

async function namesIn(directory: string): Promise<readonly string[]> {
  return (await unlessMissing(readdir(directory))) ?? [];
}

async function unlessMissing<Value>(promise: Promise<Value>): Promise<Value | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
