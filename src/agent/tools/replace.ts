import { dominantLineEnd, toLineFeeds, withLineEnd } from './lineEnds.ts';

export type Replacement =
  | { readonly kind: 'replaced'; readonly text: string; readonly lines: readonly number[] }
  | { readonly kind: 'ambiguous'; readonly lines: readonly number[] }
  | { readonly kind: 'absent'; readonly hint: string | undefined };

/**
 * Replaces a part of a text. Line ends do not count when it is looked for, and only what differs between the old and the new
 * part is touched, so every other byte of the file stays. Lines are 1-based.
 */
export function replaceIn(text: string, oldPart: string, newPart: string, isAll: boolean): Replacement {
  const normal = toLineFeeds(text);
  const wanted = toLineFeeds(oldPart);
  const starts = findAll(normal, wanted);
  if (starts.length === 0) return { kind: 'absent', hint: hintFor(normal, wanted) };
  const lines = lineNumbers(normal, starts);
  if (starts.length > 1 && !isAll) return { kind: 'ambiguous', lines };

  const change = trimCommon(wanted, toLineFeeds(newPart));
  const toOriginal = offsetsOf(text);
  const fileEnd = dominantLineEnd(text);
  let result = '';
  let done = 0;
  for (const start of withoutOverlap(starts, wanted.length)) {
    const span = text.slice(toOriginal(start), toOriginal(start + wanted.length));
    const end = /[\r\n]/.test(span) ? dominantLineEnd(span) : fileEnd;
    result += text.slice(done, toOriginal(start + change.from));
    result += withLineEnd(change.inserted, end);
    done = toOriginal(start + change.from + change.removedLength);
  }
  return { kind: 'replaced', text: result + text.slice(done), lines: lines.slice(0, isAll ? undefined : 1) };
}

/** Starts of all occurrences, overlapping ones as well: each of them could have been meant. */
function findAll(text: string, part: string): readonly number[] {
  const found: number[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) found.push(at);
  return found;
}

function withoutOverlap(starts: readonly number[], length: number): readonly number[] {
  let end = 0;
  return starts.filter((start) => {
    if (start < end) return false;
    end = start + length;
    return true;
  });
}

type Change = { readonly from: number; readonly removedLength: number; readonly inserted: string };

function trimCommon(before: string, after: string): Change {
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before[from] === after[from]) from++;
  let same = 0;
  while (same < shorter - from && before[before.length - 1 - same] === after[after.length - 1 - same]) same++;
  return { from, removedLength: before.length - from - same, inserted: after.slice(from, after.length - same) };
}

/** Turns an offset into the text with plain line feeds into one of the text itself. */
function offsetsOf(text: string): (offset: number) => number {
  if (!text.includes('\r\n')) return (offset) => offset;
  const pairs: number[] = [];
  for (let at = text.indexOf('\r\n'); at >= 0; at = text.indexOf('\r\n', at + 2)) pairs.push(at - pairs.length);
  return (offset) => {
    let low = 0;
    let high = pairs.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((pairs[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return offset + low;
  };
}

function lineNumbers(text: string, offsets: readonly number[]): readonly number[] {
  let line = 1;
  let seen = 0;
  return offsets.map((offset) => {
    for (let at = text.indexOf('\n', seen); at >= 0 && at < offset; at = text.indexOf('\n', seen)) {
      line++;
      seen = at + 1;
    }
    return line;
  });
}

const numbered = /^\s*\d+\t/;

/** What may have gone wrong when a part is not found. */
function hintFor(text: string, wanted: string): string | undefined {
  const parts = wanted.split('\n');
  if (parts.every((line) => line === '' || numbered.test(line))) {
    return 'Leave out the line numbers that Read puts in front.';
  }
  const lines = text.split('\n');
  const squeezed = lines.map(squeeze);
  const sought = parts.map(squeeze);
  while (sought.length > 1 && sought.at(-1) === '') sought.pop();
  while (sought.length > 1 && sought[0] === '') sought.shift();
  const whole = squeezed.findIndex((_, index) => sought.every((line, offset) => squeezed[index + offset] === line));
  if (sought.some((line) => line !== '') && whole >= 0) {
    const found = lines
      .slice(whole, whole + Math.min(sought.length, 3))
      .join('\n')
      .slice(0, 500);
    return `Line ${whole + 1} differs only in white space; it is:\n${found}`;
  }
  const first = sought.find((line) => line.length > 2);
  const near = first === undefined ? -1 : squeezed.findIndex((line) => line.includes(first));
  if (near < 0) return undefined;
  return `Its first line is like line ${near + 1}, but what follows differs.`;
}

function squeeze(line: string): string {
  return line.replace(/\s+/g, ' ').trim();
}
