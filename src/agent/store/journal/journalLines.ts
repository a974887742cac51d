import { open } from 'node:fs/promises';
import { maxLineBytes } from './record.ts';

export type JournalLine = {
  /** 1-based, counted from where reading began. */
  readonly number: number;
  /** Good until the next line is asked for. undefined: longer than any record. */
  readonly bytes: Buffer | undefined;
  /** Where it begins in the file, and how long it is without its line end, in bytes. */
  readonly place: number;
  readonly length: number;
  /** False for a last line without a line end. */
  readonly isEnded: boolean;
};

const newline = 0x0a;
const blockSize = 256 * 1024;
const nothing = Buffer.alloc(0);

/** Lines of a file, with one block and one line in memory. @param start where a line begins, in bytes */
export async function* readLines(
  path: string,
  start: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<JournalLine, void, undefined> {
  let parts: Buffer[] = [];
  let length = 0;
  let number = 1;
  let place = start;
  const add = (part: Buffer) => {
    length += part.length;
    if (length > maxLineBytes) parts = [];
    else parts.push(part);
  };
  const take = (isEnded: boolean): JournalLine => {
    const [whole = nothing] = parts;
    const joined = parts.length > 1 ? Buffer.concat(parts) : whole;
    const line = { number: number++, bytes: length > maxLineBytes ? undefined : joined, place, length, isEnded };
    place += length + 1;
    parts = [];
    length = 0;
    return line;
  };
  for await (const block of readBlocks(path, start, signal)) {
    let from = 0;
    for (let end = block.indexOf(newline); end >= 0; end = block.indexOf(newline, from)) {
      add(block.subarray(from, end));
      yield take(true);
      from = end + 1;
    }
    if (from < block.length) add(Buffer.from(block.subarray(from)));
  }
  if (length > 0) yield take(false);
}

/** Each block is good until the next one is asked for: all are read into the same memory. */
async function* readBlocks(
  path: string,
  start: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer, void, undefined> {
  const file = await open(path, 'r');
  try {
    const block = Buffer.allocUnsafeSlow(blockSize);
    for (let place = start; ; ) {
      signal?.throwIfAborted();
      const { bytesRead } = await file.read(block, 0, blockSize, place);
      if (bytesRead === 0) return;
      place += bytesRead;
      yield block.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}
