import type { TextQuery } from '../../host.ts';

/** Longer lines of found text are cut. */
export const maxLineChars = 500;
/** Room for the path and the number before the text. */
const maxRecordChars = maxLineChars + 5000;

export type SearchLine = {
  readonly path: string;
  /** The text of a line, or the count; undefined in a list of files. */
  readonly text?: string;
  /** 1-based. */
  readonly number?: number;
  /** Shown around a match. */
  readonly isContext?: boolean;
};

/** Feeds whole records to `onRecord`, however the text is cut; the rest of a very long one is dropped. */
export function splitRecords(separator: '\n' | '\0', onRecord: (record: string) => void): (text: string) => true {
  let rest = '';
  return (text) => {
    let start = 0;
    for (let end = text.indexOf(separator); end >= 0; end = text.indexOf(separator, start)) {
      onRecord(rest + text.slice(start, Math.min(end, start + maxRecordChars)));
      rest = '';
      start = end + 1;
    }
    if (rest.length < maxRecordChars) rest += text.slice(start, start + maxRecordChars);
    return true;
  };
}

/** A record that ripgrep wrote with `--null`; undefined for its other remarks. */
export function parseRecord(record: string, mode: TextQuery['mode']): SearchLine | undefined {
  if (mode === 'files_with_matches') return record === '' ? undefined : { path: record };
  const end = record.indexOf('\0');
  if (end < 0) return undefined;
  const path = record.slice(0, end);
  if (mode === 'count') return { path, text: record.slice(end + 1) };
  const parts = /^(\d+)([:-])/.exec(record.slice(end + 1, end + 20));
  if (!parts) return undefined;
  const text = record.slice(end + 1 + parts[0].length);
  return {
    path,
    number: Number(parts[1]),
    isContext: parts[2] === '-',
    text: text.endsWith('\r') ? text.slice(0, -1) : text,
  };
}

/** As ripgrep shows them: `path:12:match`, `path-12-context`, `--` between places that are not next to each other. */
export function formatLines(
  lines: readonly SearchLine[],
  lineNumbers: boolean,
  hasContext: boolean,
): readonly string[] {
  const result: string[] = [];
  let last: SearchLine | undefined;
  for (const line of lines) {
    if (hasContext && last && (last.path !== line.path || (last.number ?? 0) + 1 !== line.number)) result.push('--');
    last = line;
    if (line.text === undefined) result.push(line.path);
    else if (line.number === undefined) result.push(`${line.path}:${line.text}`);
    else {
      const mark = line.isContext ? '-' : ':';
      result.push(`${line.path}${mark}${lineNumbers ? `${line.number}${mark}` : ''}${cutLine(line.text)}`);
    }
  }
  return result;
}

function cutLine(text: string): string {
  return text.length > maxLineChars ? `${text.slice(0, maxLineChars)}… [line cut]` : text;
}

/** Names within a folder in order, folder by folder; items of one path keep their order. */
export function sortByPath<Item>(items: readonly Item[], pathOf: (item: Item) => string): Item[] {
  return items
    .map((item) => ({ item, key: pathOf(item).replaceAll('/', '\0') }))
    .sort((left, right) => (left.key < right.key ? -1 : left.key > right.key ? 1 : 0))
    .map(({ item }) => item);
}
