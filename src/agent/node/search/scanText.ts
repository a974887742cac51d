import type { TextQuery } from '../../host.ts';
import { ToolError } from '../../tools/toolError.ts';
import type { SearchLine } from './searchLines.ts';

/** @throws ToolError for a pattern that is no regular expression */
export function compilePattern(query: Pick<TextQuery, 'pattern' | 'ignoreCase' | 'multiline'>): RegExp {
  const inline = /^\(\?([ims]+)\)/.exec(query.pattern);
  const flags = new Set(['g', 'm', ...(inline?.[1] ?? '')]);
  if (query.ignoreCase) flags.add('i');
  if (query.multiline) flags.add('s');
  if (/\\[pP]\{/.test(query.pattern)) flags.add('u');
  const source = query.pattern.slice(inline?.[0].length ?? 0).replaceAll('(?P<', '(?<');
  try {
    return new RegExp(source, [...flags].join(''));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `\`${query.pattern}\` is not a regular expression (${reason}). Escape its special characters with \\.`;
    throw new ToolError(message, { cause });
  }
}

/** The output lines of one file, at most `limit`. */
export function matchText(
  text: string,
  path: string,
  pattern: RegExp,
  query: TextQuery,
  limit: number,
): readonly SearchLine[] {
  const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  if (lines.length > 1 && lines.at(-1) === '') lines.pop();
  const isSearchOver = query.mode === 'files_with_matches' ? 1 : limit;
  const matched = query.multiline
    ? matchAcross(lines, pattern, query.mode === 'count' ? Infinity : isSearchOver)
    : matchEach(lines, pattern, query.mode === 'count' ? Infinity : isSearchOver);
  if (matched.length === 0) return [];
  if (query.mode === 'files_with_matches') return [{ path }];
  if (query.mode === 'count') return [{ path, text: String(matched.length) }];
  return withContext(lines, matched, path, query).slice(0, limit);
}

/** Indexes of lines that match. */
function matchEach(lines: readonly string[], pattern: RegExp, limit: number): readonly number[] {
  const found: number[] = [];
  for (const [index, line] of lines.entries()) {
    pattern.lastIndex = 0;
    if (!pattern.test(line)) continue;
    found.push(index);
    if (found.length >= limit) break;
  }
  return found;
}

/** Indexes of lines that a match touches. */
function matchAcross(lines: readonly string[], pattern: RegExp, limit: number): readonly number[] {
  const text = lines.join('\n');
  const found = new Set<number>();
  let line = 0;
  let lineEnd = lines[0]?.length ?? 0;
  for (const match of text.matchAll(pattern)) {
    const end = match.index + Math.max(0, match[0].length - 1);
    for (const offset of [match.index, end]) {
      while (lineEnd < offset && line < lines.length - 1) {
        if (offset === end && match.index <= lineEnd) found.add(line);
        line++;
        lineEnd += 1 + (lines[line]?.length ?? 0);
        if (offset === end) found.add(line);
      }
      found.add(line);
    }
    if (found.size >= limit) break;
  }
  return [...found].sort((left, right) => left - right);
}

function withContext(
  lines: readonly string[],
  matched: readonly number[],
  path: string,
  query: TextQuery,
): readonly SearchLine[] {
  const isMatch = new Set(matched);
  const shown = new Set<number>();
  for (const index of matched) {
    const last = Math.min(lines.length - 1, index + query.after);
    for (let near = Math.max(0, index - query.before); near <= last; near++) shown.add(near);
  }
  return [...shown]
    .sort((left, right) => left - right)
    .map((index) => ({ path, text: lines[index] ?? '', number: index + 1, isContext: !isMatch.has(index) }));
}
