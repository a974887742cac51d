import { expect, test } from 'vitest';
import { estimateTokens } from '../../../src/agent/messages/tokens.ts';

/** Counted with a byte-pair tokenizer of 200,000 pieces. */
const samples = [
  [
    'English',
    52,
    'The quick movement of the enemy will jeopardize six gunboats. When the weather was fine, the children used to walk along the river until they came to the old mill, where they sat on the grass and talked about everything that had happened during the week.',
  ],
  [
    'code',
    77,
    `export function textOf(message: Message): string {
  return message.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

export function toolUses(message: Message): readonly ToolUseBlock[] {
  if (message.role === 'user') return [];
  return message.content.filter((block) => block.type === 'tool_use');
}
`,
  ],
  [
    'Chinese',
    72,
    '编辑器扩展在侧边栏中运行一个编码代理，主代理把工作委派给子代理。每个子代理都有自己的历史记录、工具集、权限和预算，只有它的报告会返回给主代理。用户可以看到每个代理正在做什么，并且可以停止、暂停或引导其中任何一个。',
  ],
] as const;

test.each(samples)('%s takes about as many tokens as a tokenizer counts, rather more than fewer', (_, tokens, text) => {
  const estimate = estimateTokens(text);
  expect(estimate).toBeGreaterThan(tokens * 0.9);
  expect(estimate).toBeLessThan(tokens * 1.7);
});

test('Chinese is counted by characters, not by bytes', () => {
  const characters = 300;
  const estimate = estimateTokens('中'.repeat(characters));
  expect(estimate).toBeGreaterThan(characters * 0.6);
  expect(estimate).toBeLessThan(characters * 1.3);
});

test('a history counts texts, calls, results and images', () => {
  const image = {
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(400_000) },
  } as const;
  const long = 'words and more words '.repeat(100);
  const words = estimateTokens(long);
  const small = estimateTokens([{ role: 'user', content: [{ type: 'text', text: 'hi' }] }]);
  expect(small).toBeLessThan(20);
  const history = estimateTokens([
    { role: 'user', content: [{ type: 'text', text: long }, image] },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'Write', input: { content: long } }] },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: long }, image] }],
    },
  ]);
  expect(history).toBeGreaterThan(3 * words + 2 * 1_500);
  expect(history).toBeLessThan(3 * words + 2 * 1_500 + 100);
  expect(estimateTokens('')).toBe(0);
  expect(estimateTokens([])).toBe(0);
});

test('a megabyte is estimated in a moment', () => {
  const started = performance.now();
  estimateTokens('const value = compute(12345);\n'.repeat(35_000));
  expect(performance.now() - started).toBeLessThan(500);
});
