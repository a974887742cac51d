import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Clock } from '../../host.ts';
import { syncDirectory } from '../journal/journalFile.ts';
import { acquireLease } from '../lease.ts';
import { applicationId, schemaVersion } from './schema.ts';

export function indexPath(state: string): string {
  return join(state, 'index', 'history.sqlite');
}

/** `newer`: another version of Offshoot goes on with it, so it is left alone. `unusable`: made again. */
export type ReadIndex =
  | { readonly kind: 'ready'; readonly bytes: Uint8Array }
  | { readonly kind: 'missing' }
  | { readonly kind: 'newer' }
  | { readonly kind: 'unusable'; readonly reason: string };

/** Behind the database stand these letters and the SHA-256 of what is before them; SQLite passes over both. */
const mark = Buffer.from('offshoot index 1');
const sealLength = mark.length + 32;
const magic = 'SQLite format 3\0';
const versionAt = 60;
const applicationAt = 68;

/** Changes nothing and never rejects: without an index there are still the journals. */
export async function readIndex(path: string): Promise<ReadIndex> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return { kind: 'missing' };
    return {
      kind: 'unusable',
      reason: `it cannot be read (${error instanceof Error ? error.message : String(error)})`,
    };
  }
  return checkIndex(bytes);
}

function checkIndex(bytes: Buffer): ReadIndex {
  if (bytes.length === 0) return { kind: 'unusable', reason: 'it is empty' };
  const version = versionOf(bytes);
  if (version === undefined) return { kind: 'unusable', reason: 'it is no index of Offshoot' };
  if (version > schemaVersion) return { kind: 'newer' };
  if (version < schemaVersion) return { kind: 'unusable', reason: 'an older version wrote it' };
  const end = bytes.length - sealLength;
  const database = bytes.subarray(0, Math.max(0, end));
  if (end <= 0 || !bytes.subarray(end).equals(seal(database))) return { kind: 'unusable', reason: 'it is damaged' };
  return { kind: 'ready', bytes: database };
}

/** undefined for a file that is not ours */
function versionOf(bytes: Buffer): number | undefined {
  const isOurs =
    bytes.length >= 100 &&
    bytes.subarray(0, magic.length).toString('latin1') === magic &&
    bytes.readUInt32BE(applicationAt) === applicationId;
  return isOurs ? bytes.readUInt32BE(versionAt) : undefined;
}

function seal(database: Uint8Array): Buffer {
  return Buffer.concat([mark, createHash('sha256').update(database).digest()]);
}

/**
 * Puts a database in place of the one that is there: whole, or not at all.
 * @returns `held` while another window saves its own, `newer` when a newer version did so
 * @throws when the disk refuses
 */
export async function saveIndex(path: string, database: Uint8Array, clock: Clock): Promise<'saved' | 'held' | 'newer'> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const lease = await acquireLease(`${path}.lock`, { clock });
  if (lease === 'held') return 'held';
  try {
    if (await isNewer(path)) return 'newer';
    await removeLeftovers(path, clock);
    await replace(path, database);
    return 'saved';
  } finally {
    await lease.release();
  }
}

async function replace(path: string, database: Uint8Array): Promise<void> {
  const temporary = `${path}.${randomBytes(8).toString('hex')}${temporaryEnd}`;
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(database);
      await file.writeFile(seal(database));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
  await syncDirectory(dirname(path));
}

async function isNewer(path: string): Promise<boolean> {
  const file = await open(path, 'r').catch(() => undefined);
  if (!file) return false;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(100), 0, 100, 0);
    return (versionOf(buffer.subarray(0, bytesRead)) ?? 0) > schemaVersion;
  } finally {
    await file.close();
  }
}

const temporaryEnd = '.tmp';
const leftoverMs = 600_000;

/** Of processes that were killed while they saved. */
async function removeLeftovers(path: string, clock: Clock): Promise<void> {
  const directory = dirname(path);
  for (const name of await readdir(directory)) {
    if (!name.endsWith(temporaryEnd)) continue;
    const file = join(directory, name);
    const info = await stat(file).catch(() => undefined);
    if (info && clock.now() - info.mtimeMs > leftoverMs) await unlink(file).catch(() => undefined);
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
