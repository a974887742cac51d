/** The figures for people, as markdown. */
import type { AgentSummary, Cell, Spread } from './summary.ts';

type Row = readonly string[];

export function renderTables(cells: readonly Cell[]): string {
  return [
    table(timeHeads, cells.flatMap(timeRows)),
    table(sizeHeads, cells.flatMap(sizeRows)),
    'step: from the last byte of an answer to the last byte of the next request, the tool included; median (min–max) over runs. Ratios: the best of ours to the best of the bare loop.',
    'same: of each request, what stood in the one before; kept: of the one before, what still stands. marked: requests whose last block carries a cache mark. frame: bytes of a result beside the report.',
  ].join('\n\n');
}

const timeHeads: Row = [
  'cell',
  '',
  'step ms',
  'read / grep / glob ms',
  'wall s',
  'start s',
  'CPU s',
  'peak MB',
  'delegate / return ms',
  'at once',
  'noise',
];

function timeRows({ scenario, size, noise, ours, bare, ratios }: Cell): readonly Row[] {
  const row = (name: string, agent: AgentSummary, first: string): Row => [
    first,
    name,
    spread(agent.step, 1),
    (['read', 'grep', 'glob'] as const).map((call) => agent.byCall[call]?.toFixed(0) ?? '–').join(' / '),
    spread(agent.wall, 2, 1000),
    spread(agent.start, 3, 1000),
    spread(agent.cpu, 2, 1000),
    spread(agent.memory, 0),
    `${agent.delegate?.median.toFixed(0) ?? '–'} / ${agent.return?.median.toFixed(0) ?? '–'}`,
    agent.atOnce === 0 ? '–' : `${agent.atOnce}${agent.startedEarly > 0 ? `, ${agent.startedEarly} early` : ''}`,
    first === '' ? '' : noise.median.toFixed(1),
  ];
  const ratio = (value: number | undefined) => (value === undefined ? '' : `× ${value.toFixed(2)}`);
  return [
    row('ours', ours, `${scenario} ${size}`),
    row('bare', bare, ''),
    [
      '',
      'ratio',
      ratio(ratios.step),
      '',
      ratio(ratios.wall),
      ratio(ratios.start),
      ratio(ratios.cpu),
      ratio(ratios.memory),
      '',
      '',
      '',
    ],
  ];
}

const sizeHeads: Row = [
  'cell',
  '',
  'first request B',
  'system / tools B (count)',
  'child first B',
  'lead last kB',
  'sent kB',
  'requests',
  'same / kept %',
  'siblings %',
  'marked',
  'growth / frame B',
];

function sizeRows({ scenario, size, ours, bare }: Cell): readonly Row[] {
  const share = (value: number | undefined) => (value === undefined ? '–' : (value * 100).toFixed(1));
  const row = (name: string, { sizes }: AgentSummary, first: string): Row => [
    first,
    name,
    String(sizes.first),
    `${sizes.firstSystem} / ${sizes.firstTools} (${sizes.toolCount})`,
    String(sizes.childFirst ?? '–'),
    (sizes.leadLast / 1000).toFixed(1),
    (sizes.sent / 1000).toFixed(0),
    String(sizes.requests),
    `${share(sizes.same)} / ${share(sizes.kept)}`,
    share(sizes.sameAmongSiblings),
    `${sizes.marked}/${sizes.requests}`,
    sizes.growth === undefined ? '–' : `${sizes.growth.toFixed(0)} / ${sizes.frame?.toFixed(0)}`,
  ];
  return [row('ours', ours, `${scenario} ${size}`), row('bare', bare, '')];
}

function spread(value: Spread | undefined, digits: number, divisor = 1): string {
  if (!value) return '–';
  const [middle, low, high] = [value.median, value.min, value.max].map((each) => (each / divisor).toFixed(digits));
  return low === high ? `${middle}` : `${middle} (${low}–${high})`;
}

function table(heads: Row, rows: readonly Row[]): string {
  const widths = heads.map((head, column) => Math.max(3, head.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: Row) => `| ${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(heads), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rows.map(line)].join('\n');
}
