import type { JournalFile, JournalFiles } from './journalFile.ts';
import { decodeRecord, maxLineBytes } from './record.ts';

const newline = 0x0a;
const blockSize = 64 * 1024;

export type Tail = {
  /** Of the last whole record; 0 in an empty journal. */
  readonly lastSeq: number;
  /** False after a whole record whose line end is missing. */
  readonly endsLine: boolean;
};

/**
 * Finds where a journal goes on, from its end backwards. What follows the last whole record is moved to `<path>.torn-<n>`:
 * the write that a crash cut short.
 * @param onProblem gets a message for people when something was moved
 */
export async function trimTail(
  path: string,
  file: JournalFile,
  files: JournalFiles,
  onProblem: (message: string) => void,
): Promise<Tail> {
  const size = await file.size();
  const last = await findLastRecord(file, size);
  const next = last.endsLine ? last.end + 1 : last.end;
  if (next < size) {
    const torn = await file.read(next, size - next);
    const aside = torn.every((byte) => byte === newline) ? undefined : await keepAside(path, torn, files);
    await file.truncate(next);
    if (aside) onProblem(`The last record of the session was not finished and is left out. It is kept in ${aside}.`);
  }
  return { lastSeq: last.seq, endsLine: last.endsLine };
}

type LastRecord = { readonly seq: number; readonly end: number; readonly endsLine: boolean };

async function findLastRecord(file: JournalFile, size: number): Promise<LastRecord> {
  let lineEnd = size;
  while (lineEnd > 0) {
    const lineStart = await startOfLine(file, lineEnd);
    const length = lineEnd - lineStart;
    const line = Buffer.from(length > maxLineBytes ? [] : await file.read(lineStart, length));
    const record = decodeRecord(line);
    if (record.kind !== 'damaged') return { seq: record.seq, end: lineEnd, endsLine: lineEnd < size };
    lineEnd = lineStart - 1;
  }
  return { seq: 0, end: -1, endsLine: true };
}

/** Where the line begins that ends before `end`. */
async function startOfLine(file: JournalFile, end: number): Promise<number> {
  let position = end;
  while (position > 0) {
    const length = Math.min(blockSize, position);
    const block = await file.read(position - length, length);
    const found = block.lastIndexOf(newline);
    if (found >= 0) return position - length + found + 1;
    position -= length;
  }
  return 0;
}

async function keepAside(path: string, bytes: Uint8Array, files: JournalFiles): Promise<string> {
  for (let number = 1; ; number++) {
    const aside = `${path}.torn-${number}`;
    try {
      await files.keepAside(aside, bytes);
      return aside;
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error;
    }
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
