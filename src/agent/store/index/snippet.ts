import { type FileHandle, open } from 'node:fs/promises';
import type { AgentEvent } from '../../loop/events.ts';
import { decodeRecord } from '../journal/record.ts';
import type { SearchHit } from './contract.ts';
import { placesOf, type Term } from './query.ts';
import { type Part, partsOf } from './searchable.ts';
import { camelParts, wordsOf } from './words.ts';

export type Snippet = Pick<SearchHit, 'part' | 'snippet' | 'marks'>;

const before = 60;
const length = 240;
const maxMarks = 50;

type Range = readonly [number, number];

/** What surrounds the first place where something that is looked for stands. */
export function makeSnippet(parts: readonly Part[], terms: readonly Term[]): Snippet {
  let best: { readonly part: Part; readonly places: readonly Range[] } | undefined;
  for (const part of parts) {
    const places = allPlaces(part.text, terms);
    if (places.length > 0 && !best) best = { part, places };
  }
  const { part, places } = best ?? { part: parts[0] ?? { kind: 'text' as const, text: '' }, places: [] };
  const [start, end] = window(part.text, places[0]?.[0] ?? 0);
  const lead = start > 0 ? '…' : '';
  const body = part.text.slice(start, end);
  const shift = lead.length - start;
  const marks = places
    .filter(([from, to]) => from >= start && to <= end)
    .slice(0, maxMarks)
    .map(([from, to]): Range => [from + shift, to + shift]);
  // One blank for each, so that the marks stay where they are.
  const snippet = `${lead}${body.replace(/\s/g, ' ')}${end < part.text.length ? '…' : ''}`;
  return { part: part.kind, snippet, marks };
}

/** The index knows words that stand side by side only by chance. */
export function hasPhrases(parts: readonly Part[], terms: readonly Term[]): boolean {
  const phrases = terms.filter(({ words }) => words.length > 1);
  return phrases.every((phrase) => parts.some((part) => allPlaces(part.text, [phrase]).length > 0));
}

/** In order, and without overlaps. */
function allPlaces(text: string, terms: readonly Term[]): readonly Range[] {
  const found = [...placesOf(terms, wordsOf(text)), ...placesOf(terms, camelParts(text))];
  const merged: [number, number][] = [];
  for (const [start, end] of found.sort((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const last = merged.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else merged.push([start, end]);
  }
  return merged;
}

/** Begins at a word where one is near, and never in the middle of a character. */
function window(text: string, place: number): Range {
  let start = Math.max(0, place - before);
  if (start > 0) {
    const space = text.slice(start, place).search(/\s/);
    if (space >= 0 && space < before / 2) start += space + 1;
    else if (isLowHalf(text.charCodeAt(start))) start += 1;
  }
  let end = Math.min(text.length, start + length);
  if (end < text.length && isLowHalf(text.charCodeAt(end))) end -= 1;
  return [start, end];
}

function isLowHalf(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

export type Reading = { readonly path: string; readonly place: number; readonly length: number; readonly seq: number };

/** Reads single messages from journals, each of which is opened once. */
export async function readParts(
  readings: readonly Reading[],
  signal: AbortSignal,
): Promise<readonly (readonly Part[] | undefined)[]> {
  const files = new Map<string, FileHandle | undefined>();
  const results: (readonly Part[] | undefined)[] = [];
  try {
    for (const reading of readings) {
      signal.throwIfAborted();
      if (!files.has(reading.path)) files.set(reading.path, await open(reading.path, 'r').catch(() => undefined));
      const event = await readEvent(files.get(reading.path), reading);
      results.push(event?.type === 'message-append' ? partsOf(event.message) : undefined);
    }
  } finally {
    await Promise.all([...files.values()].map((file) => file?.close()));
  }
  return results;
}

/** undefined when the journal is gone or is not what was indexed */
async function readEvent(file: FileHandle | undefined, reading: Reading): Promise<AgentEvent | undefined> {
  if (!file) return undefined;
  const { buffer, bytesRead } = await file.read(Buffer.alloc(reading.length), 0, reading.length, reading.place);
  const record = decodeRecord(buffer.subarray(0, bytesRead));
  return record.kind === 'event' && record.event.seq === reading.seq ? record.event : undefined;
}
