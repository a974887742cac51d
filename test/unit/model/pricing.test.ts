import { describe, expect, it } from 'vitest';
import { addUsage, costOf, noUsage } from '../../../src/agent/model/pricing.ts';

const million = 1_000_000;

describe('costOf', () => {
  it.each([
    ['claude-opus-5-5', 4, 20],
    ['claude-opus-4-5-20251101', 5, 25],
    ['claude-opus-4-20250514', 15, 75],
    ['claude-opus-4-1', 15, 75],
    ['claude-sonnet-5-5', 2, 10],
    ['claude-sonnet-4-5-20250929', 3, 15],
    ['claude-haiku-4-5', 1, 5],
    ['claude-3-5-haiku-20241022', 0.8, 4],
    ['claude-3-haiku-20240307', 0.25, 1.25],
    ['anthropic/claude-sonnet-4.5', 3, 15],
    ['us.anthropic.claude-sonnet-4-20250514-v1:0', 3, 15],
    ['claude-sonnet-5-5[1m]', 2, 10],
  ])('%s', (model, input, output) => {
    expect(costOf(model, { ...noUsage, inputTokens: million })).toBeCloseTo(input, 10);
    expect(costOf(model, { ...noUsage, outputTokens: million })).toBeCloseTo(output, 10);
  });

  it('counts the cache', () => {
    expect(costOf('claude-opus-4-5', { ...noUsage, cacheReadTokens: million })).toBeCloseTo(0.5, 10);
    expect(costOf('claude-opus-5-5', { ...noUsage, cacheReadTokens: million })).toBeCloseTo(0.2, 10);
    expect(costOf('claude-opus-4-5', { ...noUsage, cacheWriteTokens: million })).toBeCloseTo(6.25, 10);
  });

  it('knows that a long prompt makes a dear request', () => {
    const short = { ...noUsage, inputTokens: 60_000, cacheReadTokens: 40_000, outputTokens: 1_000 };
    expect(costOf('claude-haiku-5-5', short)).toBeCloseTo(0.006 + 0.0004 + 0.0005, 10);
    expect(costOf('claude-haiku-5-5', { ...short, inputTokens: 60_001 })).toBeCloseTo(0.0300005 + 0.002 + 0.0025, 10);
  });

  it.each(['gpt-5', 'qwen3-coder', '', 'claude-opus-12', 'claude-opus-9-9', 'claude-sonnet-45'])(
    'has no price for “%s”',
    (model) => {
      expect(costOf(model, { ...noUsage, inputTokens: 1 })).toBeUndefined();
    },
  );
});

describe('addUsage', () => {
  it('adds every count', () => {
    const usage = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4 };
    expect(addUsage(addUsage(noUsage, usage), usage)).toEqual({
      inputTokens: 2,
      outputTokens: 4,
      cacheReadTokens: 6,
      cacheWriteTokens: 8,
    });
  });
});
