import type { CostReportRow } from '../../queryProtocol.ts';
import type { Translate } from '../strings.ts';

/** Requests whose price is not known are said, not counted as free. */
export function costText(t: Translate, { usd, unpriced }: CostReportRow['cost']): string {
  return unpriced > 0 ? t('{0} and {1} requests without a price', usdText(usd), unpriced) : usdText(usd);
}

export function usdText(usd: number): string {
  return `$${usd.toFixed(usd !== 0 && usd < 1 ? 4 : 2)}`;
}

/** An agent whose beginning is missing has no type. */
export function keyText(t: Translate, key: string): string {
  return key === '' ? t('Unknown') : key;
}

export function sumOf(rows: readonly CostReportRow[]): Omit<CostReportRow, 'key'> {
  const sum = (pick: (row: CostReportRow) => number) => rows.reduce((total, row) => total + pick(row), 0);
  return {
    requests: sum(({ requests }) => requests),
    usage: {
      inputTokens: sum(({ usage }) => usage.inputTokens),
      outputTokens: sum(({ usage }) => usage.outputTokens),
      cacheReadTokens: sum(({ usage }) => usage.cacheReadTokens),
      cacheWriteTokens: sum(({ usage }) => usage.cacheWriteTokens),
    },
    cost: { usd: sum(({ cost }) => cost.usd), unpriced: sum(({ cost }) => cost.unpriced) },
  };
}
