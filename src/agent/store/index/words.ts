/** A word of a text as it is searched for, and where it stands: UTF-16 units, [start, end). */
export type Word = { readonly word: string; readonly start: number; readonly end: number };

/** Of longer words only the beginning counts: they are data, not language. */
const maxWordLength = 64;

/**
 * The words of a text: lower case, without accents, split at everything that is neither letter nor digit. Scripts that
 * write without spaces give each pair of neighbours as a word, and the last character of a run alone, so that every part of
 * a run can be found.
 */
export function wordsOf(text: string): readonly Word[] {
  const words: Word[] = [];
  for (const match of text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) addRun(words, match[0], match.index);
  return words;
}

/** The words alone, in their order: most of what is indexed is plain, and that is quick. */
export function wordList(text: string): readonly string[] {
  return text.split('\n').flatMap(wordsOfLine);
}

/** Each word once, but for lines whose script has no spaces: what is looked for there is always several pairs in a row. */
export function distinctWords(text: string): readonly string[] {
  const once = new Set<string>();
  const ordered: string[] = [];
  for (const line of text.split('\n')) {
    if (isUnspaced(line)) ordered.push(...wordsOfLine(line));
    else for (const word of wordsOfLine(line)) once.add(word);
  }
  return [...once, ...ordered];
}

function wordsOfLine(line: string): readonly string[] {
  if (!isPlain(line)) return wordsOf(line).map(({ word }) => word);
  return (line.match(/[A-Za-z0-9]+/g) ?? []).map((word) => word.slice(0, maxWordLength));
}

function isPlain(line: string): boolean {
  return /^[\0-\x7f]*$/.test(line);
}

/** The parts of names in camel case: `readJournal2` gives `read`, `journal2`; nothing for other words. */
export function camelParts(text: string): readonly Word[] {
  const parts: Word[] = [];
  for (const match of text.matchAll(/[A-Za-z0-9]+/g)) {
    if (match[0].length > maxWordLength || !/[a-z0-9][A-Z]/.test(match[0])) continue;
    for (const part of match[0].matchAll(/[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z0-9]+/g)) {
      const start = match.index + part.index;
      if (part[0].length > 1) parts.push({ word: part[0].toLowerCase(), start, end: start + part[0].length });
    }
  }
  return parts;
}

/** Whether a word is part of a run without spaces, where what is looked for may stand in the middle. */
export function isUnspaced(word: string): boolean {
  return unspaced.test(word);
}

const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}々ー]/u;
const splitting =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}々ー]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}々ー]+/gu;
const plain = /^[A-Za-z0-9]+$/;

function addRun(words: Word[], run: string, start: number): void {
  if (plain.test(run)) {
    words.push({ word: run.slice(0, maxWordLength).toLowerCase(), start, end: start + run.length });
    return;
  }
  for (const { 0: part, index } of run.matchAll(splitting)) {
    if (isUnspaced(part)) addPairs(words, part, start + index);
    else addWord(words, part, start + index);
  }
}

function addWord(words: Word[], text: string, start: number): void {
  const word = fold(text).slice(0, maxWordLength);
  if (word !== '') words.push({ word, start, end: start + text.length });
}

function addPairs(words: Word[], run: string, start: number): void {
  const characters = [...run.matchAll(/./gsu)];
  characters.forEach((character, index) => {
    const next = characters[index + 1];
    addWord(words, character[0] + (next?.[0] ?? ''), start + character.index);
  });
}

/** Full width, accents and case make no difference. */
function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mn}+/gu, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '');
}
