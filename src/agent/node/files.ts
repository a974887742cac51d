import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DirectoryEntry, FileStat, Files, TextFile } from '../host.ts';
import { fileErrorOf, systemCode } from './files/fileErrors.ts';
import { maxTextBytes, readFileBytes, toTextFile } from './files/readFile.ts';
import { replaceFile } from './files/replaceFile.ts';

/** Files on disk. Writes to one file are done one after another. */
export function createNodeFiles(): Files {
  const writes = new Map<string, Promise<unknown>>();
  return {
    readText: readTextFile,
    readBytes: async (path, maxBytes, signal) => (await readFileBytes(path, maxBytes, signal)).bytes,
    async writeText(path, text, expected, signal) {
      const before = writes.get(path) ?? Promise.resolve();
      const write = before.then(() => replaceFile(path, text, expected, signal));
      const settled = write.catch(() => undefined);
      writes.set(path, settled);
      try {
        return await write;
      } finally {
        if (writes.get(path) === settled) writes.delete(path);
      }
    },
    stat: statFile,
    list: listFolder,
  };
}

async function readTextFile(path: string, signal: AbortSignal): Promise<TextFile> {
  const { bytes } = await readFileBytes(path, maxTextBytes, signal);
  return toTextFile(path, bytes);
}

async function statFile(path: string, signal: AbortSignal): Promise<FileStat | undefined> {
  signal.throwIfAborted();
  try {
    const found = await stat(path);
    return { kind: found.isDirectory() ? 'directory' : 'file', size: found.size, modifiedAt: found.mtimeMs };
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw fileErrorOf(error, path);
  }
}

async function listFolder(path: string, signal: AbortSignal): Promise<readonly DirectoryEntry[]> {
  signal.throwIfAborted();
  try {
    const entries = await readdir(path, { withFileTypes: true });
    return await Promise.all(
      entries.map(async (entry): Promise<DirectoryEntry> => {
        if (entry.isFile()) return { name: entry.name, kind: 'file' };
        if (entry.isDirectory()) return { name: entry.name, kind: 'directory' };
        return { name: entry.name, kind: entry.isSymbolicLink() ? await linkedKind(join(path, entry.name)) : 'other' };
      }),
    );
  } catch (error) {
    throw fileErrorOf(error, path);
  }
}

async function linkedKind(path: string): Promise<DirectoryEntry['kind']> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile()) return 'file';
  return found?.isDirectory() ? 'directory' : 'other';
}
