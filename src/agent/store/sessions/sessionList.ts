import { readdir, stat } from 'node:fs/promises';
import type { Clock } from '../../host.ts';
import { whoHolds } from '../lease.ts';
import { isSessionId, journalPath, sessionsDirectory } from '../sessions.ts';
import type { SessionFacts } from './facts.ts';
import { readFactsCache, writeFactsCache } from './factsCache.ts';
import { readLabel, type SessionLabel } from './label.ts';
import { type FactsSoFar, nothingRead, readFacts } from './readFacts.ts';

export type ListedSession = Omit<SessionFacts, 'agents'> & {
  readonly id: string;
  readonly agents: number;
  readonly isPinned: boolean;
  /** Which process may write it now; undefined: none. */
  readonly holder: 'here' | 'elsewhere' | undefined;
};

/** The sessions of a state folder. Never reads a journal twice: what it said is kept in a file of its own. */
export type SessionList = {
  /** At once, from what is known; of a journal that was never read, from its head. Pinned ones first, then the newest. */
  read(signal: AbortSignal): Promise<readonly ListedSession[]>;
  /** Reads what the journals hold beyond that. @returns whether there was anything */
  update(signal: AbortSignal): Promise<boolean>;
};

const filesAtOnce = 64;
const firstBytes = 16 * 1024;
const journalEnd = '.jsonl';

type Found = { readonly id: string; readonly size: number; readonly updatedAt: number };

/** @param state the storage folder of Offshoot; it need not exist */
export function createSessionList(state: string, clock: Clock): SessionList {
  let cache: Promise<Map<string, FactsSoFar>> | undefined;
  const known = () => {
    cache ??= readFactsCache(state);
    return cache;
  };

  async function list(found: Found, names: ReadonlySet<string>, signal: AbortSignal): Promise<ListedSession> {
    const { id } = found;
    const path = journalPath(state, id);
    const sessions = await known();
    const soFar = sessions.get(id) ?? (await readHead(path, id, signal));
    if (!sessions.has(id) && soFar !== nothingRead) sessions.set(id, soFar);
    const label = names.has(`${id}.json`) ? await readLabel(state, id) : {};
    const holder = names.has(`${id}${journalEnd}.lock`) ? await whoHolds(`${path}.lock`, clock) : undefined;
    return toListed(found, soFar.facts, label, holder);
  }

  return {
    async read(signal) {
      const names = await namesIn(sessionsDirectory(state));
      const files = await findJournals(state, names, signal);
      const listed = await inBatches(files, (found) => list(found, names, signal));
      return listed.sort((a, b) => Number(b.isPinned) - Number(a.isPinned) || b.updatedAt - a.updatedAt);
    },
    async update(signal) {
      const sessions = await known();
      const files = await findJournals(state, await namesIn(sessionsDirectory(state)), signal);
      const there = new Set(files.map(({ id }) => id));
      const gone = [...sessions.keys()].filter((id) => !there.has(id));
      for (const id of gone) sessions.delete(id);
      let changed = gone.length;
      for (const { id, size } of files) {
        const soFar = sessions.get(id) ?? nothingRead;
        if (soFar.end === size) continue;
        const read = await readFacts(journalPath(state, id), id, soFar, signal).catch(() => soFar);
        signal.throwIfAborted();
        if (read.end !== soFar.end) changed += 1;
        sessions.set(id, read);
      }
      if (changed > 0) await writeFactsCache(state, sessions);
      return changed > 0;
    },
  };
}

function toListed(
  { id, updatedAt }: Found,
  facts: SessionFacts,
  label: SessionLabel,
  holder: ListedSession['holder'],
): ListedSession {
  const { agents, ...rest } = facts;
  const status = facts.status === 'open' && holder === undefined ? 'interrupted' : facts.status;
  const title = label.title || facts.title || id;
  return { ...rest, id, status, title, agents: agents.length, isPinned: label.isPinned ?? false, updatedAt, holder };
}

async function readHead(path: string, id: string, signal: AbortSignal): Promise<FactsSoFar> {
  return readFacts(path, id, nothingRead, signal, firstBytes).catch(() => nothingRead);
}

async function findJournals(state: string, names: ReadonlySet<string>, signal: AbortSignal): Promise<readonly Found[]> {
  const ids = [...names]
    .filter((name) => name.endsWith(journalEnd))
    .map((name) => name.slice(0, -journalEnd.length))
    .filter(isSessionId);
  signal.throwIfAborted();
  const found = await inBatches(ids, async (id): Promise<Found | undefined> => {
    // Undefined for one that was removed meanwhile.
    const info = await stat(journalPath(state, id)).catch(() => undefined);
    return info && { id, size: info.size, updatedAt: Math.round(info.mtimeMs) };
  });
  return found.filter((each) => each !== undefined);
}

async function inBatches<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>) {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += filesAtOnce) {
    results.push(...(await Promise.all(items.slice(start, start + filesAtOnce).map(work))));
  }
  return results;
}

async function namesIn(directory: string): Promise<ReadonlySet<string>> {
  try {
    return new Set(await readdir(directory));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return new Set();
    throw error;
  }
}
