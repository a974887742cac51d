import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { demoScript, type ScriptedModel, startScriptedModel } from '../../support/scriptedModel.ts';

let model: ScriptedModel;
beforeEach(async () => {
  model = await startScriptedModel({ script: () => ({ blocks: [{ type: 'text', text: 'fine' }] }) });
});
afterEach(() => model.close());

const headers = { 'anthropic-version': '2023-06-01', 'content-type': 'application/json' };
const tools = [{ name: 'Read', input_schema: { type: 'object' } }];
const user = (...content: readonly object[]) => ({ role: 'user', content });
const assistant = (...content: readonly object[]) => ({ role: 'assistant', content });
const text = (value: string) => ({ type: 'text', text: value });
const call = (id: string) => ({ type: 'tool_use', id, name: 'Read', input: {} });
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'ok' });
const mark = { cache_control: { type: 'ephemeral' } };

async function post(body: object, path = '/v1/messages') {
  const response = await fetch(model.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: response.status, body: (await response.json()) as Record<string, never> };
}

const send = (messages: readonly object[], rest: object = {}) =>
  post({ model: 'claude-sonnet-5-5', max_tokens: 100, tools, messages, ...rest });

type Refusal = readonly [name: string, messages: readonly object[], wording: RegExp, rest?: object];
const refusals: readonly Refusal[] = [
  ['no messages', [], /at least one message/],
  ['an assistant first', [assistant(text('a')), user(text('b'))], /first message must use the "user" role/],
  ['empty content', [user()], /must have non-empty content/],
  ['an empty text', [user(text(''))], /text content blocks must be non-empty/],
  ['a blank text', [user(text(' \n'))], /must contain non-whitespace text/],
  ['an unanswered call', [user(text('a')), assistant(call('t1')), user(text('b'))], /without `tool_result` blocks.*t1/],
  ['a call at the end', [user(text('a')), assistant(call('t1'))], /without `tool_result` blocks.*t1/],
  ['half an answer', [user(text('a')), assistant(call('t1'), call('t2')), user(result('t1'))], /: t2\. Each/],
  [
    'a late result',
    [user(text('a')), assistant(call('t1')), user(text('b'), result('t1'))],
    /without `tool_result`.*t1/,
  ],
  ['an unknown result', [user(text('a')), assistant(text('b')), user(result('t9'))], /unexpected `tool_use_id`.*t9/],
  [
    'a result twice',
    [user(text('a')), assistant(call('t1')), user(result('t1'), result('t1'))],
    /Found multiple `tool_result` blocks with id: t1/,
  ],
  [
    'an id twice',
    [user(text('a')), assistant(call('t1')), user(result('t1')), assistant(call('t1')), user(result('t1'))],
    /ids must be unique/,
  ],
  [
    'calls without tools',
    [user(text('a')), assistant(call('t1')), user(result('t1'))],
    /must define tools/,
    { tools: [] },
  ],
  ['a choice without tools', [user(text('a'))], /tool_choice/, { tools: [], tool_choice: { type: 'none' } }],
  [
    'made-up thinking',
    [user(text('a')), assistant({ type: 'thinking', thinking: 'x', signature: 'y' }, text('b')), user(text('c'))],
    /Invalid `signature`/,
  ],
  [
    'five cache marks',
    [user(...Array.from({ length: 5 }, () => ({ ...text('a'), ...mark })))],
    /maximum of 4 blocks.*Found 5/,
  ],
  ['a field nobody knows', [user({ ...text('a'), id: 1 })], /id: Extra inputs are not permitted/],
  ['no max_tokens', [user(text('a'))], /max_tokens: Field required/, { max_tokens: undefined }],
  ['two tools of a name', [user(text('a'))], /Tool names must be unique/, { tools: [...tools, ...tools] }],
];

describe('scripted model, strict', () => {
  it.each(refusals.map(([name, ...rest]) => ({ name, rest })))(
    'refuses $name',
    async ({ rest: [messages, wording, rest] }) => {
      const { status, body } = await send(messages, rest);
      expect(status).toBe(400);
      expect(body).toMatchObject({
        type: 'error',
        error: { type: 'invalid_request_error', message: expect.stringMatching(wording) },
      });
    },
  );

  it('accepts a whole history, with messages of one role in a row', async () => {
    const history = [
      user(text('a')),
      user(text('b')),
      assistant(text('c'), call('t1')),
      assistant(call('t2')),
      user(result('t2'), result('t1')),
      user(text('d')),
    ];
    expect((await send(history)).status).toBe(200);
    expect((await post({ model: 'm', messages: history, tools }, '/v1/messages/count_tokens')).body).toEqual({
      input_tokens: expect.any(Number),
    });
  });

  it('does not let a script call where calls are ruled out', async () => {
    model.script(() => ({ blocks: [{ type: 'tool_use', name: 'Read', input: {} }] }));
    expect((await send([user(text('a'))], { tool_choice: { type: 'none' } })).status).toBe(400);
  });
});

describe('scripted model, answering', () => {
  it('tells conversations apart by their first message', async () => {
    model.queue('apples', { blocks: [text('a1')] as never }, { blocks: [text('a2')] as never });
    model.queue(/pears/, (request) => ({ blocks: [{ type: 'text', text: request.prompt }] }));
    const answers = [];
    for (const name of ['apples', 'pears', 'apples', 'plums']) {
      answers.push((await send([user(text(name))])).body.content?.[0]);
    }
    expect(answers).toEqual([text('a1'), text('pears'), text('a2'), text('fine')]);
    expect((await send([user(text('apples'))])).status).toBe(400);
  });

  it('bills what is in the cache and what is not, so that the sum is that of the prompt', async () => {
    const system = [{ ...text('s'.repeat(400)), ...mark }];
    const first = await send([user({ ...text('a'.repeat(400)), ...mark })], { system });
    const second = await send(
      [user(text('a'.repeat(400))), assistant(text('fine')), user({ ...text('b'.repeat(400)), ...mark })],
      { system },
    );
    const [one, two] = [first.body.usage, second.body.usage] as unknown as Record<string, number>[];
    expect(one).toMatchObject({ input_tokens: 0, cache_read_input_tokens: 0 });
    expect(two).toMatchObject({ input_tokens: 0, cache_read_input_tokens: one?.cache_creation_input_tokens });
    expect(two?.cache_creation_input_tokens).toBeGreaterThan(100);
    const other = await send([user({ ...text('a'.repeat(400)), ...mark })], { system, model: 'claude-opus-5-5' });
    expect(other.body.usage).toMatchObject({ cache_read_input_tokens: 0 });
  });
});

describe('demoScript', () => {
  it('plays a lead that explores with three agents, and the agents', async () => {
    model.script(demoScript);
    const lead = await send([user(text('Please [explore] this'))]);
    const calls = (lead.body.content as unknown as { type: string; name: string; input: { prompt: string } }[]).slice(
      1,
    );
    expect(calls.map((block) => block.name)).toEqual(['Agent', 'Agent', 'Agent']);
    const names: string[] = [];
    const history: object[] = [user(text(calls[0]?.input.prompt ?? ''))];
    for (let step = 0; step < 4; step += 1) {
      const { body } = await send(history);
      const content = body.content as unknown as { type: string; id: string; name: string }[];
      const asked = content.find((block) => block.type === 'tool_use');
      names.push(asked?.name ?? 'end');
      history.push(
        assistant(...content),
        user({ ...result(asked?.id ?? ''), content: 'src/main.ts:3: export default' }),
      );
    }
    expect(names).toEqual(['Glob', 'Grep', 'Read', 'end']);
  });
});
