import { type Database, number, type Row } from './database.ts';

/** Goes up with every change of the tables; an index of an older version is made again. */
export const schemaVersion = 1;
/** `Offs`: says whose file it is, as SQLite foresees it. */
export const applicationId = 0x4f666673;

/**
 * One table of words for so many messages, or so many characters: a search ends in the newest tables when they hold enough,
 * and the words of a deleted session go with their table. Small sessions share one; what is beyond its limits of a long
 * session has tables of its own (`owner`).
 */
export const shardLimits = { messages: 4_000, characters: 8_000_000 };

/**
 * `sessions` to `usage` are facts from journals. The text of messages stays there: `place` and `length` say where the
 * record stands, in bytes. `words_<n>` hold only which words a message has.
 */
const tables = `
CREATE TABLE sessions (
  key INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, shard INTEGER NOT NULL,
  title TEXT NOT NULL, workspace TEXT NOT NULL, started REAL NOT NULL, updated REAL NOT NULL,
  status TEXT NOT NULL, turn INTEGER NOT NULL, turns INTEGER NOT NULL, damaged INTEGER NOT NULL, unsearched INTEGER NOT NULL,
  size INTEGER NOT NULL, modified REAL NOT NULL, place INTEGER NOT NULL, last INTEGER NOT NULL,
  print TEXT NOT NULL
);
CREATE TABLE agents (
  session INTEGER NOT NULL, id TEXT NOT NULL, parent TEXT, name TEXT NOT NULL, type TEXT NOT NULL, model TEXT NOT NULL,
  started REAL NOT NULL, ended REAL, status TEXT, turn INTEGER NOT NULL, step INTEGER NOT NULL, position INTEGER NOT NULL,
  tokens INTEGER, PRIMARY KEY (session, id)
) WITHOUT ROWID;
CREATE TABLE messages (
  id INTEGER PRIMARY KEY, session INTEGER NOT NULL, agent TEXT NOT NULL, turn INTEGER NOT NULL, step INTEGER NOT NULL,
  position INTEGER NOT NULL, seq INTEGER NOT NULL, role TEXT NOT NULL, time REAL NOT NULL, tokens INTEGER, calls TEXT,
  place INTEGER NOT NULL, length INTEGER NOT NULL
);
CREATE INDEX messages_of_session ON messages (session, agent, turn, step, position);
CREATE TABLE tool_calls (
  session INTEGER NOT NULL, seq INTEGER NOT NULL, call TEXT NOT NULL, agent TEXT NOT NULL, turn INTEGER NOT NULL,
  step INTEGER NOT NULL, time REAL NOT NULL, tool TEXT NOT NULL, summary TEXT NOT NULL, command TEXT,
  status TEXT NOT NULL, exit_code INTEGER, duration REAL NOT NULL
);
CREATE INDEX tool_calls_of_session ON tool_calls (session, agent, call);
CREATE INDEX tool_calls_by_time ON tool_calls (time);
CREATE TABLE audit (
  session INTEGER NOT NULL, seq INTEGER NOT NULL, call TEXT NOT NULL, agent TEXT NOT NULL, turn INTEGER NOT NULL,
  time REAL NOT NULL, tool TEXT NOT NULL, decision TEXT NOT NULL, decided_by TEXT NOT NULL, rule TEXT NOT NULL,
  source TEXT NOT NULL, PRIMARY KEY (session, seq)
) WITHOUT ROWID;
CREATE INDEX audit_by_time ON audit (time);
CREATE TABLE usage (
  session INTEGER NOT NULL, seq INTEGER NOT NULL, agent TEXT NOT NULL, turn INTEGER NOT NULL, step INTEGER NOT NULL,
  time REAL NOT NULL, type TEXT NOT NULL, model TEXT NOT NULL, input INTEGER NOT NULL, output INTEGER NOT NULL,
  cache_read INTEGER NOT NULL, cache_write INTEGER NOT NULL, cost REAL, PRIMARY KEY (session, seq)
) WITHOUT ROWID;
CREATE INDEX usage_by_time ON usage (time);
CREATE TABLE shards (
  id INTEGER PRIMARY KEY AUTOINCREMENT, owner INTEGER, messages INTEGER NOT NULL, characters INTEGER NOT NULL,
  newest INTEGER NOT NULL, is_dropped INTEGER NOT NULL
)
`;

/** Bytes of the tables; they lie in memory while the index is used. */
export const indexLimits = { bytes: 256_000_000 };

/** Messages whose words are not, or not all, in the index. */
export function countUnsearched(database: Database): number {
  const cut = database.first('SELECT total(unsearched) AS count FROM sessions');
  const dropped = database.first('SELECT total(messages) AS count FROM shards WHERE is_dropped = 1');
  return number(cut, 'count') + number(dropped, 'count');
}

export function createTables(database: Database): void {
  for (const statement of tables.split(';')) database.run(statement);
  database.run(`PRAGMA application_id=${applicationId}`);
  database.run(`PRAGMA user_version=${schemaVersion}`);
}

/** The shard that new sessions go to. */
export function sharedShard(database: Database): number {
  const last = database.first('SELECT * FROM shards WHERE owner IS NULL ORDER BY id DESC LIMIT 1');
  return last && !isFull(last) ? number(last, 'id') : addShard(database, null);
}

/** Where the next message of a session goes. @param home the shard that it began in */
export function shardFor(database: Database, session: number, home: number): number {
  const own = database.first('SELECT * FROM shards WHERE owner = ? ORDER BY id DESC LIMIT 1', session);
  const last = own ?? database.first('SELECT * FROM shards WHERE id = ?', home);
  return last && !isFull(last) ? number(last, 'id') : addShard(database, session);
}

function isFull(shard: Row): boolean {
  if (number(shard, 'is_dropped') === 1) return true;
  return number(shard, 'messages') >= shardLimits.messages || number(shard, 'characters') >= shardLimits.characters;
}

function addShard(database: Database, owner: number | null): number {
  makeRoom(database);
  database.run('INSERT INTO shards (owner, messages, characters, newest, is_dropped) VALUES (?, 0, 0, 0, 0)', owner);
  const id = number(database.first('SELECT max(id) AS id FROM shards'), 'id');
  // The words come ready made (`words.ts`), so the simplest tokenizer keeps them as they are.
  database.run(`CREATE VIRTUAL TABLE words_${id} USING fts4(content='', words, tokenize=simple, order=desc)`);
  return id;
}

/** Of the oldest messages nothing is left to search when the index gets too large; how many they are is told. */
function makeRoom(database: Database): void {
  while (database.size() > indexLimits.bytes) {
    const oldest = database.first(
      'SELECT id FROM shards WHERE is_dropped = 0 AND messages > 0 ORDER BY newest LIMIT 1',
    );
    if (!oldest) return;
    database.run(`DROP TABLE words_${number(oldest, 'id')}`);
    database.run('UPDATE shards SET is_dropped = 1 WHERE id = ?', number(oldest, 'id'));
  }
}

export function dropShard(database: Database, id: number): void {
  database.run(`DROP TABLE IF EXISTS words_${id}`);
  database.run('DELETE FROM shards WHERE id = ?', id);
}
