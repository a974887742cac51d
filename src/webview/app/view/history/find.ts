import type { HistoryEntry, HistoryHits } from '../../../protocol.ts';

export type Hit = HistoryHits['hits'][number];
export type Found = { readonly entry: HistoryEntry; readonly hits: readonly Hit[] };
/** `pinned`, `today`, `yesterday`, else the start of the day in milliseconds. */
export type DayGroup = { readonly day: 'pinned' | 'today' | 'yesterday' | number; readonly found: readonly Found[] };

const mostHitsEach = 3;

/** Conversations whose title has every word, at once; and those where it was said, when that is known. */
export function findSessions(
  sessions: readonly HistoryEntry[],
  text: string,
  hits: HistoryHits | undefined,
): readonly Found[] {
  const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const said = new Map<string, Hit[]>();
  for (const hit of words.length > 0 && hits?.text === text ? hits.hits : []) {
    const known = said.get(hit.session) ?? [];
    if (known.length < mostHitsEach) said.set(hit.session, [...known, hit]);
  }
  return sessions.flatMap((entry) => {
    const title = `${entry.title} ${entry.folder}`.toLocaleLowerCase();
    const own = said.get(entry.id) ?? [];
    return own.length > 0 || words.every((word) => title.includes(word)) ? [{ entry, hits: own }] : [];
  });
}

/** In the order in which they come: pinned ones, then by day. */
export function groupByDay(found: readonly Found[], now: number): readonly DayGroup[] {
  const today = startOfDay(now);
  const yesterday = startOfDay(today - 1);
  const groups = new Map<DayGroup['day'], Found[]>();
  for (const each of found) {
    const start = startOfDay(each.entry.updatedAt);
    const day = each.entry.isPinned ? 'pinned' : start >= today ? 'today' : start === yesterday ? 'yesterday' : start;
    const known = groups.get(day);
    if (known) known.push(each);
    else groups.set(day, [each]);
  }
  return [...groups].map(([day, members]) => ({ day, found: members }));
}

function startOfDay(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0);
}

/** A snippet in pieces, the marked ones among them. */
export function markedPieces({
  snippet,
  marks,
}: Hit): readonly { readonly text: string; readonly isMarked: boolean }[] {
  const pieces: { text: string; isMarked: boolean }[] = [];
  let position = 0;
  for (const [start, end] of marks) {
    pieces.push({ text: snippet.slice(position, start), isMarked: false });
    pieces.push({ text: snippet.slice(start, end), isMarked: true });
    position = end;
  }
  return [...pieces, { text: snippet.slice(position), isMarked: false }].filter(({ text }) => text !== '');
}
