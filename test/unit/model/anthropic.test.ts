import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AssistantBlock } from '../../../src/agent/messages/types.ts';
import { stopReasons } from '../../../src/agent/model/provider.ts';
import { type ScriptedModel, startScriptedModel } from '../../support/scriptedModel.ts';
import { errorOf, eventsOf, key, never, providerFor, readTool, requestOf, user } from './fixture.ts';

let model: ScriptedModel;
beforeEach(async () => {
  model = await startScriptedModel({ apiKey: key });
});
afterEach(() => model.close());

const ask = (text = 'hello', signal = never) => providerFor(model.url).stream(requestOf([user(text)]), signal);

describe('anthropic provider, streaming', () => {
  it('maps text, thinking and calls to events in order, with the usage of the whole answer', async () => {
    model.script(() => ({
      chunkChars: 10,
      blocks: [
        { type: 'thinking', thinking: 'Let me see.' },
        { type: 'redacted_thinking', thinking: 'secret' },
        { type: 'text', text: 'I read a file.' },
        { type: 'tool_use', id: 'toolu_a', name: 'Read', input: { file_path: 'a.ts' } },
      ],
      usage: { input_tokens: 7, output_tokens: 31, cache_read_input_tokens: 5, cache_creation_input_tokens: 3 },
    }));
    const events = await eventsOf(ask());
    expect(events).toEqual([
      { type: 'thinking-delta', text: 'Let me see' },
      { type: 'thinking-delta', text: '.' },
      { type: 'block-end', block: { type: 'thinking', thinking: 'Let me see.', signature: expect.any(String) } },
      { type: 'block-end', block: { type: 'redacted_thinking', data: expect.any(String) } },
      { type: 'text-delta', text: 'I read a f' },
      { type: 'text-delta', text: 'ile.' },
      { type: 'block-end', block: { type: 'text', text: 'I read a file.' } },
      { type: 'call-start', name: 'Read' },
      { type: 'block-end', block: { type: 'tool_use', id: 'toolu_a', name: 'Read', input: { file_path: 'a.ts' } } },
      {
        type: 'message-end',
        stopReason: 'tool_use',
        usage: { inputTokens: 7, outputTokens: 31, cacheReadTokens: 5, cacheWriteTokens: 3 },
      },
    ]);
  });

  it('sends the request as it is, with the key and without retries of its own', async () => {
    model.script(() => ({ blocks: [{ type: 'text', text: 'hi' }] }));
    await eventsOf(providerFor(`${model.url}/v1/`).stream(requestOf([user('hello')], { toolChoice: 'none' }), never));
    expect(model.bodies()).toEqual([
      {
        model: 'claude-sonnet-5-5',
        max_tokens: 1000,
        stream: true,
        system: [{ type: 'text', text: 'You are a test.' }],
        tools: [readTool],
        tool_choice: { type: 'none' },
        thinking: { type: 'adaptive', display: 'summarized' },
        messages: [user('hello')],
      },
    ]);
    expect(model.requests[0]?.headers.authorization).toBe(`Bearer ${key}`);
  });

  it.each(['claude-haiku-4-5-20251001', 'claude-3-5-haiku-20241022', 'qwen3-coder'])(
    'asks %s for no thinking',
    async (name) => {
      model.script(() => ({ blocks: [{ type: 'text', text: 'hi' }] }));
      await eventsOf(providerFor(model.url).stream(requestOf([user('hello')], { model: name }), never));
      expect(model.bodies()[0]).not.toHaveProperty('thinking');
    },
  );

  it('replays thinking byte for byte', async () => {
    const thinking = 'Ümlaut, \u2028 and\u0000 "quotes" \\ back\n\tslash 🙂';
    model.script((request) =>
      request.step === 0
        ? {
            blocks: [
              { type: 'thinking', thinking },
              { type: 'redacted_thinking', thinking },
              { type: 'text', text: 'One.' },
            ],
          }
        : { blocks: [{ type: 'text', text: 'Two.' }] },
    );
    const first = await eventsOf(ask('think'));
    const content = first.flatMap((event): AssistantBlock[] => (event.type === 'block-end' ? [event.block] : []));
    const history = [user('think'), { role: 'assistant', content } as const, user('again')];
    const provider = providerFor(model.url);
    const second = await eventsOf(provider.stream(requestOf(history), never));
    expect(content[0]).toMatchObject({ thinking });
    expect(second.at(-1)).toMatchObject({ type: 'message-end' });

    const tampered = content.map((block) => (block.type === 'thinking' ? { ...block, thinking: 'other' } : block));
    const refused = eventsOf(
      provider.stream(requestOf([user('think'), { role: 'assistant', content: tampered }, user('again')]), never),
    );
    expect(await errorOf(refused)).toMatchObject({ kind: 'invalid_request' });
  });

  it.each(stopReasons)('passes on the stop reason %s', async (stop) => {
    model.script(() => ({ blocks: [{ type: 'text', text: 'x' }], stop }));
    expect((await eventsOf(ask())).at(-1)).toMatchObject({ type: 'message-end', stopReason: stop });
  });

  it('takes an unknown stop reason for max_tokens', async () => {
    model.script(() => ({ blocks: [{ type: 'text', text: 'x' }], stop: 'tea_break' }));
    expect((await eventsOf(ask())).at(-1)).toMatchObject({ type: 'message-end', stopReason: 'max_tokens' });
  });

  it.each(['{"file_path": "a', 'not json', '[1]', '"text"', 'null'])(
    'hands on the input %s as invalid',
    async (rawInput) => {
      model.script(() => ({ blocks: [{ type: 'tool_use', id: 'toolu_a', name: 'Read', input: {}, rawInput }] }));
      expect((await eventsOf(ask()))[1]).toEqual({
        type: 'block-end',
        block: { type: 'tool_use', id: 'toolu_a', name: 'Read', input: {} },
        invalidInput: rawInput,
      });
    },
  );

  it('takes a call without any input for an empty object', async () => {
    model.script(() => ({ blocks: [{ type: 'tool_use', id: 'toolu_a', name: 'Read', input: {} }] }));
    expect((await eventsOf(ask()))[1]).toEqual({
      type: 'block-end',
      block: { type: 'tool_use', id: 'toolu_a', name: 'Read', input: {} },
    });
  });

  it('passes over blocks it does not know and drops blank text', async () => {
    const block = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} };
    model.script(() => ({
      blocks: [
        { type: 'other', block },
        { type: 'text', text: '\n\n' },
        { type: 'text', text: 'done' },
      ],
    }));
    const blocks = (await eventsOf(ask())).filter((event) => event.type === 'block-end');
    expect(blocks).toEqual([{ type: 'block-end', block: { type: 'text', text: 'done' } }]);
  });

  it('shows pings and trickling bytes as signs of life', async () => {
    model.script(() => ({
      blocks: [{ type: 'text', text: 'x' }],
      fault: { type: 'silence', afterEvents: 2, pingMs: 5 },
    }));
    const left = new AbortController();
    let alive = 0;
    const reading = (async () => {
      for await (const event of ask('hello', left.signal)) {
        if (event.type === 'alive') alive += 1;
        if (alive === 6) left.abort(new Error('enough'));
      }
    })();
    await expect(reading).rejects.toThrow('enough');
  });

  it('reads an answer that drips in bytes', async () => {
    model.script(() => ({ blocks: [{ type: 'text', text: 'é🙂' }], fault: { type: 'drip', bytes: 7, everyMs: 1 } }));
    expect(await eventsOf(ask())).toContainEqual({ type: 'block-end', block: { type: 'text', text: 'é🙂' } });
  });

  it('lets the server go when nobody reads on', async () => {
    model.script(() => ({ blocks: [{ type: 'text', text: 'long '.repeat(500) }], chunkMs: 5 }));
    for await (const event of ask()) if (event.type === 'text-delta') break;
    await expect.poll(() => model.requests[0]?.isAbandoned).toBe(true);
  });

  it('uses one connection for one answer after the other', async () => {
    model.script(() => ({ closeMs: 10, blocks: [{ type: 'text', text: 'x' }] }));
    for (let count = 0; count < 3; count += 1) {
      await eventsOf(ask());
      // The time that the end of the stream takes; a step has more.
      await expect.poll(() => model.requests[count]?.isEnded).toBe(true);
      await new Promise((done) => setTimeout(done, 30));
    }
    expect(new Set(model.requests.map((request) => request.clientPort)).size).toBe(1);
  });
});

describe('anthropic provider, cancelling', () => {
  it.each(['before the headers', 'in the stream', 'before the request'])('throws the reason, %s', async (when) => {
    const reason = new Error('the user said stop');
    const stop = new AbortController();
    if (when === 'before the request') stop.abort(reason);
    const afterEvents = when === 'in the stream' ? 3 : 0;
    model.script(() => {
      setTimeout(() => stop.abort(reason), 30);
      return { blocks: [{ type: 'text', text: 'x' }], fault: { type: 'silence', afterEvents } };
    });
    await expect(eventsOf(ask('hello', stop.signal))).rejects.toBe(reason);
    expect(model.requests).toHaveLength(when === 'before the request' ? 0 : 1);
  });
});

describe('anthropic provider, other requests', () => {
  it('counts tokens on the server', async () => {
    const counted = await providerFor(model.url).countTokens(requestOf([user('x'.repeat(400))]), never);
    expect(counted).toBeGreaterThan(100);
    expect(model.requests[0]?.path).toBe('/v1/messages/count_tokens');
  });

  it('lists all pages of models', async () => {
    const models = Array.from({ length: 120 }, (_, index) => ({
      id: `claude-test-${index}`,
      display_name: `Test ${index}`,
      created_at: '2026-01-02T00:00:00Z',
      max_input_tokens: index === 0 ? null : 200_000,
      max_tokens: index === 0 ? null : 64_000,
    }));
    const many = await startScriptedModel({ models });
    const listed = await providerFor(many.url).listModels(never);
    await many.close();
    expect(listed).toHaveLength(120);
    expect(listed[0]).toEqual({ id: 'claude-test-0', name: 'Test 0', releasedAt: Date.UTC(2026, 0, 2) });
    expect(listed[119]).toEqual({
      id: 'claude-test-119',
      name: 'Test 119',
      releasedAt: Date.UTC(2026, 0, 2),
      contextWindow: 200_000,
      maxOutputTokens: 64_000,
    });
  });
});
