import type { AgentEvent } from '../../loop/events.ts';
import type { Database } from './database.ts';
import { shardFor } from './schema.ts';
import { partsOf, toSearchable } from './searchable.ts';
import type { AgentRow, SessionRow } from './sessionRows.ts';

/** An event and where its record stands in the journal. */
export type Placed = { readonly event: AgentEvent; readonly place: number; readonly length: number };

type Of<Type extends AgentEvent['type']> = Extract<AgentEvent, { type: Type }>;

const maxCommand = 4_000;
const maxSummary = 500;

/** Takes an event into the tables. `session` is what the index knows so far; it is changed, and written by the caller. */
export function follow(database: Database, session: SessionRow, { event, place, length }: Placed): void {
  if (session.started === 0) session.started = event.time;
  session.updated = Math.max(session.updated, event.time);
  switch (event.type) {
    case 'session-start':
      session.title = event.title || session.id;
      session.workspace = event.workspace;
      return;
    case 'turn-start':
      session.turn = event.turn;
      session.turns += 1;
      session.status = 'open';
      return;
    case 'session-title':
      session.title = event.title;
      return;
    case 'turn-end':
      session.status = event.isInterrupted ? 'interrupted' : event.status;
      return;
    case 'agent-start':
      startAgent(session, event);
      return;
    case 'agent-end': {
      const agent = agentOf(session, event);
      agent.ended = event.time;
      agent.status = event.status;
      return;
    }
    case 'step-start': {
      const agent = agentOf(session, event);
      moveTo(agent, session.turn, event.step);
      agent.model = event.model;
      return;
    }
    case 'message-append':
      addMessage(database, session, event, place, length);
      return;
  }
  // What was copied from another session was done and paid there.
  if (event.session !== session.id) return;
  switch (event.type) {
    case 'tool-start':
      addCall(database, session, event);
      return;
    case 'tool-end':
      endCall(database, session, event);
      return;
    case 'permission-decide':
      addDecision(database, session, event);
      return;
    case 'usage-update':
      addUsage(database, session, event);
      return;
  }
}

/** Also of agents whose beginning is missing. */
function agentOf(session: SessionRow, event: AgentEvent): AgentRow {
  const known = session.agents.get(event.agent);
  if (known) return known;
  const { agent: id, parent, time } = event;
  const fresh: AgentRow = {
    ...{ id, parent, name: id, type: parent === null ? id : '', model: '', started: time, ended: null, status: null },
    ...{ turn: 0, step: 0, position: 0, tokens: null },
  };
  session.agents.set(id, fresh);
  return fresh;
}

function startAgent(session: SessionRow, event: Of<'agent-start'>): void {
  const agent = agentOf(session, event);
  agent.name = event.name;
  agent.type = event.agentType;
  agent.model = event.model;
  agent.ended = null;
  agent.status = null;
}

function moveTo(agent: AgentRow, turn: number, step: number): void {
  if (agent.turn === turn && agent.step === step) return;
  agent.turn = turn;
  agent.step = step;
  agent.position = 0;
}

function addMessage(
  database: Database,
  session: SessionRow,
  event: Of<'message-append'>,
  place: number,
  length: number,
): void {
  const { message, seq, time } = event;
  const agent = agentOf(session, event);
  moveTo(agent, session.turn, event.step);
  const tokens = message.role === 'assistant' ? agent.tokens : null;
  if (message.role === 'assistant') agent.tokens = null;
  const id = freeId(database, time, seq);
  database.run(
    'INSERT INTO messages VALUES (CAST(? AS INTEGER), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ...[id, session.key, event.agent, session.turn, event.step, agent.position, seq, message.role, time, tokens],
    ...[callsIn(event), place, length],
  );
  agent.position += 1;
  addWords(database, session, event, id);
}

function addWords(database: Database, session: SessionRow, event: Of<'message-append'>, id: number): void {
  const { words, characters, isWhole } = toSearchable(partsOf(event.message));
  if (!isWhole) session.unsearched += 1;
  if (words === '') return;
  const shard = shardFor(database, session.key, session.shard);
  database.run(`INSERT INTO words_${shard} (docid, words) VALUES (CAST(? AS INTEGER), ?)`, id, words);
  database.run(
    `UPDATE shards SET messages = messages + 1, characters = characters + ?, newest = max(newest, CAST(? AS INTEGER))
     WHERE id = ?`,
    characters,
    id,
    shard,
  );
}

function callsIn({ message }: Of<'message-append'>): string | null {
  const calls = message.content.flatMap((block) => {
    if (block.type === 'tool_use') return [block.id];
    return block.type === 'tool_result' ? [block.tool_use_id] : [];
  });
  return calls.length > 0 ? calls.join(' ') : null;
}

const idsAMillisecond = 4096;
const lastTime = 2_000_000_000_000;

/** Numbers of messages rise with their time, so that the newest are found first. */
function freeId(database: Database, time: number, seq: number): number {
  const moment = Math.round(Math.min(Math.max(time, 0), lastTime)) || 0;
  let id = moment * idsAMillisecond + (seq % idsAMillisecond);
  while (database.first('SELECT 1 FROM messages WHERE id = ?', id)) id += 1;
  return id;
}

function addCall(database: Database, session: SessionRow, event: Of<'tool-start'>): void {
  const { seq, call, agent, step, time, tool, summary, input } = event;
  const command = tool === 'Bash' && typeof input.command === 'string' ? input.command.slice(0, maxCommand) : null;
  database.run(
    "INSERT INTO tool_calls VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'open', NULL, 0)",
    ...[session.key, seq, call, agent, session.turn, step, time, tool, summary.slice(0, maxSummary), command],
  );
}

function endCall(database: Database, session: SessionRow, event: Of<'tool-end'>): void {
  // Bash puts the exit code into its summary, and nowhere else.
  const exit = event.tool === 'Bash' ? /^exit (-?\d+)$/.exec(event.summary)?.[1] : undefined;
  database.run(
    `UPDATE tool_calls SET status = ?, exit_code = ?, duration = ?
     WHERE session = ? AND agent = ? AND call = ? AND status = 'open'`,
    ...[event.status, exit === undefined ? null : Number(exit), event.durationMs],
    ...[session.key, event.agent, event.call],
  );
}

function addDecision(database: Database, session: SessionRow, event: Of<'permission-decide'>): void {
  const { seq, call, agent, time, tool, decision, by, rule, source } = event;
  database.run(
    'INSERT OR IGNORE INTO audit VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ...[session.key, seq, call, agent, session.turn, time, tool, decision, by, rule ?? '', source ?? ''],
  );
}

function addUsage(database: Database, session: SessionRow, event: Of<'usage-update'>): void {
  const { seq, step, time, usage, cost } = event;
  const agent = agentOf(session, event);
  agent.tokens = usage.outputTokens;
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  database.run(
    'INSERT OR IGNORE INTO usage VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ...[session.key, seq, event.agent, session.turn, step, time, agent.type, agent.model],
    ...[inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, cost ?? null],
  );
}
