import { open } from 'node:fs/promises';
import { decodeRecord, maxLineBytes } from '../journal/record.ts';
import { addFact, factTypes, noFacts, type SessionFacts } from './facts.ts';

/** How far a journal was read. */
export type FactsSoFar = {
  readonly facts: SessionFacts;
  /** Bytes up to the end of the last usable line. */
  readonly end: number;
  /** The number of that line's record. */
  readonly seq: number;
};

export const nothingRead: FactsSoFar = { facts: noFacts, end: 0, seq: 0 };

const blockBytes = 256 * 1024;
const newline = 0x0a;
const head = /^\{"sum":"[0-9a-f]{8}","seq":(\d+),"event":\{"type":"([a-z-]+)"/;
const headBytes = 120;

/**
 * Reads on where an earlier reading ended. Holds one block and one line in memory; of lines that matter to no list only the
 * beginning is looked at.
 * @param limit stops near this many bytes @throws when the file cannot be read, or the signal aborts
 */
export async function readFacts(
  path: string,
  session: string,
  soFar: FactsSoFar,
  signal: AbortSignal,
  limit = Number.POSITIVE_INFINITY,
): Promise<FactsSoFar> {
  const handle = await open(path, 'r');
  try {
    let read = (await handle.stat()).size < soFar.end ? nothingRead : soFar;
    let position = read.end;
    let rest = Buffer.alloc(0);
    const stop = position + limit;
    while (position < stop) {
      signal.throwIfAborted();
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(blockBytes), 0, blockBytes, position);
      if (bytesRead === 0) break;
      const block = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
      const blockStart = position - rest.length;
      position += bytesRead;
      let start = 0;
      for (let end = block.indexOf(newline); end >= 0; end = block.indexOf(newline, start)) {
        read = addLine(read, block.subarray(start, end), blockStart + end + 1, session);
        start = end + 1;
      }
      rest = block.subarray(start);
      if (rest.length > maxLineBytes) rest = Buffer.alloc(0);
    }
    return read;
  } finally {
    await handle.close();
  }
}

function addLine(soFar: FactsSoFar, line: Buffer, end: number, session: string): FactsSoFar {
  const found = head.exec(line.toString('latin1', 0, headBytes));
  if (!found) return soFar;
  const seq = Number(found[1]);
  if (seq <= soFar.seq) return soFar;
  if (!factTypes.has(found[2] ?? '')) return { ...soFar, end, seq };
  const record = decodeRecord(line);
  if (record.kind === 'damaged') return soFar;
  const facts = record.kind === 'event' ? addFact(soFar.facts, record.event, session) : soFar.facts;
  return { facts, end, seq };
}
