import { constants, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { FileError, type TextFile } from '../../host.ts';
import { decodeText, textVersion } from '../text.ts';
import { fileErrorOf, systemCode } from './fileErrors.ts';

export const maxTextBytes = 50 * 1024 * 1024;

/** @throws FileError `binary` */
export function toTextFile(path: string, bytes: Uint8Array): TextFile {
  const decoded = decodeText(bytes);
  if (!decoded)
    throw new FileError('binary', path, `${path} is not a text file. Look at it with a command that knows its format.`);
  return { path, ...decoded, version: textVersion(decoded.text), isUnsaved: false };
}

export type FileBytes = {
  readonly bytes: Uint8Array;
  readonly mode: number;
  readonly owner: number;
  readonly stamp: string;
};

/** Changes when the file is replaced or written to. */
export function stampOf(stats: Stats): string {
  return `${stats.ino}:${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}`;
}

/** Content and state of a file, from one open file. */
export async function readFileBytes(path: string, maxBytes: number, signal: AbortSignal): Promise<FileBytes> {
  signal.throwIfAborted();
  let handle: FileHandle | undefined;
  try {
    // Without O_NONBLOCK, opening a named pipe waits for its other end.
    handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const found = await handle.stat();
    if (!found.isFile()) throw notAFile(path, found.isDirectory());
    if (found.size > maxBytes) throw tooLarge(path, found.size, maxBytes);
    const bytes = await handle.readFile({ signal });
    if (bytes.length > maxBytes) throw tooLarge(path, bytes.length, maxBytes);
    return { bytes, mode: found.mode & 0o7777, owner: found.uid, stamp: stampOf(found) };
  } catch (error) {
    signal.throwIfAborted();
    throw systemCode(error) === 'EISDIR' ? notAFile(path, true) : fileErrorOf(error, path);
  } finally {
    await handle?.close();
  }
}

function notAFile(path: string, isFolder: boolean): FileError {
  const what = isFolder ? 'is a folder. Name a file in it.' : 'is no regular file and cannot be read.';
  return new FileError('not_a_file', path, `${path} ${what}`);
}

function tooLarge(path: string, size: number, maxBytes: number): FileError {
  const message = `${path} has ${size} bytes; at most ${maxBytes} can be read. Search in it, or cut out a part with a command.`;
  return new FileError('too_large', path, message);
}
