import { type HistoryIndex, type Report, type ReportQuery, readLabel } from '../../agent/index.ts';
import type { PageQuery } from '../../webview/queryProtocol.ts';

export type AnswerParts = {
  readonly index: Pick<HistoryIndex, 'report'>;
  readonly stateDirectory: string;
};

/** The report with the names that the user gave to conversations. */
export async function answerQuery(
  { index, stateDirectory }: AnswerParts,
  query: PageQuery,
  limit: number,
  signal: AbortSignal,
): Promise<Report> {
  const report = await index.report(withLimit(query, limit), signal);
  if (report.kind === 'cost') return report;
  const rows: readonly { readonly session: string; readonly title: string }[] = report.rows;
  const titles = new Map<string, string>();
  for (const session of new Set(rows.map((row) => row.session))) {
    const { title } = await readLabel(stateDirectory, session);
    if (title) titles.set(session, title);
  }
  return withTitles(report, titles);
}

function withLimit(query: PageQuery, limit: number): ReportQuery {
  return query.kind === 'cost' ? query : { ...query, limit };
}

function withTitles(report: Exclude<Report, { kind: 'cost' }>, titles: ReadonlyMap<string, string>): Report {
  const named = <Row extends { readonly session: string; readonly title: string }>(rows: readonly Row[]) =>
    rows.map((row) => ({ ...row, title: titles.get(row.session) ?? row.title }));
  switch (report.kind) {
    case 'agents':
      return { ...report, rows: named(report.rows) };
    case 'commands':
      return { ...report, rows: named(report.rows) };
    case 'permissions':
      return { ...report, rows: named(report.rows) };
  }
}
