import type { CostReportRow } from '../../queryProtocol.ts';
import type { Translate } from '../strings.ts';
import { costText, keyText, usdText } from './costs.ts';

type Parts = {
  readonly t: Translate;
  readonly rows: readonly CostReportRow[];
  readonly by: 'day' | 'agentType' | 'model';
};

const width = 640;
const barHeight = 14;
const rowHeight = 20;
const left = 150;
const right = 90;
const maxBars = 31;

/** Bars from left to right, so that long names have room. The table below says the same in numbers. */
export function Chart({ t, rows, by }: Parts) {
  const shown = by === 'day' ? rows.slice(-maxBars) : rows.slice(0, maxBars);
  const most = Math.max(...shown.map(({ cost }) => cost.usd));
  if (!(most > 0)) return null;
  const height = shown.length * rowHeight;
  const label = t('Bars of what each cost; the table below has the numbers.');
  return (
    <svg class="chart" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      {shown.map((row, index) => {
        const name = keyText(t, row.key);
        const length = Math.max(1, (row.cost.usd / most) * (width - left - right));
        const middle = index * rowHeight + rowHeight / 2;
        return (
          <g key={row.key}>
            <title>{`${name}: ${costText(t, row.cost)}`}</title>
            <text class="name" x={left - 8} y={middle} text-anchor="end" dominant-baseline="central">
              {name.length > 22 ? `${name.slice(0, 21)}…` : name}
            </text>
            <rect class="bar" x={left} y={middle - barHeight / 2} width={length} height={barHeight} rx="2" />
            <text class="sum" x={left + length + 6} y={middle} dominant-baseline="central">
              {usdText(row.cost.usd)}
            </text>
          </g>
        );
      })}
    </svg>
  );
}
