import { expect, test } from 'vitest';
import { costOf } from '../../../../src/agent/model/pricing.ts';
import { ofType, startSession } from '../../../support/startSession.ts';
import { temporaryFolder } from '../sample.ts';
import { begin, message, openEngine, record, signal } from './setup.ts';

const usage = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 3, cacheWriteTokens: 2 };

function spend(cost: number | undefined, as: { agent?: string; session?: string; time?: number } = {}) {
  const total = { usage, cost };
  return { type: 'usage-update', step: 1, usage, cost, contextTokens: 1, contextWindow: 9, total, as } as const;
}

test('what agents cost is summed by day of the local calendar, by type and by model; what has no price is counted', async () => {
  const state = await temporaryFolder();
  const start = {
    name: 'scout',
    agentType: 'Explore',
    description: '',
    prompt: '',
    modelRule: '',
    tools: [],
    depth: 1,
  };
  const at = (day: number, hour: number) => new Date(2026, 2, day, hour).getTime();
  await record(state, 's', [
    begin('x', '/code/a'),
    { type: 'step-start', step: 1, model: 'big', as: { time: at(1, 1) } },
    spend(0.5, { time: at(1, 1) }),
    spend(0.25, { time: at(1, 23) }),
    { type: 'agent-start', ...start, model: 'small', call: 'c', as: { agent: 'a1' } },
    spend(0.125, { time: at(2, 0), agent: 'a1' }),
    spend(undefined, { time: at(2, 1), agent: 'a1' }),
    spend(9, { time: at(2, 2), session: 'elsewhere' }),
  ]);
  const index = await openEngine(state);
  await index.update(signal);
  const costs = async (query: object) => {
    const report = await index.report({ kind: 'cost', by: 'day', ...query });
    if (report.kind !== 'cost') return expect.unreachable();
    return report.rows.map(({ key, requests, cost }) => [key, requests, cost.usd, cost.unpriced]);
  };
  expect(await costs({})).toEqual([
    ['2026-03-01', 2, 0.75, 0],
    ['2026-03-02', 2, 0.125, 1],
  ]);
  expect(await costs({ by: 'agentType' })).toEqual([
    ['lead', 2, 0.75, 0],
    ['Explore', 2, 0.125, 1],
  ]);
  expect(await costs({ by: 'model' })).toEqual([
    ['big', 2, 0.75, 0],
    ['small', 2, 0.125, 1],
  ]);
  expect(await costs({ from: at(1, 23), to: at(2, 1) })).toEqual([
    ['2026-03-01', 1, 0.25, 0],
    ['2026-03-02', 1, 0.125, 0],
  ]);
  expect(await costs({ workspace: '/code/b' })).toEqual([]);
});

test('the list of sessions says how each ended, who worked in it and what it cost', async () => {
  const state = await temporaryFolder();
  const start = { agentType: 'Explore', description: '', prompt: '', model: 'm', modelRule: '', tools: [], depth: 1 };
  await record(state, 'a', [
    begin('First', '/code/a'),
    { type: 'turn-start', turn: 1, prompt: '' },
    message('hello'),
    spend(0.5),
    { type: 'agent-start', ...start, name: 'scout', call: 'c', as: { agent: 'a1' } },
    { type: 'agent-start', ...start, name: 'ranger', call: 'c', as: { agent: 'a2' } },
    { type: 'turn-end', turn: 1, status: 'completed' },
  ]);
  await record(state, 'b', [
    begin('Second', '/code/b'),
    { type: 'turn-start', turn: 1, prompt: '', as: { time: 5e6 } },
  ]);
  const index = await openEngine(state);
  await index.update(signal);
  expect(await index.sessions({})).toMatchObject([
    { id: 'b', title: 'Second', status: 'open', turns: 1, messages: 0, agents: [], updatedAt: 5e6 },
    {
      ...{ id: 'a', title: 'First', workspace: '/code/a', status: 'completed', turns: 1, messages: 1, usage },
      ...{ agents: ['scout', 'ranger'], cost: { usd: 0.5, unpriced: 0 }, startedAt: 1_001_000, updatedAt: 1_007_000 },
    },
  ]);
  const ids = async (filter: object) => (await index.sessions(filter)).map(({ id }) => id);
  expect(await ids({ workspace: '/code/a' })).toEqual(['a']);
  expect(await ids({ ids: ['b', 'c'] })).toEqual(['b']);
  expect(await ids({ from: 2_000_000 })).toEqual(['b']);
  expect(await ids({ to: 2_000_000 })).toEqual(['a']);
  expect(await ids({ limit: 1 })).toEqual(['b']);
});

test('of a real run the reports say what happened: sums equal the bill, commands have exit codes, decisions their reason', async () => {
  const { session, model, state, events } = await startSession({ settings: { 'permissions.deny': ['Bash(rm:*)'] } });
  const billed = (input: number, output: number) => ({
    usage: { input_tokens: input, output_tokens: output, cache_read_input_tokens: 11, cache_creation_input_tokens: 7 },
  });
  const call = (name: string, input: Record<string, unknown>) => ({ type: 'tool_use', name, input }) as const;
  const task = { description: 'look', prompt: 'look around', subagent_type: 'Explore', name: 'scout' };
  model.queue('look around', { blocks: [{ type: 'text', text: 'Seen.' }], ...billed(700, 30) });
  model.queue(
    'do it',
    {
      blocks: [
        call('Bash', { command: 'echo walrus; exit 3' }),
        call('Bash', { command: 'rm -rf nothing' }),
        call('Agent', task),
      ],
      ...billed(1000, 50),
    },
    { blocks: [{ type: 'text', text: 'Done.' }], ...billed(2000, 60) },
  );
  await session.send('do it');
  await session.close();
  const index = await openEngine(state);
  await index.update(signal);

  const small = ofType(events, 'agent-start').find(({ name }) => name === 'scout')?.model ?? '';
  const tokens = (inputTokens: number, outputTokens: number) => ({
    ...{ inputTokens, outputTokens, cacheReadTokens: 11, cacheWriteTokens: 7 },
  });
  const lone = (name: string, input: number, output: number) => costOf(name, tokens(input, output)) ?? Number.NaN;
  const bill = lone(small, 700, 30) + lone('claude-sonnet-5-5', 1000, 50) + lone('claude-sonnet-5-5', 2000, 60);
  expect(bill).toBeGreaterThan(0);
  for (const by of ['day', 'agentType', 'model'] as const) {
    const report = await index.report({ kind: 'cost', by });
    if (report.kind !== 'cost') return expect.unreachable();
    expect(report.rows.reduce((sum, row) => sum + row.cost.usd, 0)).toBeCloseTo(bill, 12);
    expect(report.rows.reduce((sum, row) => sum + row.usage.inputTokens, 0)).toBe(3700);
    expect(report.rows.reduce((sum, row) => sum + row.requests, 0)).toBe(model.bodies().length);
  }
  const commands = await index.report({ kind: 'commands', text: '', limit: 9 });
  expect(commands.rows).toMatchObject([
    { command: 'rm -rf nothing', exitCode: undefined, status: 'denied', agentName: 'lead', session: session.id },
    { command: 'echo walrus; exit 3', exitCode: 3, status: 'error', agentName: 'lead', turn: 1 },
  ]);
  const denied = await index.report({ kind: 'permissions', limit: 99 });
  expect(denied.rows).toContainEqual(
    expect.objectContaining({ tool: 'Bash', decision: 'deny', by: 'rule', rule: 'Bash(rm:*)' }),
  );
  const scout = await index.report({ kind: 'agents', agent: 'explore', limit: 9 });
  expect(scout).toMatchObject({ kind: 'agents', rows: [], total: 0 });
  const lead = await index.report({ kind: 'agents', agent: 'lead', limit: 2 });
  expect(lead).toMatchObject({ total: 3, rows: [{ tool: 'Agent', status: 'ok' }, { tool: 'Bash' }] });
  const [listed] = await index.sessions({});
  expect(listed).toMatchObject({
    agents: ['scout'],
    cost: { unpriced: 0 },
    usage: { inputTokens: 3700, outputTokens: 140, cacheReadTokens: 33, cacheWriteTokens: 21 },
  });
});
