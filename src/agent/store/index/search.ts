import { journalPath } from '../sessions.ts';
import type { SearchAnswer, SearchHit, SearchOptions } from './contract.ts';
import { type Database, number, type Row, text } from './database.ts';
import { placeOf } from './place.ts';
import { parseQuery, type Term, toMatch } from './query.ts';
import { countUnsearched } from './schema.ts';
import { hasPhrases, makeSnippet, readParts } from './snippet.ts';

/** Also the limit on what a caller may ask for at once. */
const maxHits = 500;

/** Finds messages, newest first, and reads what surrounds the words from their journals. */
export async function search(
  database: Database,
  state: string,
  query: string,
  options: SearchOptions,
  signal: AbortSignal,
): Promise<SearchAnswer> {
  const unsearched = countUnsearched(database);
  const terms = parseQuery(query);
  if (terms.length === 0) return { hits: [], hasMore: false, unsearched };
  const limit = Math.max(1, Math.min(options.limit, maxHits));
  const rows = findRows(database, terms, { ...options, limit: limit + 1 });
  const hits = await toHits(rows.slice(0, limit), state, terms, signal);
  return { hits, hasMore: rows.length > limit, unsearched };
}

/** The newest of all: tables whose newest message is older than the last that is wanted need not be asked. */
function findRows(database: Database, terms: readonly Term[], options: SearchOptions): readonly Row[] {
  const { limit } = options;
  let found: readonly Row[] = [];
  for (const shard of database.all('SELECT id, newest FROM shards WHERE is_dropped = 0 ORDER BY newest DESC')) {
    const last = found[limit - 1];
    if (last && number(shard, 'newest') < number(last, 'id')) break;
    const rows = findIn(database, number(shard, 'id'), terms, options);
    if (rows.length > 0) found = [...found, ...rows].sort((a, b) => number(b, 'id') - number(a, 'id')).slice(0, limit);
  }
  return found;
}

function findIn(database: Database, shard: number, terms: readonly Term[], options: SearchOptions): readonly Row[] {
  const { limit, sessions, workspace } = options;
  // The beginning of a word stands for many words; where the others are missing they need not be put together.
  const others = terms.slice(0, -1);
  if (terms.at(-1)?.isOpen && others.length > 0) {
    const hasOthers = database.first(`SELECT 1 FROM words_${shard} WHERE words MATCH ? LIMIT 1`, toMatch(others));
    if (!hasOthers) return [];
  }
  const inSessions = sessions ? `AND s.id IN (${sessions.map(() => '?').join(', ')})` : '';
  const inWorkspace = workspace === undefined ? '' : 'AND s.workspace = ?';
  return database.all(
    `SELECT m.*, s.id AS session_id, s.title, s.workspace, a.name
     FROM words_${shard} AS w
     CROSS JOIN messages AS m ON m.id = w.docid
     CROSS JOIN sessions AS s ON s.key = m.session ${inSessions} ${inWorkspace}
     LEFT JOIN agents AS a ON a.session = m.session AND a.id = m.agent
     WHERE w.words MATCH ? ORDER BY w.docid DESC LIMIT ?`,
    ...(sessions ?? []),
    ...(workspace === undefined ? [] : [workspace]),
    toMatch(terms),
    limit,
  );
}

async function toHits(
  rows: readonly Row[],
  state: string,
  terms: readonly Term[],
  signal: AbortSignal,
): Promise<readonly SearchHit[]> {
  const readings = rows.map((row) => ({
    path: journalPath(state, text(row, 'session_id')),
    place: number(row, 'place'),
    length: number(row, 'length'),
    seq: number(row, 'seq'),
  }));
  const parts = await readParts(readings, signal);
  return rows.flatMap((row, index) => {
    const found = parts[index];
    return found && hasPhrases(found, terms) ? [{ ...describe(row), ...makeSnippet(found, terms) }] : [];
  });
}

function describe(row: Row): Omit<SearchHit, 'part' | 'snippet' | 'marks'> {
  return {
    ...placeOf(row),
    step: number(row, 'step'),
    position: number(row, 'position'),
    seq: number(row, 'seq'),
    role: text(row, 'role') === 'assistant' ? 'assistant' : 'user',
  };
}
