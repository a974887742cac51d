import type { Report } from '../../agent/index.ts';

type Cell = string | number | undefined;

/** Column names are not translated: scripts read them. */
export function toCsv(report: Report): string {
  // Spreadsheets take a file without this mark for one in the system's encoding.
  const mark = '\uFEFF';
  return (
    mark +
    linesOf(report)
      .map((cells) => `${cells.map(toCell).join(',')}\r\n`)
      .join('')
  );
}

function linesOf(report: Report): readonly (readonly Cell[])[] {
  switch (report.kind) {
    case 'cost':
      return [
        [report.by, 'usd', 'unpriced_requests', 'requests', 'input', 'output', 'cache_read', 'cache_write'],
        ...report.rows.map(({ key, cost, requests, usage: { inputTokens, outputTokens, ...cache } }) => [
          ...[key, cost.usd, cost.unpriced, requests],
          ...[inputTokens, outputTokens, cache.cacheReadTokens, cache.cacheWriteTokens],
        ]),
      ];
    case 'agents':
      return [
        [...origin, 'tool', 'summary', 'status', 'duration_ms'],
        ...report.rows.map((row) => [...originOf(row), row.tool, row.summary, row.status, row.durationMs]),
      ];
    case 'commands':
      return [
        [...origin, 'command', 'exit_code', 'status', 'duration_ms'],
        ...report.rows.map((row) => [...originOf(row), row.command, row.exitCode, row.status, row.durationMs]),
      ];
    case 'permissions':
      return [
        [...origin, 'tool', 'summary', 'decision', 'decided_by', 'rule', 'source'],
        ...report.rows.map((row) => [
          ...originOf(row),
          ...[row.tool, row.summary, row.decision, row.by, row.rule, row.source],
        ]),
      ];
  }
}

const origin = ['time', 'session', 'title', 'workspace', 'agent', 'agent_name', 'agent_type', 'turn'];

function originOf(row: Exclude<Report, { readonly kind: 'cost' }>['rows'][number]): readonly Cell[] {
  const time = new Date(row.time).toISOString();
  return [time, row.session, row.title, row.workspace, row.agent, row.agentName, row.agentType, row.turn];
}

/** Texts that a spreadsheet would run as a formula begin with an apostrophe, as OWASP advises. */
function toCell(value: Cell): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const harmless = /^[\s]*[=+\-@|%\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value;
  return `"${harmless.replaceAll('"', '""')}"`;
}
