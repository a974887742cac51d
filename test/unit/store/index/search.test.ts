import { expect, test } from 'vitest';
import { temporaryFolder } from '../sample.ts';
import { begin, find, message, openEngine, record, signal } from './setup.ts';

async function indexOf(...texts: readonly string[]) {
  const state = await temporaryFolder();
  await record(state, 's', [
    begin('Title'),
    { type: 'turn-start', turn: 1, prompt: '' },
    ...texts.map((text) => message(text)),
  ]);
  const index = await openEngine(state);
  await index.update(signal);
  // The first two records are no messages.
  const places = async (query: string) => (await find(index, query)).map((hit) => Number(hit.split('/')[1]) - 3);
  return { index, places };
}

test('every word must be there, in any order and any case; words in quotes in their order', async () => {
  const { places } = await indexOf('The journal is torn', 'a torn page of a Journal', 'page');
  expect(await places('journal torn')).toEqual([1, 0]);
  expect(await places('"journal is torn"')).toEqual([0]);
  expect(await places('page JOURNAL')).toEqual([1]);
  expect(await places('page missing')).toEqual([]);
  expect(await places('')).toEqual([]);
  expect(await places('" - ( * ) OR " NEAR/3 ^ :')).toEqual([]);
});

test('of a report only what the agent wrote is found and shown, and not as words of the user', async () => {
  const frame = (agent: string, text: string) =>
    `<report agent="${agent}" id="abcdef" status="completed">\n${text}\n</report>\n<receipt>3 calls · 1 files read</receipt>`;
  const { index, places } = await indexOf(
    `A background agent has ended.\n${frame('scout', 'The lighthouse\nis lit.')}`,
    `I asked for this report: lighthouse`,
  );
  expect(await places('receipt')).toEqual([]);
  expect(await places('completed')).toEqual([]);
  const { hits } = await index.search('lighthouse', { limit: 10 }, signal);
  expect(hits.map(({ part, snippet }) => [part, snippet])).toEqual([
    ['text', 'I asked for this report: lighthouse'],
    ['result', 'The lighthouse is lit.'],
  ]);
});

test('the last word may be a beginning, the others may not', async () => {
  const { places } = await indexOf('compaction of histories');
  expect(await places('compac')).toEqual([0]);
  expect(await places('histories compac')).toEqual([0]);
  expect(await places('compac histories')).toEqual([]);
  expect(await places('"of hist"')).toEqual([]);
  expect(await places('of/hist')).toEqual([0]);
  expect(await places('hi')).toEqual([0]);
  expect(await places('of hi')).toEqual([]);
  expect(await places('of his')).toEqual([0]);
});

test('Chinese, Japanese and Thai are found without spaces, from one character on', async () => {
  const { places } = await indexOf(
    '请检查会话的索引是否损坏',
    '会议记录',
    '検索エンジンを使う',
    'ค้นหาประวัติ',
    '用sqlite搜索，然后保存',
  );
  expect(await places('索引')).toEqual([0]);
  expect(await places('会话的索引')).toEqual([0]);
  expect(await places('会')).toEqual([1, 0]);
  expect(await places('坏')).toEqual([0]);
  expect(await places('话会')).toEqual([]);
  expect(await places('会话 损坏')).toEqual([0]);
  expect(await places('エンジン')).toEqual([2]);
  expect(await places('ประวัติ')).toEqual([3]);
  expect(await places('sqlite搜')).toEqual([4]);
  expect(await places('用sqlite')).toEqual([4]);
});

test('accents, full width and parts of names make no difference', async () => {
  const { places } = await indexOf(
    'Café Ÿ',
    'ＡＢＣ１２',
    'call readJournalTail() in src/agent/store',
    'snake_case_name',
    'straße Привет',
  );
  expect(await places('cafe')).toEqual([0]);
  expect(await places('CAFÉ')).toEqual([0]);
  expect(await places('abc12')).toEqual([1]);
  expect(await places('journal')).toEqual([2]);
  expect(await places('readJournalTail')).toEqual([2]);
  expect(await places('agent/store')).toEqual([2]);
  expect(await places('snake_case')).toEqual([3]);
  expect(await places('case')).toEqual([3]);
  expect(await places('привет')).toEqual([4]);
});

test('thinking, calls and results are searched, pictures and signatures are not', async () => {
  const state = await temporaryFolder();
  await record(state, 's', [
    begin('x'),
    {
      type: 'message-append',
      step: 1,
      message: {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'ponder deeply', signature: 'sigsig' },
          {
            type: 'tool_use',
            id: 'c1',
            name: 'Bash',
            input: { command: 'grep -rn walrus', nested: { list: ['otter'] } },
          },
        ],
      },
    },
    {
      type: 'message-append',
      step: 1,
      message: {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'c1', content: 'found a heron' },
          {
            type: 'tool_result',
            tool_use_id: 'c2',
            content: [
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGVyb24pelican' } },
              { type: 'text', text: 'an egret' },
            ],
          },
        ],
      },
    },
  ]);
  const index = await openEngine(state);
  await index.update(signal);
  const part = async (query: string) => (await index.search(query, { limit: 9 }, signal)).hits.map((hit) => hit.part);
  expect(await part('ponder')).toEqual(['thinking']);
  expect(await part('walrus')).toEqual(['call']);
  expect(await part('otter')).toEqual(['call']);
  expect(await part('heron')).toEqual(['result']);
  expect(await part('egret')).toEqual(['result']);
  for (const absent of ['sigsig', 'pelican', 'command']) expect(await part(absent)).toEqual([]);
});

test('a hit names its agent, turn, step and place, and shows what surrounds the word', async () => {
  const state = await temporaryFolder();
  const start = {
    name: 'scout',
    agentType: 'Explore',
    description: '',
    prompt: '',
    model: 'm',
    modelRule: '',
    depth: 1,
  };
  const scout = { agent: 'abc123' };
  await record(state, 's', [
    begin('Find it', '/code/a'),
    { type: 'turn-start', turn: 1, prompt: '' },
    { type: 'turn-start', turn: 2, prompt: '' },
    { type: 'agent-start', ...start, tools: [], call: 'c', as: scout },
    message(`${'before '.repeat(40)}\nthe walrus 😀${' after'.repeat(80)}`, scout, 3),
    message('walrus and Walrus', scout, 3),
  ]);
  const index = await openEngine(state);
  await index.update(signal);
  const { hits, hasMore } = await index.search('walrus', { limit: 1 }, signal);
  expect({ hits, hasMore }).toEqual({
    hasMore: true,
    hits: [
      {
        ...{ session: 's', title: 'Find it', workspace: '/code/a', agent: 'abc123', agentName: 'scout' },
        ...{ turn: 2, step: 3, position: 1, seq: 6, role: 'user', part: 'text', time: 1_006_000 },
        ...{
          snippet: 'walrus and Walrus',
          marks: [
            [0, 6],
            [11, 17],
          ],
        },
      },
    ],
  });
  const [, older] = (await index.search('walrus', { limit: 5 }, signal)).hits;
  const [mark] = older?.marks ?? [];
  expect(older?.snippet.slice(...(mark ?? []))).toBe('walrus');
  expect(older?.snippet).toMatch(/^…before .*before {2}the walrus 😀 after.*…$/);
});

test('a search can be held to sessions and to a folder, and the newest come first over all sessions', async () => {
  const state = await temporaryFolder();
  for (const [id, time] of [
    ['a', 5000],
    ['b', 1000],
    ['c', 9000],
  ] as const) {
    await record(state, id, [begin(id, `/code/${id}`), message('walrus', { time })]);
  }
  const index = await openEngine(state);
  await index.update(signal);
  expect(await find(index, 'walrus')).toEqual(['c/2', 'a/2', 'b/2']);
  const held = await index.search('walrus', { limit: 5, sessions: ['a', 'b', 'zz'] }, signal);
  expect(held.hits.map((hit) => hit.session)).toEqual(['a', 'b']);
  const folder = await index.search('walrus', { limit: 5, workspace: '/code/b' }, signal);
  expect(folder.hits.map((hit) => hit.session)).toEqual(['b']);
});

test('in a long message every word is found, and words in quotes in the first part of it', async () => {
  const long = `first walrus ${'lorem ipsum '.repeat(2_000)} last walrus otter\n请检查会话的索引\n${'dolor '.repeat(20_000)} heronEgret the end`;
  const { places, index } = await indexOf(long, 'x'.repeat(500_000));
  for (const query of ['walrus lorem', 'otter', '会话的索引', '检查', 'egret', 'end', '"first walrus"'])
    expect(await places(query)).toEqual([0]);
  expect(await places('"egret lorem"')).toEqual([]);
  expect((await index.search('x', { limit: 1 }, signal)).unsearched).toBe(1);
  const [hit] = (await index.search('otter', { limit: 1 }, signal)).hits;
  expect(hit?.snippet).toContain('last walrus otter 请检查会话的索引 dolor');
});
