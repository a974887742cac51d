import { describe, expect, it } from 'vitest';
import { call, delegate, say, text } from '../../support/answers.ts';
import { type Answer, faults, type Script } from '../../support/scriptedModel.ts';
import { ofType, startSession } from '../../support/startSession.ts';
import { filling, sent, small, summarising, words } from './story.ts';

const full = 33_000;
const big = `${words(20)}\n`.repeat(100);

/** Each prompt is answered; afterwards the context is nearly full. */
const talkative: Script = ({ prompt }) => filling(full, `answer to ${prompt.slice(0, 19)}`);

describe('compaction', () => {
  it('drops old results first, without a request, and keeps the last few and the reports of agents', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 16 }, (_, index) => [`f${index}.txt`, `file ${index}\n${big}`]),
    );
    const script: Script = ({ step, tools }) => {
      if (!tools.includes('Agent')) return say(text(`report ${words(300)}`));
      if (step === 0) return say(delegate('look'));
      if (step <= 16) return say(call('Read', { file_path: `f${step - 1}.txt` }));
      return say(text('done'));
    };
    const { session, model, events } = await startSession({ ...small, files, script });
    expect((await session.send('go')).status).toBe('completed');
    const compactions = ofType(events, 'context-compact');
    expect(compactions.map(({ by, how }) => `${by} ${how}`)).toEqual(['lead drop']);
    expect(compactions[0]?.tokensAfter).toBeLessThan(24_000);
    const last = sent(model);
    expect(last).toContain('An old result, left out');
    expect(last).toContain('report abc');
    expect(last).toContain('file 15');
    expect(last).not.toContain('file 0\\n');
    expect(model.requests.filter(({ status }) => status !== 200)).toEqual([]);
  });

  it('summarises when dropping is not enough, twice in a row, and forgets neither request nor order', async () => {
    let summaries = 0;
    const summary: Script = () => {
      summaries += 1;
      return say(text(`summary ${summaries}: ${words(3_000)}`));
    };
    const { session, model, events } = await startSession({ ...small, script: summarising(summary, talkative) });
    for (const prompt of ['first', 'second', 'third']) {
      expect((await session.send(`${prompt} request: ${words(3_000)}`)).status).toBe('completed');
    }
    expect(ofType(events, 'context-compact').map(({ how }) => how)).toEqual(['summary', 'summary']);
    const { messages = [] } = model.bodies().at(-1) ?? {};
    expect(messages).toHaveLength(1);
    const last = JSON.stringify(messages);
    expect(last.match(/<summary of=/g)).toHaveLength(1);
    expect(last).toContain('summary 2');
    expect(last).not.toContain('summary 1');
    expect(last.match(/first request/g)).toHaveLength(1);
    expect(last).not.toContain('second request');
    expect(last).toContain(`third request: ${words(3_000)}`);
    expect(model.requests.filter(({ status }) => status !== 200)).toEqual([]);
  });

  it('reads the history for the summary from the prompt cache', async () => {
    const { session, model } = await startSession({
      ...small,
      script: summarising(say(text('all of it')), ({ prompt }) => filling(full, `re: ${prompt.slice(0, 5)}`)),
    });
    await session.send(`first ${words(20_000)}`);
    await session.send('second');
    const [first, summary] = model.requests.filter(({ path }) => path === '/v1/messages');
    expect(summary?.body?.tool_choice).toEqual(first?.body?.tool_choice);
    expect(summary?.usage?.cache_read_input_tokens).toBeGreaterThan(20_000);
  });

  it('keeps the last step when it comes in the middle of a turn', async () => {
    const script: Script = ({ step, lastResults }) =>
      step === 0
        ? { ...filling(full, ''), ...say(call('Read', { file_path: 'a.txt' })) }
        : say(text(`it says ${lastResults[0]?.text}`));
    const { session, events } = await startSession({
      ...small,
      files: { 'a.txt': 'hello' },
      script: summarising(say(text('nothing was done')), script),
    });
    const result = await session.send(`read it: ${words(9_000)}`);
    expect(result).toMatchObject({ status: 'completed', text: expect.stringContaining('hello') });
    expect(ofType(events, 'context-compact').map(({ how }) => how)).toEqual(['summary']);
  });

  it('happens in subagents as well, and says so', async () => {
    const child: Script = ({ step }) =>
      step === 0 ? { ...filling(full, ''), ...say(call('Read', { file_path: 'a.txt' })) } : say(text('child is done'));
    const script: Script = (request) =>
      request.tools.includes('Agent')
        ? request.step === 0
          ? say(delegate(`child task ${words(9_000)}`))
          : say(text('lead is done'))
        : child(request);
    const { session, model, events } = await startSession({
      ...small,
      files: { 'a.txt': 'hello' },
      script: summarising(say(text('half way')), script),
    });
    expect(await session.send('go')).toMatchObject({ status: 'completed', text: 'lead is done' });
    expect(ofType(events, 'context-compact').map(({ by, how }) => `${by} ${how}`)).toEqual(['subagent summary']);
    const after = model.bodies().find((body) => JSON.stringify(body.messages).includes('half way'));
    expect(JSON.stringify(after?.messages)).toContain('child task');
  });

  it('tells the agent whom it still has at work', async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const script: Script = async ({ step, tools, prompt }) => {
      if (!tools.includes('Agent')) {
        await gate;
        return say(text('report'));
      }
      if (prompt.startsWith('go') && step === 0)
        return say(delegate('look', { run_in_background: true, name: 'scout' }));
      return filling(full, 'ok');
    };
    const { session, model, events } = await startSession({
      ...small,
      script: summarising(say(text('an agent was started')), script),
    });
    await session.send(`go ${words(9_000)}`);
    await session.send('on');
    const last = sent(model);
    const [, started] = ofType(events, 'agent-start');
    release();
    await session.settled();
    expect(last).toContain('<agents-at-work>');
    expect(last).toContain(`scout (id ${started?.agent}, Explore, in the background)`);
  });

  it.each<[string, Answer, RegExp]>([
    [
      'meets an error',
      { blocks: [], fault: { type: 'status', status: 400, errorType: 'invalid_request_error' } },
      /refused/,
    ],
    ['is empty', { blocks: [] }, /wrote nothing/],
    ['is refused', { blocks: [], stop: 'refusal' }, /declined/],
  ])('leaves out older parts when the summary %s', async (_, summary, reason) => {
    const { session, model, events } = await startSession({ ...small, script: summarising(summary, talkative) });
    await session.send(`first request: ${words(12_000)}`);
    const second = `second request: ${words(3_000)}`;
    expect(await session.send(second)).toMatchObject({ status: 'completed', text: 'answer to second request: abc' });
    expect(ofType(events, 'context-compact').map(({ how }) => how)).toEqual(['drop']);
    const [notice] = ofType(events, 'notice');
    expect(notice).toMatchObject({ level: 'warning', text: expect.stringMatching(reason) });
    expect(notice?.text).toMatch(/Older parts of it were left out instead\.$/);
    const last = sent(model);
    expect(last).toContain(second);
    expect(last).toContain('<left-out>');
    expect(last.length).toBeLessThan(4 * 16_000);
  });

  it('loses nothing when no request would be answered', async () => {
    const summary: Answer = { blocks: [], fault: faults.badKey() };
    const { session, model, events } = await startSession({ ...small, script: summarising(summary, talkative) });
    await session.send(`first request: ${words(6_000)}`);
    expect(await session.send('second')).toMatchObject({ status: 'failed', error: expect.stringContaining('key') });
    expect(ofType(events, 'context-compact')).toEqual([]);
    model.script(talkative);
    expect((await session.send('third')).status).toBe('completed');
    expect(sent(model)).toContain('first request');
  });

  it('asks for the summary again without tools when the model goes on working', async () => {
    const summary: Script = ({ body }) =>
      body.tool_choice?.type === 'none' ? say(text('now then')) : say(call('Read', { file_path: 'a.txt' }));
    const { session, model, events } = await startSession({ ...small, script: summarising(summary, talkative) });
    await session.send(`first ${words(9_000)}`);
    await session.send('second');
    expect(sent(model)).toContain('now then');
    expect(ofType(events, 'tool-start')).toEqual([]);
  });
});

describe('a context window that is exceeded', () => {
  const overflow: Answer = { blocks: [text('half an ans')], stop: 'model_context_window_exceeded' };

  it.each<[string, Answer]>([
    ['as an error', { blocks: [], fault: faults.contextTooLong() }],
    ['as a stop reason', overflow],
  ])('%s is made shorter once and asked again', async (_, answer) => {
    let isOver = true;
    const script: Script = ({ prompt }) => {
      if (prompt !== 'second' || !isOver) return say(text(`answer to ${prompt}`));
      isOver = false;
      return answer;
    };
    const { session, events } = await startSession({ script: summarising(say(text('so far')), script) });
    await session.send('first');
    expect(await session.send('second')).toMatchObject({ status: 'completed' });
    expect(ofType(events, 'context-compact').map(({ how }) => how)).toEqual(['summary']);
  });

  it.each<[string, Answer, RegExp]>([
    ['as an error', { blocks: [], fault: faults.contextTooLong() }, /no longer fits/],
    ['as a stop reason', overflow, /no longer fits/],
  ])('%s, again and again, ends in words after one more try', async (_, answer, words) => {
    const script: Script = ({ prompt }) => (prompt === 'first' ? say(text('fine')) : answer);
    const { session, model } = await startSession({ script: summarising(say(text('so far')), script) });
    await session.send('first');
    expect(await session.send('second')).toMatchObject({ status: 'failed', error: expect.stringMatching(words) });
    expect(model.bodies()).toHaveLength(4);
    model.script(() => say(text('better')));
    expect(await session.send('third')).toMatchObject({ status: 'completed', text: 'better' });
  });
});

describe('compact now', () => {
  const script = summarising(say(text('short version')), ({ prompt }) => say(text(`re: ${prompt}`)));

  it('shortens the history of a lead that rests, also after a restart', async () => {
    const { session, model, events, reopen } = await startSession({ script });
    await session.send('one');
    await session.send('two');
    await session.compact();
    expect(ofType(events, 'context-compact').map(({ by, how }) => `${by} ${how}`)).toEqual(['lead summary']);
    await session.close();
    const again = await reopen(session.id);
    await again.send('three');
    const last = sent(model);
    expect(last).toContain('short version');
    expect(last).not.toContain('re: one');
    expect(last).toContain('three');
    expect(model.requests.filter(({ status }) => status !== 200)).toEqual([]);
  });

  it('waits for the next step of a lead that works, and prompts wait for it', async () => {
    const busy: Script = ({ step }) => (step === 0 ? say(call('Read', { file_path: 'a.txt' })) : say(text('done')));
    const { session, events } = await startSession({
      files: { 'a.txt': 'x' },
      script: summarising(say(text('short version')), busy),
    });
    session.subscribe((event) => event.type === 'tool-start' && void session.compact());
    expect((await session.send('go')).text).toBe('done');
    expect(ofType(events, 'context-compact')).toHaveLength(1);
    const [, next] = await Promise.all([session.compact(), session.send('next')]);
    expect(next).toMatchObject({ status: 'completed' });
  });

  it('says so when there is nothing to shorten, and writes nothing for it', async () => {
    const { session, events, model } = await startSession({ script });
    await session.compact();
    expect(ofType(events, 'notice')).toMatchObject([{ level: 'info', text: expect.stringContaining('nothing') }]);
    expect(model.bodies()).toEqual([]);
  });
});
