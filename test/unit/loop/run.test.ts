import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { call, say, text } from '../../support/answers.ts';
import { faults, type Script } from '../../support/scriptedModel.ts';
import { ofType, startSession } from '../../support/startSession.ts';

const readThenAnswer: Script = ({ step, lastResults }) =>
  step === 0
    ? say(text('Looking.'), call('Read', { file_path: 'a.txt' }))
    : say(text(`It says ${lastResults[0]?.text}`));

describe('the loop', () => {
  it('streams, runs the calls, sends the results back and answers', async () => {
    const { session, model, events } = await startSession({ script: readThenAnswer, files: { 'a.txt': 'hello\n' } });
    const result = await session.send('What is in a.txt?');
    expect(result).toMatchObject({ status: 'completed', text: expect.stringContaining('hello') });
    expect(model.bodies()).toHaveLength(2);
    expect(ofType(events, 'tool-end')).toMatchObject([{ tool: 'Read', status: 'ok' }]);
    expect(
      ofType(events, 'text-delta')
        .map((event) => event.text)
        .join(''),
    ).toBe(`Looking.${result.text}`);
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
  });

  it('puts results in call order and runs concurrency-safe calls beside each other', async () => {
    const script: Script = ({ step, lastResults }) =>
      step === 0
        ? say(
            call('Grep', { pattern: 'x', path: '.' }),
            call('Read', { file_path: 'b' }),
            call('Read', { file_path: 'none' }),
          )
        : say(text(lastResults.map(({ name, isError }) => `${name}:${isError}`).join(' ')));
    const { session } = await startSession({ script, files: { a: 'x', b: 'y' } });
    expect((await session.send('go')).text).toBe('Grep:false Read:false Read:true');
  });

  it('extends the cached prefix with every request and moves the marks on', async () => {
    const { session, model } = await startSession({ script: readThenAnswer, files: { 'a.txt': 'hello\n' } });
    await session.send('go');
    const [first, second] = model.bodies();
    const plain = (body: unknown) =>
      JSON.stringify(body, (key, value) => (key === 'cache_control' ? undefined : value));
    expect(plain(second?.system)).toBe(plain(first?.system));
    expect(plain(second?.tools)).toBe(plain(first?.tools));
    expect(plain(second?.messages.slice(0, 1))).toBe(plain(first?.messages));
    expect(JSON.stringify(second?.messages.at(-1))).toContain('cache_control');
    expect(JSON.stringify(second?.system)).toContain('cache_control');
  });

  it('counts what the server bills', async () => {
    const script: Script = ({ step }) => ({
      blocks: step === 0 ? [call('Read', { file_path: 'a' })] : [text('done')],
      usage: { input_tokens: 100, output_tokens: 10, cache_read_input_tokens: 5, cache_creation_input_tokens: 7 },
    });
    const { session } = await startSession({ script, files: { a: 'x' } });
    const { usage, cost } = await session.send('go');
    expect(usage).toEqual({ inputTokens: 200, outputTokens: 20, cacheReadTokens: 10, cacheWriteTokens: 14 });
    expect(cost).toBeGreaterThan(0);
  });

  it('retries an overloaded server and runs each tool once', async () => {
    const { session, model, events } = await startSession({ script: readThenAnswer, files: { 'a.txt': 'hello' } });
    model.failNext(faults.overloaded(), faults.overloaded());
    expect((await session.send('go')).status).toBe('completed');
    expect(ofType(events, 'step-retry')).toHaveLength(2);
    expect(ofType(events, 'tool-start')).toHaveLength(1);
  });

  it('discards a step whose stream was cut and keeps the call that runs already', async () => {
    let answers = 0;
    const script: Script = ({ step }) => {
      if (step > 0) return say(text('done'));
      answers += 1;
      const blocks = [text(`try ${answers}`), call('Read', { file_path: 'a' }), text('and more')];
      return answers === 1 ? { blocks, fault: { type: 'cut', afterEvents: 9 } } : { blocks };
    };
    const { session, events } = await startSession({ script, files: { a: 'x' } });
    expect(await session.send('go')).toMatchObject({ status: 'completed', text: 'done' });
    expect(ofType(events, 'step-retry')).toHaveLength(1);
    expect(ofType(events, 'tool-start').map((event) => event.tool)).toEqual(['Read']);
    const kept = JSON.stringify(ofType(events, 'message-append').map((event) => event.message));
    expect(kept).toContain('try 2');
    expect(kept).not.toContain('try 1');
  });

  it('fails in words when the key is refused, and the next prompt works', async () => {
    const { session, model } = await startSession({ script: () => say(text('hi')) });
    model.failNext(faults.badKey());
    expect(await session.send('go')).toMatchObject({ status: 'failed', error: expect.stringContaining('key') });
    expect(await session.send('again')).toMatchObject({ status: 'completed', text: 'hi' });
  });

  it('names the models that there are when the asked one is unknown', async () => {
    const { session, model } = await startSession({ script: () => say(text('hi')), settings: { model: 'no-such' } });
    model.failNext(faults.unknownModel('no-such'));
    const { status, error } = await session.send('go');
    expect([status, error]).toEqual(['failed', expect.stringMatching(/no-such.*The server has: .*claude-sonnet-5-5/)]);
  });

  it('does not run a call that the output limit cut off', async () => {
    const script: Script = ({ step, lastResults }) =>
      step === 0
        ? { blocks: [call('Write', { file_path: 'new.txt', content: 'half' })], stop: 'max_tokens' }
        : say(text(lastResults[0]?.text ?? ''));
    const { session, workspace } = await startSession({ script });
    expect((await session.send('go')).text).toContain('not run');
    await expect(readFile(join(workspace, 'new.txt'))).rejects.toThrow('ENOENT');
  });

  it('answers a call whose input is no JSON with an error', async () => {
    const script: Script = ({ step, lastResults }) =>
      step === 0
        ? say({ type: 'tool_use', name: 'Read', input: {}, rawInput: '{"file_path": "a' })
        : say(text(lastResults[0]?.text ?? ''));
    const { session } = await startSession({ script, files: { a: 'x' } });
    expect((await session.send('go')).text).toContain('not a JSON object');
  });

  it('sends a paused turn on, a few times', async () => {
    const script: Script = ({ step }) => (step === 0 ? { blocks: [text('…')], stop: 'pause_turn' } : say(text('done')));
    const { session } = await startSession({ script });
    expect(await session.send('go')).toMatchObject({ status: 'completed', text: 'done' });
    const endless = await startSession({ script: () => ({ blocks: [text('…')], stop: 'pause_turn' }) });
    expect((await endless.session.send('go')).status).toBe('limit_reached');
    expect(endless.model.bodies().length).toBeLessThan(8);
  });

  it('shows a refusal, and the next prompt works', async () => {
    const script: Script = ({ prompt }) => (prompt === 'bad' ? { blocks: [], stop: 'refusal' } : say(text('fine')));
    const { session } = await startSession({ script });
    expect(await session.send('bad')).toMatchObject({ status: 'failed', error: expect.stringContaining('declined') });
    expect(await session.send('good')).toMatchObject({ status: 'completed', text: 'fine' });
  });

  it('compacts once and tries again when the context window is exceeded', async () => {
    const { session, model, events } = await startSession({ script: () => say(text('summary or answer')) });
    await session.send('first');
    model.failNext(faults.contextTooLong());
    expect((await session.send('second')).status).toBe('completed');
    expect(ofType(events, 'context-compact').map((event) => event.how)).toEqual(['summary']);
  });

  it('forces an answer without tools at the step limit', async () => {
    const script: Script = ({ body }) =>
      body.tool_choice?.type === 'none' ? say(text('what I have')) : say(call('Glob', { pattern: '*' }));
    const { session, model } = await startSession({ script, settings: { 'agents.maxTurns': 3 } });
    expect(await session.send('go')).toMatchObject({ status: 'limit_reached', text: 'what I have' });
    expect(model.bodies()).toHaveLength(4);
    expect(model.bodies().at(-1)?.tools?.length).toBeGreaterThan(0);
  });

  it('answers every call on stop, leaves no process, and goes on afterwards', async () => {
    const script: Script = ({ prompt, step }) =>
      prompt === 'go' && step === 0
        ? say(call('Bash', { command: 'sleep 60' }), call('Read', { file_path: 'a' }))
        : say(text('on we go'));
    const { session, events } = await startSession({ script, files: { a: 'x' } });
    session.subscribe((event) => {
      if (event.type === 'permission-answer') setTimeout(() => session.stop(), 100);
    });
    expect((await session.send('go')).status).toBe('stopped');
    expect(ofType(events, 'tool-end').map((event) => event.status)).toEqual(['cancelled', 'cancelled']);
    expect(await session.send('next')).toMatchObject({ status: 'completed', text: 'on we go' });
  });

  it('keeps what was streamed before a stop', async () => {
    const script: Script = ({ prompt }) =>
      prompt === 'go' ? { blocks: [text('long '.repeat(200))], chunkMs: 20 } : say(text('ok'));
    const { session, model } = await startSession({ script });
    session.subscribe((event) => event.type === 'text-delta' && session.stop());
    expect(await session.send('go')).toMatchObject({ status: 'stopped', text: expect.stringContaining('long') });
    await session.send('next');
    expect(JSON.stringify(model.bodies().at(-1)?.messages)).toContain('long');
  });

  it('replays thinking as it was, and not to another model', async () => {
    const script: Script = () => ({ blocks: [{ type: 'thinking', thinking: 'hm' }, text('ok')] });
    const { session, model } = await startSession({ script });
    await session.send('one');
    await session.send('two');
    expect(JSON.stringify(model.bodies().at(-1)?.messages)).toContain('"thinking":"hm"');
    session.setModel('claude-opus-5-5');
    expect((await session.send('three')).status).toBe('completed');
    const last = JSON.stringify(model.bodies().at(-1)?.messages);
    expect(last).not.toContain('"thinking":"hm"');
    expect(last).toContain('"ok"');
  });

  it('survives an answer that is all thinking', async () => {
    const script: Script = ({ prompt }) =>
      prompt === 'one' ? { blocks: [{ type: 'thinking', thinking: 'hm' }] } : say(text('ok'));
    const { session } = await startSession({ script });
    expect(await session.send('one')).toMatchObject({ status: 'completed', text: '' });
    expect(await session.send('two')).toMatchObject({ status: 'completed', text: 'ok' });
  });

  it('runs prompts one after another', async () => {
    const { session } = await startSession({ script: ({ prompt }) => say(text(`re: ${prompt}`)) });
    const results = await Promise.all([session.send('one'), session.send('two'), session.send('three')]);
    expect(results.map((result) => result.text)).toEqual(['re: one', 're: two', 're: three']);
  });
});
