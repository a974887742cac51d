import { open } from 'node:fs/promises';
import { maxLineBytes } from './record.ts';

export type LineBefore = {
  /** undefined: longer than any record. */
  readonly bytes: Buffer | undefined;
  /** Where it begins in the file, in bytes. */
  readonly place: number;
};

const newline = 0x0a;
const blockSize = 256 * 1024;

/**
 * Lines of a file, the last first, with one block and one line in memory; empty ones are passed over.
 * @param end where a line begins, in bytes: those before it are read; left out: all are
 */
export async function* readLinesBefore(
  path: string,
  end: number | undefined,
  signal: AbortSignal,
): AsyncGenerator<LineBefore, void, undefined> {
  let parts: Buffer[] = [];
  let length = 0;
  const add = (part: Buffer) => {
    length += part.length;
    if (length > maxLineBytes) parts = [];
    else parts.unshift(part);
  };
  const take = (place: number): LineBefore => {
    const line = { bytes: length > maxLineBytes ? undefined : Buffer.concat(parts), place };
    parts = [];
    length = 0;
    return line;
  };
  for await (const { bytes, place } of readBlocksBefore(path, end, signal)) {
    let to = bytes.length;
    for (let at = lastNewline(bytes, to); at >= 0; at = lastNewline(bytes, to)) {
      if (at + 1 < to) add(bytes.subarray(at + 1, to));
      if (length > 0) yield take(place + at + 1);
      to = at;
    }
    if (to > 0) add(Buffer.from(bytes.subarray(0, to)));
  }
  if (length > 0) yield take(0);
}

function lastNewline(bytes: Buffer, before: number): number {
  return before === 0 ? -1 : bytes.lastIndexOf(newline, before - 1);
}

async function* readBlocksBefore(
  path: string,
  end: number | undefined,
  signal: AbortSignal,
): AsyncGenerator<{ readonly bytes: Buffer; readonly place: number }, void, undefined> {
  const file = await open(path, 'r');
  try {
    let place = end ?? (await file.stat()).size;
    while (place > 0) {
      signal.throwIfAborted();
      const size = Math.min(blockSize, place);
      place -= size;
      const bytes = Buffer.alloc(size);
      const { bytesRead } = await file.read(bytes, 0, size, place);
      if (bytesRead < size) throw new Error(`${path} became shorter while it was read.`);
      yield { bytes, place };
    }
  } finally {
    await file.close();
  }
}
