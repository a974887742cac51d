import { randomBytes } from 'node:crypto';
import {
  access,
  chmod,
  chown,
  constants,
  link,
  lstat,
  mkdir,
  open,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Encoding, FileError, type TextFile } from '../../host.ts';
import { encodeText, textVersion } from '../text.ts';
import { fileErrorOf, systemCode } from './fileErrors.ts';
import { type FileBytes, maxTextBytes, readFileBytes, stampOf, toTextFile } from './readFile.ts';

/**
 * Writes a new file beside the old one and renames it, so that nobody ever sees half a file. A link stays: its target
 * is replaced. See `Files.writeText`.
 */
export async function replaceFile(
  path: string,
  text: string,
  expected: string | 'absent',
  signal: AbortSignal,
): Promise<TextFile> {
  signal.throwIfAborted();
  try {
    return expected === 'absent'
      ? await createFile(path, text)
      : await changeFile(await linkTarget(path), path, text, expected, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw fileErrorOf(error, path);
  }
}

async function createFile(path: string, text: string): Promise<TextFile> {
  const bytes = encode(path, text, 'utf8');
  if (await isThere(path)) throw existsAlready(path);
  await mkdir(dirname(path), { recursive: true });
  await withTemporary(path, bytes, undefined, async (temporary) => {
    try {
      // Unlike a rename, a link never takes the place of a file that came up meanwhile.
      await link(temporary, path);
    } catch (error) {
      if (systemCode(error) === 'EEXIST' || (await isThere(path))) throw existsAlready(path);
      await rename(temporary, path);
    }
  });
  return textFile(path, text, 'utf8');
}

async function changeFile(
  target: string,
  path: string,
  text: string,
  expected: string,
  signal: AbortSignal,
): Promise<TextFile> {
  const current = await readCurrent(target, path, signal);
  const { encoding, version } = toTextFile(path, current.bytes);
  if (version !== expected) throw changed(path);
  const bytes = encode(path, text, encoding);
  await access(target, constants.W_OK);
  await withTemporary(target, bytes, current, async (temporary) => {
    signal.throwIfAborted();
    if (stampOf(await stat(target)) !== current.stamp) {
      const latest = await readCurrent(target, path, signal);
      if (toTextFile(path, latest.bytes).version !== expected) throw changed(path);
    }
    await rename(temporary, target);
  });
  return textFile(path, text, encoding);
}

async function withTemporary(
  target: string,
  bytes: Uint8Array,
  like: FileBytes | undefined,
  use: (temporary: string) => Promise<void>,
): Promise<void> {
  const temporary = join(dirname(target), `.${basename(target).slice(0, 100)}.${randomBytes(6).toString('hex')}.tmp`);
  const handle = await open(temporary, 'wx', like?.mode ?? 0o666);
  try {
    try {
      await handle.writeFile(bytes);
    } finally {
      await handle.close();
    }
    if (like) await keepOwnerAndMode(temporary, like);
    await use(temporary);
  } finally {
    await rm(temporary, { force: true });
  }
}

async function keepOwnerAndMode(temporary: string, like: FileBytes): Promise<void> {
  // Only root may give files away; for everybody else the new file belongs to its writer.
  if (process.getuid?.() === 0 && like.owner !== 0) await chown(temporary, like.owner, -1);
  await chmod(temporary, like.mode);
}

async function linkTarget(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') throw changed(path);
    throw error;
  }
}

async function readCurrent(target: string, path: string, signal: AbortSignal): Promise<FileBytes> {
  try {
    return await readFileBytes(target, maxTextBytes, signal);
  } catch (error) {
    if (error instanceof FileError && error.kind === 'not_found') throw changed(path);
    throw error;
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}

function encode(path: string, text: string, encoding: Encoding): Uint8Array {
  const bytes = encodeText(text, encoding);
  if (bytes) return bytes;
  const message =
    encoding === 'latin1'
      ? `${path} is stored as Latin-1, which lacks a character of the new text. Leave that character out, or convert the file to UTF-8 first.`
      : `The new text of ${path} holds NUL or half a character, which a text file cannot keep. Leave it out.`;
  throw new FileError('io', path, message);
}

function textFile(path: string, text: string, encoding: Encoding): TextFile {
  return { path, text, encoding, version: textVersion(text), isUnsaved: false };
}

function changed(path: string): FileError {
  return new FileError(
    'changed',
    path,
    `${path} has changed since it was read. Read it again, then repeat the change.`,
  );
}

function existsAlready(path: string): FileError {
  return new FileError('exists', path, `${path} exists already. Read it first, then change it.`);
}
