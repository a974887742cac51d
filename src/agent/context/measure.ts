import { estimateTokens } from '../messages/tokens.ts';
import type { Message } from '../messages/types.ts';
import type { ModelRequest, ToolSpec } from '../model/provider.ts';
import type { Tool } from '../tools/tool.ts';
import { splitSystem } from './system.ts';

/** What a server, or failing that an estimate, said about the size of a history, and how far into the history it reaches. */
export type Measure = {
  readonly tokens: number;
  /** Messages that it covers. */
  readonly messages: number;
  /** `usage`: of a request and its answer, which is the message behind those covered. `count`: counted before sending. */
  readonly by: 'usage' | 'count' | 'estimate';
};

/** Tokens of what stands before every history. */
export type FixedSizes = { readonly system: number; readonly instructions: number; readonly tools: number };

/** What fills a context; the parts add up to its tokens. */
export type ContextParts = FixedSizes & { readonly messages: number };

export type ContextSize = {
  readonly tokens: number;
  /** Those of them that no server has counted. */
  readonly guessed: number;
};

/** A server puts some words of its own before the tools. */
const tokensBeforeTools = 300;

export function toolSpecs(tools: readonly Tool[]): readonly ToolSpec[] {
  return tools.map(({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema }));
}

export function fixedSizes(system: string, tools: readonly Tool[]): FixedSizes {
  const { own, instructions } = splitSystem(system);
  return {
    system: estimateTokens(own),
    instructions: estimateTokens(instructions),
    tools: tools.length === 0 ? 0 : tokensBeforeTools + estimateTokens(JSON.stringify(toolSpecs(tools))),
  };
}

/** Tokens of the next request: what is known of its beginning, and an estimate of what was appended since. */
export function contextSize(measure: Measure | undefined, fixed: FixedSizes, history: readonly Message[]): ContextSize {
  if (!measure) {
    const tokens = sumOf(fixed) + estimateTokens(history);
    return { tokens, guessed: tokens };
  }
  const rest = history.slice(measure.messages);
  const isAnswerCounted = measure.by === 'usage' && rest[0]?.role === 'assistant';
  const guess = estimateTokens(isAnswerCounted ? rest.slice(1) : rest);
  const tokens = measure.tokens + guess;
  return { tokens, guessed: measure.by === 'estimate' ? tokens : guess };
}

/** Divides a known number of tokens among the parts, by their estimates. */
export function contextParts(tokens: number, fixed: FixedSizes): ContextParts {
  const share = Math.min(1, tokens / Math.max(1, sumOf(fixed)));
  const [system, instructions, tools] = [fixed.system, fixed.instructions, fixed.tools].map((part) =>
    Math.round(part * share),
  );
  const parts = { system: system ?? 0, instructions: instructions ?? 0, tools: tools ?? 0 };
  return { ...parts, messages: Math.max(0, tokens - sumOf(parts)) };
}

export function sumOf({ system, instructions, tools }: FixedSizes): number {
  return system + instructions + tools;
}

/** Bytes of a request on its way; exact only where it might be more than `limit`, since it takes time. */
export function requestBytes({ system, tools, messages }: ModelRequest, limit: number): number {
  const schemas = tools.map(({ input_schema, ...rest }) => charsOf(rest) + charsOnce(input_schema));
  const chars = [charsOf(system), ...schemas, ...messages.map(charsOnce)].reduce((sum, each) => sum + each, 0);
  return 6 * chars < limit ? 6 * chars : Buffer.byteLength(JSON.stringify({ system, tools, messages }));
}

/** Of what does not change and is sent again and again. */
const counted = new WeakMap<object, number>();

function charsOnce(value: object): number {
  const known = counted.get(value);
  if (known !== undefined) return known;
  const chars = charsOf(value);
  counted.set(value, chars);
  return chars;
}

/** Characters of all texts and names in a value, about as JSON has them. */
function charsOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 3;
  if (typeof value !== 'object' || value === null) return 6;
  let chars = 2;
  for (const [key, inner] of Object.entries(value)) chars += key.length + 4 + charsOf(inner);
  return chars;
}
