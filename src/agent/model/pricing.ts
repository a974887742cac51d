import type { Usage } from './provider.ts';

/** US dollars per million tokens; `read` is the share of the input price that a read from the prompt cache costs. */
type Price = { readonly input: number; readonly output: number; readonly read: number };
type Tariff = Price & {
  /** Prompts of more tokens (with what the cache holds) pay this in full. */
  readonly long?: { readonly over: number; readonly price: Price };
};

const cacheWriteFactor = 1.25;
const price = (input: number, output: number, read = 0.1): Price => ({ input, output, read });

/**
 * By family and version. Source: https://platform.claude.com/docs/en/about-claude/pricing, and for versions 5.5 two public
 * price tables that were checked against it (docs.rs/synaps 0.10.2, github.com/kurofune/claudit v1.9.2); October 2026.
 */
const tariffs: Readonly<Record<string, Tariff>> = {
  'opus 5.5': price(4, 20, 0.05),
  'opus 5': price(5, 25),
  'opus 4.8': price(5, 25),
  'opus 4.7': price(5, 25),
  'opus 4.6': price(5, 25),
  'opus 4.5': price(5, 25),
  'opus 4.1': price(15, 75),
  'opus 4': price(15, 75),
  'opus 3': price(15, 75),
  'sonnet 5.5': price(2, 10, 0.05),
  'sonnet 5': price(2, 10),
  'sonnet 4.6': price(3, 15),
  'sonnet 4.5': price(3, 15),
  'sonnet 4': price(3, 15),
  'sonnet 3.7': price(3, 15),
  'sonnet 3.5': price(3, 15),
  'haiku 5.5': { ...price(0.1, 0.5), long: { over: 100_000, price: price(0.5, 2.5) } },
  'haiku 4.5': price(1, 5),
  'haiku 3.5': price(0.8, 4),
  'haiku 3': price(0.25, 1.25),
  'fable 5.1': price(10, 50, 0.025),
  'fable 5': price(10, 50),
  'mythos 5.1': price(10, 50, 0.025),
  'mythos 5': price(10, 50),
};

/**
 * What one request cost in US dollars at list price, cache writes counted as those of five minutes; undefined for a model
 * whose price is not known. Take it request by request and add up: some prices depend on the length of the prompt.
 */
export function costOf(model: string, usage: Usage): number | undefined {
  const tariff = tariffs[versionOf(model) ?? ''];
  if (!tariff) return undefined;
  const prompt = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  const { input, output, read } = tariff.long && prompt > tariff.long.over ? tariff.long.price : tariff;
  const inputUnits = usage.inputTokens + usage.cacheReadTokens * read + usage.cacheWriteTokens * cacheWriteFactor;
  return (inputUnits * input + usage.outputTokens * output) / 1_000_000;
}

/** `opus 4.5` for `claude-opus-4-5-20251101`, and `haiku 3.5` for the older order `claude-3-5-haiku-20241022`. */
function versionOf(model: string): string | undefined {
  const match =
    /claude-(?<family>[a-z]+)-(?<major>\d)(?:[-.](?<minor>\d)(?!\d))?(?!\d)/.exec(model) ??
    /claude-(?<major>\d)(?:[-.](?<minor>\d))?-(?<family>[a-z]+)/.exec(model);
  if (!match?.groups) return undefined;
  const { family, major, minor } = match.groups;
  return `${family} ${major}${minor === undefined || minor === '0' ? '' : `.${minor}`}`;
}

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

export function addUsage(left: Usage, right: Usage): Usage {
  return {
    inputTokens: left.inputTokens + right.inputTokens,
    outputTokens: left.outputTokens + right.outputTokens,
    cacheReadTokens: left.cacheReadTokens + right.cacheReadTokens,
    cacheWriteTokens: left.cacheWriteTokens + right.cacheWriteTokens,
  };
}
