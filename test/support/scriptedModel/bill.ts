import { createHash } from 'node:crypto';
import type { AnswerBlock, AnswerUsage } from './answer.ts';
import { blocksOf, type CountTokensBody } from './requestSchema.ts';

type Part = { readonly text: string; readonly isMarked: boolean };

/** Four characters are a token, rounded. */
export const tokensOf = (characters: number): number => Math.round(characters / 4);

/** Input tokens of a request. */
export function countInput(body: CountTokensBody): number {
  return tokensOf(partsOf(body).reduce((sum, part) => sum + part.text.length, 0));
}

/** Output tokens of an answer, at least one. */
export function countOutput(blocks: readonly AnswerBlock[]): number {
  const characters = blocks.reduce((sum, block) => {
    if (block.type === 'text') return sum + block.text.length;
    if (block.type === 'tool_use')
      return sum + block.name.length + (block.rawInput ?? JSON.stringify(block.input)).length;
    return block.type === 'other' ? sum : sum + block.thinking.length;
  }, 0);
  return Math.max(1, tokensOf(characters));
}

/**
 * A prompt cache as the documentation describes it, without a lifetime or a smallest size: tools, then system, then
 * messages; a mark writes everything up to it; the longest prefix that an earlier request of the model wrote is read.
 * Tokens are taken from running totals, so input + read + written is always `countInput`.
 */
export class PromptCache {
  readonly #written = new Set<string>();

  bill(body: CountTokensBody): Omit<AnswerUsage, 'output_tokens'> {
    const hash = createHash('sha256').update(body.model);
    let characters = 0;
    let read = 0;
    let marked = 0;
    const boundaries: { readonly key: string; readonly characters: number; readonly isMarked: boolean }[] = [];
    for (const part of partsOf(body)) {
      hash.update(part.text);
      characters += part.text.length;
      boundaries.push({ key: hash.copy().digest('base64'), characters, isMarked: part.isMarked });
      if (part.isMarked) marked = characters;
    }
    for (const boundary of boundaries) {
      if (boundary.characters > marked) break;
      if (this.#written.has(boundary.key)) read = boundary.characters;
    }
    for (const boundary of boundaries) if (boundary.isMarked) this.#written.add(boundary.key);
    return {
      input_tokens: tokensOf(characters) - tokensOf(marked),
      cache_read_input_tokens: tokensOf(read),
      cache_creation_input_tokens: tokensOf(marked) - tokensOf(read),
    };
  }
}

function partsOf(body: CountTokensBody): readonly Part[] {
  return [
    ...(body.tools ?? []).map((tool) => partOf('tool', tool)),
    ...blocksOf(body.system).map((block) => partOf('system', block)),
    ...body.messages.flatMap((message) => blocksOf(message.content).map((block) => partOf(message.role, block))),
  ];
}

function partOf(role: string, block: object): Part {
  let isMarked = false;
  const json = JSON.stringify(block, (key, value: unknown) => {
    if (key !== 'cache_control') return value;
    isMarked ||= value !== undefined && value !== null;
    return undefined;
  });
  return { text: `${role}${json}`, isMarked };
}
