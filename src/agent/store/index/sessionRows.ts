import { type Database, number, type Row, text } from './database.ts';
import { dropShard, sharedShard } from './schema.ts';

/** What the index knows of one journal, as it goes on reading. */
export type SessionRow = {
  readonly key: number;
  readonly id: string;
  /** The table of words that it began in. */
  readonly shard: number;
  title: string;
  workspace: string;
  started: number;
  updated: number;
  status: string;
  turn: number;
  turns: number;
  damaged: number;
  unsearched: number;
  /** Of the file, when it was last looked at. */
  size: number;
  modified: number;
  /** Where reading goes on, in bytes, and the number of the last record before it. */
  place: number;
  last: number;
  /** What stands before `place`, in short: see `fingerprint.ts`. */
  print: string;
  readonly agents: Map<string, AgentRow>;
};

export type AgentRow = {
  readonly id: string;
  parent: string | null;
  name: string;
  type: string;
  model: string;
  started: number;
  ended: number | null;
  status: string | null;
  turn: number;
  step: number;
  /** Of its next message in this step. */
  position: number;
  /** That the answer took whose message comes next. */
  tokens: number | null;
};

const columns =
  'id, shard, title, workspace, started, updated, status, turn, turns, damaged, unsearched, size, modified, place, last, print';

export function addSession(database: Database, id: string): SessionRow {
  database.run(
    `INSERT INTO sessions (${columns}) VALUES (?, ?, ?, '', 0, 0, 'empty', 0, 0, 0, 0, 0, 0, 0, 0, '')`,
    id,
    sharedShard(database),
    id,
  );
  const row = readSession(database, id);
  if (!row) throw new Error(`The index did not take the session ${id}.`);
  return row;
}

export function readSession(database: Database, id: string): SessionRow | undefined {
  const row = database.first('SELECT * FROM sessions WHERE id = ?', id);
  if (!row) return undefined;
  const key = number(row, 'key');
  const agents = database.all('SELECT * FROM agents WHERE session = ?', key).map(toAgent);
  return {
    key,
    id,
    shard: number(row, 'shard'),
    title: text(row, 'title'),
    workspace: text(row, 'workspace'),
    started: number(row, 'started'),
    updated: number(row, 'updated'),
    status: text(row, 'status'),
    turn: number(row, 'turn'),
    turns: number(row, 'turns'),
    damaged: number(row, 'damaged'),
    unsearched: number(row, 'unsearched'),
    size: number(row, 'size'),
    modified: number(row, 'modified'),
    place: number(row, 'place'),
    last: number(row, 'last'),
    print: text(row, 'print'),
    agents: new Map(agents.map((agent) => [agent.id, agent])),
  };
}

function toAgent(row: Row): AgentRow {
  const numberOrNull = (column: string) => (row[column] === null ? null : number(row, column));
  const textOrNull = (column: string) => (row[column] === null ? null : text(row, column));
  return {
    id: text(row, 'id'),
    parent: textOrNull('parent'),
    name: text(row, 'name'),
    type: text(row, 'type'),
    model: text(row, 'model'),
    started: number(row, 'started'),
    ended: numberOrNull('ended'),
    status: textOrNull('status'),
    turn: number(row, 'turn'),
    step: number(row, 'step'),
    position: number(row, 'position'),
    tokens: numberOrNull('tokens'),
  };
}

export function writeSession(database: Database, row: SessionRow): void {
  const { title, workspace, started, updated, status, turn, turns, damaged, unsearched } = row;
  database.run(
    `UPDATE sessions SET title = ?, workspace = ?, started = ?, updated = ?, status = ?, turn = ?, turns = ?, damaged = ?,
     unsearched = ?, size = ?, modified = ?, place = ?, last = ?, print = ? WHERE key = ?`,
    ...[title, workspace, started, updated, status, turn, turns, damaged, unsearched],
    ...[row.size, row.modified, row.place, row.last, row.print, row.key],
  );
  for (const agent of row.agents.values()) {
    const { id, parent, name, type, model, ended, position, step, tokens } = agent;
    database.run(
      'INSERT OR REPLACE INTO agents VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      ...[
        row.key,
        id,
        parent,
        name,
        type,
        model,
        agent.started,
        ended,
        agent.status,
        agent.turn,
        step,
        position,
        tokens,
      ],
    );
  }
}

/**
 * Removes sessions. Words cannot be taken out one by one, so their whole tables go.
 * @returns the other sessions of those tables, which have to be read again
 */
export function removeSessions(database: Database, ids: readonly string[]): readonly string[] {
  const shards = new Set<number>();
  for (const id of ids) {
    const row = database.first('SELECT key, shard FROM sessions WHERE id = ?', id);
    if (row) shards.add(number(row, 'shard'));
  }
  const removed: string[] = [];
  for (const shard of shards) {
    for (const row of database.all('SELECT key, id FROM sessions WHERE shard = ?', shard)) {
      const key = number(row, 'key');
      for (const table of ['agents', 'messages', 'tool_calls', 'audit', 'usage'])
        database.run(`DELETE FROM ${table} WHERE session = ?`, key);
      database.run('DELETE FROM sessions WHERE key = ?', key);
      for (const own of database.all('SELECT id FROM shards WHERE owner = ?', key))
        dropShard(database, number(own, 'id'));
      removed.push(text(row, 'id'));
    }
    dropShard(database, shard);
  }
  return removed.filter((id) => !ids.includes(id));
}
