import type { Message, ToolResultBlock } from './types.ts';

type Block = Message['content'][number];

/** Servers bill an image by its area; this is a picture of about a megapixel, the largest that is not scaled down. */
const tokensPerImage = 1_500;
/** Role, type and id of a block, as a server spells them. */
const tokensPerBlock = 5;

/**
 * About how many input tokens a text or history takes, without asking a server. Meant to decide when to compact: it is right
 * within about a third for prose and code, rather too high than too low.
 *
 * Counted by kinds of characters, because bytes mislead: a Chinese character is three bytes and about one token, an English
 * word of six letters is six bytes and about one token too.
 */
export function estimateTokens(input: string | readonly Message[]): number {
  if (typeof input === 'string') return Math.ceil(textTokens(input));
  let tokens = 0;
  for (const message of input) {
    tokens += tokensPerBlock;
    for (const block of message.content) tokens += tokensPerBlock + blockTokens(block);
  }
  return Math.ceil(tokens);
}

function blockTokens(block: Block): number {
  switch (block.type) {
    case 'text':
      return textTokens(block.text);
    case 'thinking':
      return textTokens(block.thinking);
    case 'redacted_thinking':
      return block.data.length / 4;
    case 'image':
      return tokensPerImage;
    case 'tool_use':
      return tokensPerBlock + textTokens(block.name) + textTokens(JSON.stringify(block.input));
    case 'tool_result':
      return tokensPerBlock + resultTokens(block);
  }
}

function resultTokens(block: ToolResultBlock): number {
  if (typeof block.content === 'string') return textTokens(block.content);
  return block.content.reduce((sum, part) => sum + (part.type === 'text' ? textTokens(part.text) : tokensPerImage), 0);
}

type Kind = 'letter' | 'digit' | 'space' | 'mark' | 'alphabet' | 'ideograph';

/** One pass over the UTF-16 units, in runs of one kind. */
function textTokens(text: string): number {
  let tokens = 0;
  let start = 0;
  while (start < text.length) {
    const kind = kindOf(text.charCodeAt(start));
    let end = start + 1;
    while (end < text.length && kindOf(text.charCodeAt(end)) === kind) end++;
    tokens += runTokens(kind, end - start);
    start = end;
  }
  return tokens;
}

function runTokens(kind: Kind, length: number): number {
  switch (kind) {
    // Common words are one token whatever their length, rare ones and identifiers fall into pieces of four to six letters.
    case 'letter':
      return length <= 6 ? 1 : 1 + (length - 6) / 5;
    case 'digit':
      return Math.ceil(length / 3);
    // One space belongs to the word behind it; indentation is a token for many.
    case 'space':
      return length === 1 ? 0.1 : 1 + length / 32;
    case 'mark':
      return length * 0.7;
    // Cyrillic, Greek, Arabic, Hindi, Thai, accented Latin: pieces of two to three letters.
    case 'alphabet':
      return length * 0.5;
    // Chinese, Japanese, Korean. An emoji is two units of this kind.
    case 'ideograph':
      return length * 1.1;
  }
}

function kindOf(unit: number): Kind {
  if (unit < 0x80) return asciiKind(unit);
  if (unit < 0x1100) return 'alphabet';
  if (unit >= 0x2000 && unit < 0x2e80) return 'mark';
  if (unit < 0x1200 || unit >= 0x2e80) return 'ideograph';
  return 'alphabet';
}

function asciiKind(unit: number): Kind {
  if (unit <= 0x20) return 'space';
  if (unit >= 0x30 && unit <= 0x39) return 'digit';
  const lower = unit | 0x20;
  return lower >= 0x61 && lower <= 0x7a ? 'letter' : 'mark';
}
