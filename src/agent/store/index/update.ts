import { stat } from 'node:fs/promises';
import { readLines } from '../journal/journalLines.ts';
import { createOrder } from '../journal/readJournal.ts';
import { decodeRecord } from '../journal/record.ts';
import { journalPath, sessionIds } from '../sessions.ts';
import { type Database, number, type Row, text } from './database.ts';
import { fingerprint } from './fingerprint.ts';
import { follow, type Placed } from './follow.ts';
import { addSession, readSession, removeSessions, type SessionRow, writeSession } from './sessionRows.ts';

/** What is taken into the tables at once; others are answered in between. */
const batchLimits = { events: 400, bytes: 2_000_000 };

const nothing = Buffer.alloc(0);

export type UpdateResult = { readonly isChanged: boolean; readonly unreadable: readonly string[] };

/** Takes into the index what journals hold beyond it, and out of it what is gone. Bounded in memory. */
export async function updateIndex(database: Database, state: string, signal: AbortSignal): Promise<UpdateResult> {
  const present = await sessionIds(state);
  const unreadable: string[] = [];
  const attempt = async <Result>(id: string, work: () => Promise<Result>): Promise<Result | undefined> => {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      if (!hasCode(error, 'ENOENT')) unreadable.push(id);
      return undefined;
    }
  };
  const stale: string[] = [];
  for (const id of present) {
    if (await attempt(id, () => isRewritten(database, journalPath(state, id), id))) stale.push(id);
  }
  const here = new Set(present);
  const known = database.all('SELECT id FROM sessions').map((row) => text(row, 'id'));
  const gone = known.filter((id) => !here.has(id) || stale.includes(id));
  if (gone.length > 0) database.transact(() => removeSessions(database, gone));
  let isChanged = gone.length > 0;
  for (const id of present) {
    if (unreadable.includes(id)) continue;
    if (await attempt(id, () => readNew(database, journalPath(state, id), id, signal))) isChanged = true;
  }
  return { isChanged, unreadable };
}

/** Journals only grow. One that does not begin as it did is another one. */
async function isRewritten(database: Database, path: string, id: string): Promise<boolean> {
  const known = lookUp(database, id);
  const { size, mtimeMs } = await stat(path);
  if (!known || (number(known, 'size') === size && number(known, 'modified') === mtimeMs)) return false;
  const place = number(known, 'place');
  return size < place || (await fingerprint(path, place)) !== text(known, 'print');
}

/** @returns whether there was something new */
async function readNew(database: Database, path: string, id: string, signal: AbortSignal): Promise<boolean> {
  const { size, mtimeMs: modified } = await stat(path);
  const known = lookUp(database, id);
  if (known && number(known, 'size') === size && number(known, 'modified') === modified) return false;
  const session = await readOn(database, path, id, signal);
  database.transact(() => writeSession(database, Object.assign(session, { size, modified })));
  return true;
}

function lookUp(database: Database, id: string): Row | undefined {
  return database.first('SELECT size, modified, place, print FROM sessions WHERE id = ?', id);
}

async function readOn(database: Database, path: string, id: string, signal: AbortSignal): Promise<SessionRow> {
  const session = readSession(database, id) ?? addSession(database, id);
  const order = createOrder(session.last);
  let batch: Placed[] = [];
  let bytes = 0;
  const flush = async () => {
    const events = batch;
    batch = [];
    bytes = 0;
    session.print = await fingerprint(path, session.place);
    database.transact(() => {
      for (const event of events) take(database, session, event);
      writeSession(database, session);
    });
  };
  for await (const line of readLines(path, session.place, signal)) {
    const record = decodeRecord(line.bytes ?? nothing);
    if (record.kind === 'damaged') {
      // A line that is being written is read when it is whole.
      if (!line.isEnded) break;
      if (line.length > 0) session.damaged += 1;
      if (line.length > 0) order.skipLine();
    } else {
      const { kind, missing } = order.place(record.seq, record.sum);
      session.damaged += missing + (kind === 'late' ? 1 : 0);
      session.last = Math.max(session.last, record.seq);
      if (kind === 'next' && record.kind === 'event') {
        batch.push({ event: record.event, place: line.place, length: line.length });
        bytes += line.length;
      }
    }
    session.place = line.place + line.length + (line.isEnded ? 1 : 0);
    if (batch.length >= batchLimits.events || bytes >= batchLimits.bytes) await flush();
  }
  await flush();
  return session;
}

/** An event that is not what its type says is no reason to know nothing of the others. */
function take(database: Database, session: SessionRow, placed: Placed): void {
  try {
    follow(database, session, placed);
  } catch (error) {
    if (!(error instanceof TypeError) && !(error instanceof RangeError)) throw error;
    session.damaged += 1;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
