import type { ReportFilter } from './contract.ts';
import type { Value } from './database.ts';

/** Conditions for a WHERE, and their values in order. */
export type Conditions = { readonly sql: string; readonly values: readonly Value[] };

/** @param time the column that a range is about */
export function conditionsOf(
  filter: ReportFilter,
  time: string,
  more: readonly (readonly [string, ...Value[]])[] = [],
) {
  const parts: (readonly [string, ...Value[]])[] = [...more];
  if (filter.from !== undefined) parts.push([`${time} >= ?`, filter.from]);
  if (filter.to !== undefined) parts.push([`${time} < ?`, filter.to]);
  if (filter.workspace !== undefined) parts.push(['s.workspace = ?', filter.workspace]);
  const sql = parts.length > 0 ? `WHERE ${parts.map(([condition]) => `(${condition})`).join(' AND ')}` : '';
  return { sql, values: parts.flatMap(([, ...values]) => values) } satisfies Conditions;
}

/** For LIKE with `ESCAPE '!'`: the text anywhere. */
export function containing(text: string): string {
  return `%${text.replace(/[!%_]/g, '!$&')}%`;
}
