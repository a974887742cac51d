import type { QueryRow, Report } from '../../queryProtocol.ts';
import type { Translate } from '../strings.ts';
import { columnsOf } from './columns.ts';

type Parts = {
  readonly t: Translate;
  readonly report: Exclude<Report, { readonly kind: 'cost' }>;
  readonly open: (session: string, agent: string) => void;
};

/** Newest first; the name of a conversation opens it where the agent worked. */
export function RowTable({ t, report, open }: Parts) {
  const columns = columnsOf(t, report.kind);
  const rows: readonly QueryRow[] = report.rows;
  return (
    <div class="scroll">
      <table>
        <caption>{captionOf(t, report.kind)}</caption>
        <thead>
          <tr>
            {[t('When'), ...columns.map(({ title }) => title), t('Agent'), t('Conversation')].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={`${row.session} ${row.agent} ${row.time} ${index}`}>
              <td class="time">{formatTime(row.time)}</td>
              {columns.map((column) => (
                <td key={column.title} class={`${column.isNumber ? 'number' : ''} ${column.isCode ? 'code' : ''}`}>
                  {column.text(row)}
                </td>
              ))}
              <td>{agentText(row)}</td>
              <td>
                <button type="button" class="link" title={row.workspace} onClick={() => open(row.session, row.agent)}>
                  {row.title}
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function captionOf(t: Translate, kind: Parts['report']['kind']): string {
  if (kind === 'agents') return t('Calls of agents, newest first');
  return kind === 'commands' ? t('Commands, newest first') : t('Decisions about calls, newest first');
}

function agentText({ agentName, agentType }: QueryRow): string {
  return agentType === '' || agentType === agentName ? agentName : `${agentName} (${agentType})`;
}

function formatTime(time: number): string {
  return new Date(time).toLocaleString(document.documentElement.lang || undefined, {
    dateStyle: 'short',
    timeStyle: 'medium',
  });
}
