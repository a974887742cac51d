import * as z from 'zod';
import type { IndexedSession, SessionFilter } from './contract.ts';
import { type Database, number, type Row, text } from './database.ts';
import { conditionsOf } from './filters.ts';

const statusSchema = z
  .enum(['completed', 'limit_reached', 'stopped', 'failed', 'interrupted', 'open', 'empty'])
  .catch('open');

/** Newest first. */
export function listIndexed(database: Database, filter: SessionFilter): readonly IndexedSession[] {
  const { ids, limit } = filter;
  const inIds = ids ? [[`s.id IN (${ids.map(() => '?').join(', ')})`, ...ids] as const] : [];
  const { sql, values } = conditionsOf(filter, 's.updated', inIds);
  const rows = database.all(
    `SELECT s.*,
       (SELECT count(*) FROM messages AS m WHERE m.session = s.key) AS messages,
       (SELECT json_group_array(name) FROM
         (SELECT name FROM agents AS a WHERE a.session = s.key AND a.parent IS NOT NULL ORDER BY a.started)) AS agents,
       u.input, u.output, u.cache_read, u.cache_write, u.cost, u.unpriced
     FROM sessions AS s LEFT JOIN (
       SELECT session, sum(input) AS input, sum(output) AS output, sum(cache_read) AS cache_read,
         sum(cache_write) AS cache_write, total(cost) AS cost, sum(cost IS NULL) AS unpriced
       FROM usage GROUP BY session) AS u ON u.session = s.key
     ${sql} ORDER BY s.updated DESC, s.id DESC LIMIT ?`,
    ...values,
    limit ?? -1,
  );
  return rows.map(toSession);
}

function toSession(row: Row): IndexedSession {
  return {
    id: text(row, 'id'),
    title: text(row, 'title'),
    workspace: text(row, 'workspace'),
    startedAt: number(row, 'started'),
    updatedAt: number(row, 'updated'),
    status: statusSchema.parse(text(row, 'status')),
    turns: number(row, 'turns'),
    messages: number(row, 'messages'),
    agents: z.array(z.string()).parse(JSON.parse(text(row, 'agents'))),
    usage: usageOf(row),
    cost: costOf(row),
    bytes: number(row, 'size'),
    damagedLines: number(row, 'damaged'),
  };
}

export function usageOf(row: Row): IndexedSession['usage'] {
  return {
    inputTokens: number(row, 'input'),
    outputTokens: number(row, 'output'),
    cacheReadTokens: number(row, 'cache_read'),
    cacheWriteTokens: number(row, 'cache_write'),
  };
}

export function costOf(row: Row): IndexedSession['cost'] {
  return { usd: number(row, 'cost'), unpriced: number(row, 'unpriced') };
}
