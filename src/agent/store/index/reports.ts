import * as z from 'zod';
import type { CallRow, CommandRow, CostRow, PermissionRow, Report, ReportQuery } from './contract.ts';
import { type Database, number, type Row, text, type Value } from './database.ts';
import { type Conditions, conditionsOf, containing } from './filters.ts';
import { costOf, usageOf } from './listIndexed.ts';
import { placeOf } from './place.ts';

type Query<Kind extends ReportQuery['kind']> = Extract<ReportQuery, { kind: Kind }>;

/** Also the limit on what a caller may ask for at once. */
const maxRows = 100_000;

export function makeReport(database: Database, query: ReportQuery): Report {
  switch (query.kind) {
    case 'agents':
      return reportAgents(database, query);
    case 'commands':
      return reportCommands(database, query);
    case 'cost':
      return reportCost(database, query);
    case 'permissions':
      return reportPermissions(database, query);
  }
}

const origin = 's.id AS session_id, s.title, s.workspace, r.agent, a.name, a.type, r.turn, r.time';
const joined =
  'AS r JOIN sessions AS s ON s.key = r.session LEFT JOIN agents AS a ON a.session = r.session AND a.id = r.agent';

function select(database: Database, table: string, columns: string, { sql, values }: Conditions, limit: number) {
  const counted = database.first(`SELECT count(*) AS count FROM ${table} ${joined} ${sql}`, ...values);
  const rows = database.all(
    `SELECT ${origin}, ${columns} FROM ${table} ${joined} ${sql} ORDER BY r.time DESC, r.seq DESC LIMIT ?`,
    ...values,
    Math.min(limit, maxRows),
  );
  return { rows, total: number(counted, 'count') };
}

function originOf(row: Row) {
  return { ...placeOf(row), agentType: text(row, 'type') };
}

const statusSchema = z.enum(['ok', 'error', 'denied', 'cancelled', 'open']).catch('open');

function reportAgents(database: Database, query: Query<'agents'>): Report {
  const like = containing(query.agent.trim());
  const named: [string, ...Value[]] = [
    "a.name LIKE ? ESCAPE '!' OR a.type LIKE ? ESCAPE '!' OR a.id = ?",
    like,
    like,
    query.agent.trim(),
  ];
  const conditions = conditionsOf(query, 'r.time', query.agent.trim() === '' ? [] : [named]);
  const columns = 'r.tool, r.summary, r.status, r.duration';
  const { rows, total } = select(database, 'tool_calls', columns, conditions, query.limit);
  return { kind: 'agents', rows: rows.map(toCall), total };
}

function toCall(row: Row): CallRow {
  return {
    ...originOf(row),
    tool: text(row, 'tool'),
    summary: text(row, 'summary'),
    status: statusSchema.parse(text(row, 'status')),
    durationMs: number(row, 'duration'),
  };
}

function reportCommands(database: Database, query: Query<'commands'>): Report {
  const wanted = query.text.trim();
  const more: [string, ...Value[]][] = [['r.command IS NOT NULL']];
  if (wanted !== '') more.push(["r.command LIKE ? ESCAPE '!'", containing(wanted)]);
  const columns = 'r.command, r.exit_code, r.status, r.duration';
  const { rows, total } = select(database, 'tool_calls', columns, conditionsOf(query, 'r.time', more), query.limit);
  return { kind: 'commands', rows: rows.map(toCommand), total };
}

function toCommand(row: Row): CommandRow {
  return {
    ...originOf(row),
    command: text(row, 'command'),
    exitCode: row.exit_code === null ? undefined : number(row, 'exit_code'),
    status: statusSchema.parse(text(row, 'status')),
    durationMs: number(row, 'duration'),
  };
}

const decisionSchema = z.enum(['allow', 'deny']).catch('deny');

function reportPermissions(database: Database, query: Query<'permissions'>): Report {
  const columns = `r.tool, r.decision, r.decided_by, r.rule, r.source, (SELECT summary FROM tool_calls AS c
    WHERE c.session = r.session AND c.agent = r.agent AND c.call = r.call ORDER BY c.seq DESC LIMIT 1) AS summary`;
  const { rows, total } = select(database, 'audit', columns, conditionsOf(query, 'r.time'), query.limit);
  return { kind: 'permissions', rows: rows.map(toPermission), total };
}

function toPermission(row: Row): PermissionRow {
  return {
    ...originOf(row),
    tool: text(row, 'tool'),
    summary: text(row, 'summary'),
    decision: decisionSchema.parse(text(row, 'decision')),
    by: text(row, 'decided_by'),
    rule: text(row, 'rule'),
    source: text(row, 'source'),
  };
}

const sums = `count(*) AS requests, sum(r.input) AS input, sum(r.output) AS output, sum(r.cache_read) AS cache_read,
  sum(r.cache_write) AS cache_write, total(r.cost) AS cost, sum(r.cost IS NULL) AS unpriced`;
/** Every border of a day in any time zone is one of these. */
const quarterMs = 900_000;

function reportCost(database: Database, query: Query<'cost'>): Report {
  const { by } = query;
  const key = { day: `CAST(r.time / ${quarterMs} AS INTEGER)`, agentType: 'r.type', model: 'r.model' }[by];
  const { sql, values } = conditionsOf(query, 'r.time');
  const rows = database.all(
    `SELECT ${key} AS key, ${sums} FROM usage AS r JOIN sessions AS s ON s.key = r.session ${sql} GROUP BY 1`,
    ...values,
  );
  const costs = rows.map((row) => toCost(row, by === 'day' ? dayOf(number(row, 'key') * quarterMs) : text(row, 'key')));
  const merged = by === 'day' ? mergeByKey(costs) : costs;
  const order = (a: CostRow, b: CostRow) =>
    by === 'day' ? a.key.localeCompare(b.key) : b.cost.usd - a.cost.usd || a.key.localeCompare(b.key);
  return { kind: 'cost', by, rows: [...merged].sort(order) };
}

function toCost(row: Row, key: string): CostRow {
  return { key, requests: number(row, 'requests'), usage: usageOf(row), cost: costOf(row) };
}

/** Of the local calendar, whose days have 23 to 25 hours. */
function dayOf(time: number): string {
  const date = new Date(time);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function mergeByKey(rows: readonly CostRow[]): readonly CostRow[] {
  const merged = new Map<string, CostRow>();
  for (const row of rows) {
    const sum = merged.get(row.key);
    merged.set(row.key, sum ? addCosts(sum, row) : row);
  }
  return [...merged.values()];
}

function addCosts(left: CostRow, right: CostRow): CostRow {
  return {
    key: left.key,
    requests: left.requests + right.requests,
    usage: {
      inputTokens: left.usage.inputTokens + right.usage.inputTokens,
      outputTokens: left.usage.outputTokens + right.usage.outputTokens,
      cacheReadTokens: left.usage.cacheReadTokens + right.usage.cacheReadTokens,
      cacheWriteTokens: left.usage.cacheWriteTokens + right.usage.cacheWriteTokens,
    },
    cost: { usd: left.cost.usd + right.cost.usd, unpriced: left.cost.unpriced + right.cost.unpriced },
  };
}
