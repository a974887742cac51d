import { isUnspaced, type Word, wordsOf } from './words.ts';

/** Words that stand one behind the other; the last may be the beginning of a word. */
export type Term = { readonly words: readonly string[]; readonly isOpen: boolean };

/** A text longer than this is not what somebody looks for. */
const maxTerms = 20;

/** What somebody typed: every word, and what stands in quotes as it stands there. Empty: there is nothing to look for. */
export function parseQuery(text: string): readonly Term[] {
  const terms: Term[] = [];
  for (const match of text.matchAll(/["“”„«]([^"“”„«»]*)["“”»]?|[^\s"“”„«»]+/gu)) {
    const isQuoted = match[1] !== undefined;
    const isLast = match.index + match[0].length === text.length;
    const term = toTerm(match[1] ?? match[0], isLast && !isQuoted);
    if (term && terms.length < maxTerms) terms.push(term);
  }
  const last = terms.at(-1);
  // A letter or two are the beginning of very many words: beside others they count as a word.
  if (!last?.isOpen || terms.length === 1 || isLongEnough(last)) return terms;
  return [...terms.slice(0, -1), { ...last, isOpen: false }];
}

function isLongEnough({ words }: Term): boolean {
  const last = words.at(-1) ?? '';
  return words.length > 1 || last.length > 2 || isUnspaced(last);
}

function toTerm(text: string, isOpen: boolean): Term | undefined {
  const words = wordsOf(text);
  const last = words.at(-1);
  if (!last) return undefined;
  const before = words.at(-2);
  if (!isUnspaced(last.word)) return { words: words.map(({ word }) => word), isOpen };
  // The end of a run stands there alone only when the text ends with it; the pair before it says the same.
  if (before && isPairWith(before, last)) return { words: words.slice(0, -1).map(({ word }) => word), isOpen: false };
  return { words: words.map(({ word }) => word), isOpen: true };
}

function isPairWith(before: Word, last: Word): boolean {
  return before.end === last.end && before.start < last.start;
}

/** For FTS4's MATCH. Words hold letters and digits only, so nothing in them is syntax. */
export function toMatch(terms: readonly Term[]): string {
  return terms.map(({ words, isOpen }) => `"${words.join(' ')}${isOpen ? '*' : ''}"`).join(' ');
}

/** Where terms stand in a text, in order of their places; parts of a place may be found twice. */
export function placesOf(terms: readonly Term[], words: readonly Word[]): readonly (readonly [number, number])[] {
  const places: [number, number][] = [];
  words.forEach((word, index) => {
    for (const term of terms) {
      const last = words[index + term.words.length - 1];
      if (last && term.words.every((wanted, offset) => fits(term, offset, wanted, words[index + offset])))
        places.push([word.start, last.end]);
    }
  });
  return places;
}

function fits(term: Term, offset: number, wanted: string, word: Word | undefined): boolean {
  if (!word) return false;
  return term.isOpen && offset === term.words.length - 1 ? word.word.startsWith(wanted) : word.word === wanted;
}
