import type { CostReportRow } from '../../queryProtocol.ts';
import type { Translate } from '../strings.ts';
import { costText, keyText, sumOf } from './costs.ts';

type Parts = {
  readonly t: Translate;
  readonly rows: readonly CostReportRow[];
  readonly by: 'day' | 'agentType' | 'model';
};

export function CostTable({ t, rows, by }: Parts) {
  const first = { day: t('Day'), agentType: t('Agent type'), model: t('Model') }[by];
  const titles = [t('Cost'), t('Requests'), t('Read'), t('Written'), t('From cache'), t('To cache')];
  return (
    <div class="scroll">
      <table>
        <caption>{t('Cost and tokens')}</caption>
        <thead>
          <tr>
            <th scope="col">{first}</th>
            {titles.map((title) => (
              <th key={title} scope="col" class="number">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key}>
              <th scope="row">{keyText(t, row.key)}</th>
              <Numbers t={t} row={row} />
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('In all')}</th>
            <Numbers t={t} row={sumOf(rows)} />
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

function Numbers({ t, row }: { readonly t: Translate; readonly row: Omit<CostReportRow, 'key'> }) {
  const { requests, usage, cost } = row;
  const counts = [requests, usage.inputTokens, usage.outputTokens, usage.cacheReadTokens, usage.cacheWriteTokens];
  return (
    <>
      <td class="number">{costText(t, cost)}</td>
      {counts.map((count, index) => (
        <td key={index} class="number">
          {count.toLocaleString(document.documentElement.lang || undefined)}
        </td>
      ))}
    </>
  );
}
