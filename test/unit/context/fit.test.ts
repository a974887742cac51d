import { describe, expect, it } from 'vitest';
import { call, delegate, say, text } from '../../support/answers.ts';
import { ofType, startSession } from '../../support/startSession.ts';
import { counted, filling, largeModel, sent, small, smallModels, windowOf, words } from './story.ts';

describe('a request that may not fit', () => {
  it('is not sent when it does not, and what takes the room is said', async () => {
    const { session, model } = await startSession({ ...small, script: () => say(text('fine')) });
    const { status, error } = await session.send(words(60_000));
    expect(status).toBe('failed');
    expect(error).toMatch(
      /^Not sent: 6\d,\d{3} tokens and 10,000 for the answer do not fit into the 40,000 of claude-/,
    );
    expect(error).toMatch(/\(prompt [56]\d,\d{3}, tools \d,\d{3}, system [\d,]+\)/);
    expect(error).toMatch(/Shorten the prompt: name files by their path/);
    expect(error?.length).toBeLessThan(300);
    expect([model.bodies().length, counted(model)]).toEqual([0, 1]);
    expect(await session.send('short')).toMatchObject({ status: 'completed', text: 'fine' });
    expect(sent(model)).toContain('short');
  });

  it('is blamed on the instructions of the project when those take the room', async () => {
    const { session, model } = await startSession({
      models: [windowOf(8_000)],
      settings: small.settings,
      files: { 'AGENTS.md': words(7_000) },
      script: () => say(text('fine')),
    });
    expect((await session.send('hi')).error).toMatch(/Shorten AGENTS\.md or CLAUDE\.md\.$/);
    expect(model.bodies()).toEqual([]);
  });

  it('goes by what the server counts, not by the estimate', async () => {
    const { session, model } = await startSession({ ...small, script: () => say(text('fine')) });
    const thick = '文'.repeat(30_000);
    expect(await session.send(thick)).toMatchObject({ status: 'completed' });
    expect([model.bodies().length, counted(model)]).toEqual([1, 1]);
  });

  it('is estimated where the server cannot count, and Chinese is not taken for less than it is', async () => {
    const { session, model } = await startSession({ ...small, counting: 'none', script: () => say(text('fine')) });
    expect((await session.send('文'.repeat(30_000))).error).toMatch(/^Not sent: 3\d,\d{3} tokens/);
    expect(model.bodies()).toEqual([]);
  });

  it('is not counted while there is no doubt', async () => {
    const { session, model } = await startSession({ ...small, script: () => say(text('fine')) });
    await session.send(words(5_000));
    await session.send('more');
    expect(counted(model)).toBe(0);
  });

  it('that is over the byte limit of servers is not sent', async () => {
    const { session, model } = await startSession({
      models: [windowOf(30_000_000)],
      settings: small.settings,
      script: () => say(text('fine')),
    });
    const { error } = await session.send(`a${' '.repeat(33 * 1024 * 1024)}b`);
    expect(error).toMatch(/^Not sent: the request has 33\.\d MB, and servers take 32 MB\. Shorten the prompt/);
    expect(model.bodies()).toEqual([]);
  });

  it('of a subagent fails that agent, and the lead learns why', async () => {
    const { session, model } = await startSession({
      models: [...smallModels, largeModel],
      settings: { model: 'opus', smallModel: 'sonnet' },
      script: ({ tools, step, lastResults }) => {
        if (!tools.includes('Agent')) return say(text('child'));
        return step === 0
          ? say(delegate(`Look at this: ${words(60_000)}`))
          : say(text(lastResults[0]?.text.slice(0, 400) ?? ''));
      },
    });
    const { text: answer } = await session.send('go');
    expect(answer).toMatch(/status="failed"/);
    expect(answer).toMatch(/Not sent: .*Shorten the prompt/);
    expect(model.bodies().filter(({ tools }) => !JSON.stringify(tools).includes('subagent_type'))).toEqual([]);
  });
});

describe('the size of a context', () => {
  it('is that of the last usage, and what was appended since', async () => {
    const { session, model, events } = await startSession({
      ...small,
      files: { 'big.txt': `${words(20)}\n`.repeat(350) },
      script: ({ prompt, step }) =>
        prompt === 'read' && step === 0
          ? { ...filling(20_000, ''), ...say(call('Read', { file_path: 'big.txt' })) }
          : filling(21_000, 'done'),
    });
    await session.send('read');
    expect(counted(model)).toBe(1);
    expect(ofType(events, 'usage-update').map(({ contextTokens }) => contextTokens)).toEqual([20_000, 21_000]);
    await session.send('again');
    expect(counted(model)).toBe(1);
  });

  it('is known again after a restart, and estimated anew for another model', async () => {
    const script = () => filling(25_000, words(200));
    const { session, model, reopen } = await startSession({ ...small, script });
    await session.send(words(26_000));
    expect(counted(model)).toBe(1);
    await session.close();
    const again = await reopen(session.id);
    await again.send('more');
    expect(counted(model)).toBe(1);
    again.setModel('claude-opus-5-5');
    await again.send('and more');
    expect(counted(model)).toBe(1);
    again.setModel('claude-sonnet-5-5');
    await again.send('and more');
    expect(counted(model)).toBe(2);
  });

  it('is told with its parts, which add up', async () => {
    const { session, events } = await startSession({
      ...small,
      files: { 'AGENTS.md': words(500) },
      script: () => say(text('fine')),
    });
    await session.send(words(3_000));
    const [{ contextTokens = 0, contextParts } = {}] = ofType(events, 'usage-update');
    expect(contextParts?.instructions).toBeGreaterThan(400);
    expect(contextParts?.messages).toBeGreaterThan(2_000);
    expect(Object.values(contextParts ?? {}).reduce((sum, part) => sum + part, 0)).toBe(contextTokens);
  });

  it('is measured against the window that the server lists, also for a model that is named in full', async () => {
    const { session, model } = await startSession({
      models: [windowOf(1_000_000)],
      settings: { model: 'claude-sonnet-5-5' },
      script: () => say(text('fine')),
    });
    const lists = () => model.requests.filter(({ path }) => path === '/v1/models').length;
    expect((await session.send('hi')).status).toBe('completed');
    expect(lists()).toBe(0);
    expect((await session.send(words(250_000))).status).toBe('completed');
    expect(lists()).toBe(1);
  });
});
