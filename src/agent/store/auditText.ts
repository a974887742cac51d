import type { AuditEntry } from './audit.ts';

export const auditFormats = ['jsonl', 'csv'] as const;
export type AuditFormat = (typeof auditFormats)[number];

/** What stands above the entries; empty for JSON lines. Ends, as every line, with a line end. */
export function auditHead(format: AuditFormat): string {
  return format === 'csv' ? toLine(columns) : '';
}

/** An entry as a line. JSON lines have the time in milliseconds since the epoch, and in words. */
export function auditLine(entry: AuditEntry, format: AuditFormat): string {
  const at = new Date(entry.time).toISOString();
  if (format === 'jsonl') return `${JSON.stringify({ at, ...entry })}\n`;
  const values: Readonly<Record<string, string | number>> = { ...entry, at };
  return toLine(columns.map((column) => String(values[column] ?? '')));
}

const columns = [
  'at',
  'session',
  'workspace',
  'agent',
  'agentName',
  'call',
  'tool',
  'input',
  'decision',
  'by',
  'rule',
  'source',
  'event',
  'hook',
  'scope',
  'reason',
] as const;

function toLine(values: readonly string[]): string {
  return `${values.map(toField).join(',')}\r\n`;
}

/** Table programs run what begins like a formula, also behind blanks; an apostrophe makes it text. */
const formula = /^[\s\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20|%]|^[\t\r\n]/;

function toField(value: string): string {
  const text = formula.test(value) ? `'${value}` : value;
  return /[",\r\n;\t']/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
