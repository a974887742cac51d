import { expect, test } from 'vitest';
import type { Clock } from '../../../src/agent/host.ts';
import { textOf, toolUses } from '../../../src/agent/messages/types.ts';
import { createDemoProvider } from '../../../src/agent/model/demo.ts';
import { exploreAreas, explorePrompt } from '../../../src/agent/subagents/exploration/explore.ts';
import {
  answerTo,
  folderWith,
  leadTools,
  missingPlaces,
  play,
  readingTools,
  requestOf,
  stillClock,
  type Turn,
  userSays,
} from './playground.ts';

const shop = {
  'README.md': '# Shop\n\n[![badge](x)](y)\n\nA small shop that sells [tea](https://tea) by weight.\n',
  'package.json':
    '{\n  "name": "tea-shop",\n  "version": "2.1.0",\n  "description": "Sells tea",\n  "main": "./src/index.js",\n  "scripts": {\n    "test": "vitest"\n  },\n  "dependencies": {\n    "express": "^5"\n  }\n}\n',
  'src/index.js':
    "'use strict'\n\nexports.open = require('./shop.js').open\nexports.Basket = require('./basket.js').Basket\n",
  'src/shop.js':
    "const { Basket } = require('./basket.js')\n\n/**\n * Opens the shop in the morning.\n */\nexports.open = function open() {\n  return new Basket()\n}\n",
  'src/basket.js':
    '/** Holds what a customer takes. */\nclass Basket {\n  total() { return 0 }\n}\n\nfunction weigh(grams) { return grams }\nexports.Basket = Basket\nexports.weigh = weigh\n',
  'src/routes/tea.js': "app.get('/tea', (request, response) => response.end())\nexports.routes = []\n",
  'src/routes/cup.js': "app.get('/cup', (request, response) => response.end())\nexports.cups = []\n",
  'server/stock.py': 'class Stock:\n    """Counts the sacks."""\n\n\ndef refill(sacks):\n    return sacks\n',
  'server/price.go':
    'package server\n\n// Price is what a gram costs.\ntype Price struct{}\n\nfunc (p *Price) Of(grams int) int { return grams }\n',
  'server/till.rs': '/// Takes money.\npub fn pay(cents: u32) -> u32 { cents }\n',
  'test/basket.test.js': "test('basket', () => {})\n",
  'test/shop.test.js': "test('shop', () => {})\n",
  'test/tea.test.js': "test('tea', () => {})\n",
};

function delegations(turn: Turn) {
  return turn.messages.map((message) => toolUses(message).filter(({ name }) => name === 'Agent'));
}

test('the lead sends several Explore agents in one message and reports places that exist', async () => {
  const folder = await folderWith(shop);
  const turn = await play(folder, 'Explore this codebase.');
  const batches = delegations(turn).filter((calls) => calls.length > 0);
  expect(batches).toHaveLength(1);
  const inputs = (batches[0] ?? []).map(({ input }) => input);
  expect(inputs.length).toBeGreaterThanOrEqual(2);
  expect(inputs.length).toBeLessThanOrEqual(5);
  expect(inputs.map((input) => [input.subagent_type, input.thoroughness])).toEqual(
    inputs.map(() => ['Explore', 'medium']),
  );
  expect(new Set(inputs.map((input) => input.name)).size).toBe(inputs.length);

  expect(turn.text).toMatch(/^# tea-shop: a map of the code/);
  expect(turn.text).toContain('“A small shop that sells tea by weight.” (`README.md:5`)');
  expect(turn.text).toContain('`src/index.js:1` — the entry that the manifest names');
  expect(turn.text).toContain('`Basket` `src/basket.js:2` — “Holds what a customer takes.”');
  expect(turn.children.map(({ text }) => text).join()).toContain('`exports.open` `src/shop.js:6`');
  expect(turn.text).toContain('`Stock` `server/stock.py:1` — “Counts the sacks.”');
  expect(turn.text).toContain('`Price.Of` `server/price.go:6`');
  expect(turn.text).toContain('`pay` `server/till.rs:2` — “Takes money.”');
  expect(turn.text).toContain('Offline demo: no language model wrote this.');
  for (const { text } of [turn, ...turn.children]) {
    expect(text.match(/`[^`\n]+:\d+`/g)?.length).toBeGreaterThan(2);
    expect(await missingPlaces(folder, text)).toEqual([]);
  }
});

test('two runs on the same folder are equal to the byte', async () => {
  const folder = await folderWith(shop);
  const first = await play(folder, 'What does this project do?');
  expect(await play(folder, 'What does this project do?')).toEqual(first);
});

test('explorers batch independent calls, and read more when told to be thorough', async () => {
  const folder = await folderWith(shop);
  const calls = async (prompt: string) => {
    const { children } = await play(folder, prompt);
    const batches = children.flatMap(({ messages }) => messages.map((message) => toolUses(message).length));
    return { total: batches.reduce((sum, count) => sum + count, 0), largest: Math.max(...batches) };
  };
  const quick = await calls('Explore this codebase. Thoroughness: quick.');
  const thorough = await calls('Explore this codebase. Thoroughness: very thorough.');
  expect(quick.largest).toBeGreaterThan(1);
  expect(thorough.total).toBeGreaterThan(quick.total);
});

test('a prompt that names areas gets one agent for each', async () => {
  const folder = await folderWith(shop);
  const areas = exploreAreas(Object.keys(shop));
  const turn = await play(folder, explorePrompt('quick', areas));
  const [batch = []] = delegations(turn).filter((calls) => calls.length > 0);
  expect(batch).toHaveLength(areas.length);
  for (const area of areas) expect(turn.text).toContain(`### ${area.name}`);
});

test('a question gets the places of its words, the definition first, and says that it did not reason', async () => {
  const folder = await folderWith(shop);
  const turn = await play(folder, 'Where are grams weighed? I mean `weigh`');
  expect(delegations(turn).flat().length).toBeGreaterThan(0);
  expect(turn.text).toContain('This is matching of words');
  expect(turn.text).toMatch(/## Best matches\n\n- `src\/basket\.js:6` `function weigh\(grams\)/);
  expect(await missingPlaces(folder, turn.text)).toEqual([]);
});

test('a question without a match says so', async () => {
  const folder = await folderWith(shop);
  expect((await play(folder, 'Where is the zeppelin?')).text).toMatch(/^I found no line with `zeppelin`/);
});

test('names and words in Chinese are found', async () => {
  const folder = await folderWith({
    '说明.md': '# 茶\n\n这是一个卖茶的小商店。\n',
    '源码/购物车.py': '# 购物车\nclass 购物车:\n    pass\n\n\ndef 结算():\n    return 0\n',
    '源码/库存.py': 'def 补货():\n    return 0\n',
  });
  const map = await play(folder, '介绍一下这个项目');
  expect(map.text).toContain('`购物车` `源码/购物车.py:2`');
  expect(await missingPlaces(folder, map.text)).toEqual([]);
  const places = await play(folder, '购物车在哪里？');
  expect(places.text).toContain('`源码/购物车.py:2` `class 购物车:`');
});

test('an empty folder is named as such, without a delegation', async () => {
  const turn = await play(await folderWith({}), 'Explore this codebase');
  expect(turn.text).toMatch(/^This folder has no files/);
  expect(delegations(turn).flat()).toEqual([]);
});

test('greetings and wishes for changes are answered at once and honestly', async () => {
  const answerOf = async (prompt: string) => textOf((await answerTo(requestOf([userSays(prompt)], leadTools))).message);
  expect(await answerOf('Hello!')).toContain('no language model behind it');
  expect(await answerOf('你好')).toContain('no language model behind it');
  for (const prompt of ['Please add a test for the basket', 'Could you fix the login?', '请修复这个错误']) {
    expect(await answerOf(prompt)).toMatch(/only reads.*Set API Key/s);
  }
  const question = await answerTo(requestOf([userSays('How do I add a route?')], leadTools));
  expect(toolUses(question.message)).toHaveLength(1);
});

test('without a choice of tools there is text and no call, at every point of a turn', async () => {
  const folder = await folderWith(shop);
  const lead = await play(folder, 'Explore this codebase');
  const child = lead.children[0];
  for (const [turn, tools] of [
    [lead, leadTools],
    [child, readingTools],
  ] as const) {
    const messages = turn?.messages ?? [];
    for (let end = 1; end < messages.length; end += 2) {
      const forced = [...messages.slice(0, end), ...(end > 1 ? [userSays('Give your final answer now.')] : [])];
      const { message, stopReason } = await answerTo(requestOf(forced, tools, 'none'));
      expect(toolUses(message)).toEqual([]);
      expect(textOf(message)).not.toBe('');
      expect(stopReason).toBe('end_turn');
    }
  }
});

test('failed tools and failed agents are survived and named', async () => {
  const first = await answerTo(requestOf([userSays('Explore this codebase')], leadTools));
  const failure = (content: string, message: typeof first.message) => ({
    role: 'user' as const,
    content: toolUses(message).map(({ id }) => ({
      type: 'tool_result' as const,
      tool_use_id: id,
      content,
      is_error: true,
    })),
  });
  const listed = { ...failure('a/one.ts\na/two.ts\nb/three.ts\nb/four.ts\nb/five.ts\na/six.ts', first.message) };
  const files = { ...listed, content: listed.content.map((block) => ({ ...block, is_error: false })) };
  const history = [userSays('Explore this codebase'), first.message, files];
  const second = await answerTo(requestOf(history, leadTools));
  const end = await answerTo(
    requestOf([...history, second.message, failure('The limit is reached.', second.message)], leadTools),
  );
  expect(textOf(end.message)).toContain('Not everything was looked at');

  const again = await answerTo(requestOf([...history.slice(0, 2), failure('Busy.', first.message)], leadTools));
  expect(toolUses(again.message)).toHaveLength(1);
  const twice = [
    ...history.slice(0, 2),
    failure('Busy.', first.message),
    again.message,
    failure('Busy.', again.message),
  ];
  expect(textOf((await answerTo(requestOf(twice, leadTools))).message)).toContain('could not be listed: Busy.');
});

test('an abort ends the answer between two pieces of text', async () => {
  const controller = new AbortController();
  const clock: Clock = { ...stillClock, sleep: async () => controller.abort(new Error('stopped')) };
  const seen: string[] = [];
  const read = async () => {
    const request = requestOf([userSays('help')], leadTools);
    for await (const { type } of createDemoProvider({ clock, paceMs: 15 }).stream(request, controller.signal))
      seen.push(type);
  };
  await expect(read()).rejects.toThrow('stopped');
  expect(seen).toEqual(['alive']);
});

test('the demo lists one model and estimates usage', async () => {
  const provider = createDemoProvider({ clock: stillClock });
  const { signal } = new AbortController();
  expect(await provider.listModels(signal)).toEqual([
    { id: 'offline-demo', name: 'Offline demo', releasedAt: 0, contextWindow: 200_000 },
  ]);
  const short = await provider.countTokens(requestOf([userSays('a')], []), signal);
  expect(await provider.countTokens(requestOf([userSays('a'.repeat(4001))], []), signal)).toBe(short + 1000);
});
