import type { Message } from '../../messages/types.ts';
import type { SearchHit } from './contract.ts';
import { camelParts, distinctWords, wordList } from './words.ts';

export type Part = { readonly kind: SearchHit['part']; readonly text: string };

/** Words in quotes are found in so much of a message; behind it each word stands once, which takes a fraction of the room. */
const orderedCharacters = 16_000;

/** No message that a model can take is longer; of one that is, the beginning and the end are searched. */
export const maxSearchedCharacters = 400_000;

/** What the harness puts around a report: it is nobody's word. */
const reportFrame =
  /^(A background agent has ended\.\n)?<report [^>\n]*>\n([\s\S]*?)\n<\/report>(?:\n<receipt>[^<\n]*<\/receipt>)?$/gm;
const notice = /^A background agent has ended\.\n<report /;

function withoutFrames(text: string): string {
  return text.includes('<report ') ? text.replace(reportFrame, '$2') : text;
}

/** What is written in a message, in the order of its blocks; pictures and what only a server can read are left out. */
export function partsOf(message: Message): readonly Part[] {
  const parts: Part[] = [];
  for (const block of message.content) {
    switch (block.type) {
      case 'text':
        // What an agent reports by itself stands where else the user's words do.
        parts.push({ kind: notice.test(block.text) ? 'result' : 'text', text: withoutFrames(block.text) });
        break;
      case 'thinking':
        parts.push({ kind: 'thinking', text: block.thinking });
        break;
      case 'tool_use':
        parts.push({ kind: 'call', text: `${block.name} ${valuesIn(block.input).join('\n')}` });
        break;
      case 'tool_result':
        if (typeof block.content === 'string') parts.push({ kind: 'result', text: withoutFrames(block.content) });
        else
          for (const inner of block.content)
            if (inner.type === 'text') parts.push({ kind: 'result', text: inner.text });
        break;
    }
  }
  return parts;
}

/** Keys are the harness's words; values are what the model wrote. */
function valuesIn(input: unknown): readonly string[] {
  if (typeof input === 'string') return [input];
  if (typeof input === 'number' || typeof input === 'boolean') return [String(input)];
  if (typeof input === 'object' && input !== null) return Object.values(input).flatMap(valuesIn);
  return [];
}

export type Searchable = { readonly words: string; readonly characters: number; readonly isWhole: boolean };

/** The words of a message for the index: in their order, so that neighbours can be asked for; then those of a long rest, and parts of names. */
export function toSearchable(parts: readonly Part[]): Searchable {
  const whole = parts.map((part) => part.text).join('\n');
  const isWhole = whole.length <= maxSearchedCharacters;
  const half = maxSearchedCharacters / 2;
  const text = isWhole ? whole : `${whole.slice(0, half)}\n${whole.slice(-half)}`;
  const ordered = wordList(text.slice(0, orderedCharacters));
  const names = new Set(camelParts(text).map(({ word }) => word));
  const others = distinctWords(text.slice(orderedCharacters));
  // The table makes them lower case.
  return { words: [...ordered, ...names, ...others].join(' '), characters: text.length, isWhole };
}
