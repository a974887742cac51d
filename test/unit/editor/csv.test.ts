import { expect, test } from 'vitest';
import { toCsv } from '../../../src/editor/query/csv.ts';

const row = {
  ...{ session: 's1', title: '=HYPERLINK("http://x")', workspace: '/code, "a"', agent: 'lead', agentName: 'lead' },
  ...{ agentType: 'lead', turn: 2, time: Date.UTC(2026, 10, 30), durationMs: 5 },
  ...({ exitCode: undefined, status: 'ok' } as const),
} as const;

const cellsOf = (command: string) => {
  const csv = toCsv({ kind: 'commands', rows: [{ ...row, command }], total: 1 });
  return csv.split('\r\n')[1];
};

test('a table for spreadsheets quotes every text and runs nothing', () => {
  expect(cellsOf('npm test, "all"')).toBe(
    `"2026-11-30T00:00:00.000Z","s1","'=HYPERLINK(""http://x"")","/code, ""a""","lead","lead","lead",2,"npm test, ""all""",,"ok",5`,
  );
  for (const start of ['=', '+', '-', '@', '\t=', '\r=', ' =', '|', '＝']) {
    expect(cellsOf(`${start}cmd`), JSON.stringify(start)).toContain(`"'${start}cmd"`);
  }
  expect(cellsOf('npm -v = 3')).toContain('"npm -v = 3"');
});

test('costs are numbers with every digit', () => {
  const usage = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4 };
  const rows = [{ key: '2026-11-30', requests: 7, usage, cost: { usd: 0.1234567, unpriced: 1 } }];
  expect(toCsv({ kind: 'cost', by: 'day', rows }).slice(1)).toBe(
    '"day","usd","unpriced_requests","requests","input","output","cache_read","cache_write"\r\n"2026-11-30",0.1234567,1,7,1,2,3,4\r\n',
  );
});
