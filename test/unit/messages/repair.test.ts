import { expect, test } from 'vitest';
import { interruptedResult, repairHistory } from '../../../src/agent/messages/repair.ts';
import type { AssistantBlock, Message, UserBlock } from '../../../src/agent/messages/types.ts';
import { checkHistory } from '../../support/scriptedModel/checkHistory.ts';
import { countTokensBodySchema } from '../../support/scriptedModel/requestSchema.ts';
import { redact, sign } from '../../support/scriptedModel/signature.ts';

const user = (...content: readonly UserBlock[]): Message => ({ role: 'user', content });
const assistant = (...content: readonly AssistantBlock[]): Message => ({ role: 'assistant', content });
const text = (words: string) => ({ type: 'text', text: words }) as const;
const call = (id: string) => ({ type: 'tool_use', id, name: 'Read', input: { file_path: id } }) as const;
const result = (id: string, content = `content of ${id}`) =>
  ({ type: 'tool_result', tool_use_id: id, content }) as const;
const missing = (id: string) => ({ ...result(id, interruptedResult), is_error: true });
const thinking = (words: string) => ({ type: 'thinking', thinking: words, signature: sign(words) }) as const;
const unsigned = (words: string) => ({ type: 'thinking', thinking: words, signature: '' }) as const;
const redacted = (words: string) => ({ type: 'redacted_thinking', data: redact(words) }) as const;

/** What a strict server says; the order of results and alternation are our own rules on top. */
function fault(messages: readonly Message[]): string | undefined {
  if (messages.length === 0) return undefined;
  const tools = [{ name: 'Read', input_schema: { type: 'object' } }];
  const body = countTokensBodySchema.safeParse({ model: 'm', tools, messages });
  if (!body.success) return body.error.message;
  const refused = checkHistory(body.data);
  // An answer that ends in white space is only refused as the last message, and is not to be changed for that.
  if (refused && !refused.includes('trailing whitespace')) return refused;
  for (const [index, message] of messages.entries()) {
    const next = messages[index + 1];
    if (message.content.length === 0) return `message ${index} is empty`;
    if (next?.role === message.role) return `messages ${index} and ${index + 1} have one role`;
    const types = message.content.map((block) => block.type);
    if (message.role === 'assistant') {
      const isThinking = (type: string) => type === 'thinking' || type === 'redacted_thinking';
      if (types.some(isThinking) && !isThinking(types[0] ?? '')) return `message ${index} thinks late`;
      const calls = message.content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
      const answers = (next?.content ?? []).flatMap((block) =>
        block.type === 'tool_result' ? [block.tool_use_id] : [],
      );
      if (calls.join() !== answers.join()) return `message ${index}: ${calls} answered by ${answers}`;
    }
  }
  return undefined;
}

function repaired(...messages: readonly Message[]): readonly Message[] {
  const { messages: mended, repairs } = repairHistory(messages);
  expect(fault(mended)).toBeUndefined();
  expect(repairs.length > 0).toBe(mended !== messages);
  expect(repairHistory(mended)).toEqual({ messages: mended, repairs: [] });
  expect(repairHistory(mended).messages).toBe(mended);
  return mended;
}

test('a valid history is returned as it is', () => {
  const history = [
    user(text('look')),
    assistant(thinking('hm'), redacted('secret'), text('I read.'), call('a'), call('b')),
    user(result('a'), result('b'), text('and hurry')),
    assistant(text('done')),
  ];
  expect(repairHistory(history)).toEqual({ messages: history, repairs: [] });
  expect(repairHistory(history).messages).toBe(history);
  expect(repairHistory([])).toEqual({ messages: [], repairs: [] });
});

test('a call without a result is answered as interrupted, at the end and in the middle', () => {
  const ask = user(text('go'));
  expect(repaired(ask, assistant(call('a')))).toEqual([ask, assistant(call('a')), user(missing('a'))]);
  expect(
    repaired(ask, assistant(call('a'), call('b')), user(result('b'), text('stop')), assistant(text('ok'))),
  ).toEqual([
    ask,
    assistant(call('a'), call('b')),
    user(missing('a'), result('b'), text('stop')),
    assistant(text('ok')),
  ]);
  expect(repaired(ask, assistant(call('a')), assistant(text('then')))).toEqual([
    ask,
    assistant(call('a')),
    user(missing('a')),
    assistant(text('then')),
  ]);
});

test('results come first, in call order, once, and only for calls', () => {
  expect(
    repaired(
      user(result('zero'), text('go')),
      assistant(call('a'), call('b')),
      user(text('note'), result('b'), result('a'), result('a', 'again'), result('stranger')),
    ),
  ).toEqual([user(text('go')), assistant(call('a'), call('b')), user(result('a'), result('b'), text('note'))]);
});

test('a result that came late is moved to its call, one that came before its call is not used', () => {
  expect(
    repaired(user(text('go')), assistant(call('a')), user(text('wait')), assistant(text('ok')), user(result('a'))),
  ).toEqual([user(text('go')), assistant(call('a')), user(result('a'), text('wait')), assistant(text('ok'))]);
  expect(repaired(user(text('go'), result('a')), assistant(call('a')))).toEqual([
    user(text('go')),
    assistant(call('a')),
    user(missing('a')),
  ]);
});

test('a call whose id was used before is dropped', () => {
  expect(
    repaired(
      user(text('go')),
      assistant(call('a')),
      user(result('a')),
      assistant(text('b'), call('a')),
      user(result('a', 'x')),
    ),
  ).toEqual([user(text('go')), assistant(call('a')), user(result('a')), assistant(text('b'))]);
});

test('empty text and empty messages are dropped, also inside results', () => {
  const hollow = { type: 'tool_result', tool_use_id: 'a', content: [text(''), text('x')] } as const;
  const empty = { type: 'tool_result', tool_use_id: 'b', content: [text(' ')] } as const;
  expect(
    repaired(
      user(text(' \n'), text('go')),
      assistant(text('')),
      assistant(text(''), call('a'), call('b')),
      user(hollow, empty),
      user(),
    ),
  ).toEqual([
    user(text('go')),
    assistant(call('a'), call('b')),
    user({ ...hollow, content: [text('x')] }, { ...empty, content: '' }),
  ]);
});

test('messages of one role are joined; an answer that thinks anew is kept apart', () => {
  expect(repaired(user(text('a')), user(text('b')), assistant(text('c')), assistant(text('d'), call('e')))).toEqual([
    user(text('a'), text('b')),
    assistant(text('c'), text('d'), call('e')),
    user(missing('e')),
  ]);
  const second = assistant(thinking('more'), text('d'));
  const mended = repaired(user(text('a')), assistant(text('c')), second);
  expect(mended.map((message) => message.role)).toEqual(['user', 'assistant', 'user', 'assistant']);
  expect(mended[3]).toEqual(second);
});

test('a history that begins with an answer gets a first message', () => {
  expect(repaired(assistant(text('hello'))).map((message) => message.role)).toEqual(['user', 'assistant']);
});

test('thinking stays byte for byte, unless it has no signature or nothing follows it', () => {
  const whole = thinking('  why – 注意\n');
  const mended = repaired(user(text('go')), assistant(whole, text(''), call('a')));
  expect(mended[1]?.content[0]).toBe(whole);
  expect(repaired(user(text('go')), assistant(unsigned('par')))).toEqual([user(text('go'))]);
  expect(repaired(user(text('go')), assistant(thinking('all'), unsigned('par')))).toEqual([user(text('go'))]);
  expect(repaired(user(text('go')), assistant(text('ok'), unsigned('par')), user(text('on')))).toEqual([
    user(text('go')),
    assistant(text('ok')),
    user(text('on')),
  ]);
});

test('the messages given are not changed', () => {
  const history = [user(text('a')), user(text('b')), assistant(call('c')), assistant(text('d'))];
  const before = structuredClone(history);
  repairHistory(history);
  expect(history).toEqual(before);
});

/** Deterministic, so that a failure can be repeated. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

function brokenHistory(seed: number): readonly Message[] {
  const roll = dice(seed);
  const id = () => `c${roll(6)}`;
  const userBlocks = [
    () => text('words'),
    () => text(''),
    () => result(id()),
    () => result(id(), ''),
    () => result(id()),
  ];
  const assistantBlocks = [
    () => text('words'),
    () => text(' '),
    () => call(id()),
    () => call(id()),
    () => thinking(`t${roll(9)}`),
    () => unsigned('part'),
    () => redacted('r'),
  ];
  const pick = <Block>(makers: readonly (() => Block)[]) =>
    Array.from({ length: roll(5) }, () => makers[roll(makers.length)]).flatMap((make) => (make ? [make()] : []));
  return Array.from({ length: roll(9) }, () =>
    roll(2) === 0 ? user(...pick<UserBlock>(userBlocks)) : assistant(...pick<AssistantBlock>(assistantBlocks)),
  );
}

test('any history becomes one that a strict server accepts, and is left alone from then on', () => {
  let broken = 0;
  for (let seed = 1; seed <= 3000; seed++) {
    const history = brokenHistory(seed);
    if (fault(history)) broken += 1;
    const mended = repaired(...history);
    const blocks = new Set<unknown>(history.flatMap((message) => [...message.content]));
    const kept = mended.flatMap((message) => [...message.content]).filter((block) => block.type.includes('thinking'));
    expect(kept.every((block) => blocks.has(block))).toBe(true);
    if (!fault(history)) expect(mended).toEqual(history);
  }
  expect(broken).toBeGreaterThan(1000);
});
