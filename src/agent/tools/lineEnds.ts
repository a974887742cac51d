export type LineEnd = '\n' | '\r\n' | '\r';

/** The most frequent line end, `\n` for a text without any. */
export function dominantLineEnd(text: string): LineEnd {
  if (!text.includes('\r')) return '\n';
  const counts: Record<LineEnd, number> = { '\n': 0, '\r\n': 0, '\r': 0 };
  for (const [end] of text.matchAll(/\r\n|\r|\n/g)) {
    if (end === '\n' || end === '\r\n' || end === '\r') counts[end]++;
  }
  if (counts['\r\n'] >= counts['\n'] && counts['\r\n'] >= counts['\r']) return '\r\n';
  return counts['\n'] >= counts['\r'] ? '\n' : '\r';
}

export function withLineEnd(text: string, end: LineEnd): string {
  const normal = toLineFeeds(text);
  return end === '\n' ? normal : normal.replaceAll('\n', end);
}

export function toLineFeeds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}
