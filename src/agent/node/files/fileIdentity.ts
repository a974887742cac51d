import { createHash } from 'node:crypto';
import { lstat, readFile, readlink } from 'node:fs/promises';
import { absent } from '../git/gitRecords.ts';

/** Larger files are told apart by size, time and number: reading them for each command would take too long. */
const maxHashedBytes = 1024 * 1024;
const atOnce = 32;

/**
 * What stands at a path, in git's own terms where that is cheap: mode and object name, as a commit of it would hold. Two
 * contents never have the same identity.
 */
export async function fileIdentity(path: string, algorithm: 'sha1' | 'sha256'): Promise<string> {
  try {
    const found = await lstat(path, { bigint: true });
    const stamp = `${found.size} ${found.mtimeNs} ${found.ctimeNs} ${found.ino}`;
    if (found.isSymbolicLink()) return `120000 ${objectName(await readlink(path, 'buffer'), algorithm)}`;
    if (found.isDirectory()) return 'directory';
    if (!found.isFile()) return `other ${stamp}`;
    const mode = (found.mode & 0o100n) === 0n ? '100644' : '100755';
    if (found.size > maxHashedBytes) return `${mode} ${stamp}`;
    const bytes = await readFile(path).catch(() => undefined);
    return bytes ? `${mode} ${objectName(bytes, algorithm)}` : `${mode} unreadable ${stamp}`;
  } catch {
    // Not there, or gone in this moment: the one is as good as the other.
    return absent;
  }
}

/** In the order of the paths. */
export async function fileIdentities(
  paths: readonly string[],
  algorithm: 'sha1' | 'sha256',
  signal: AbortSignal,
): Promise<readonly string[]> {
  const identities: string[] = [];
  for (let start = 0; start < paths.length; start += atOnce) {
    signal.throwIfAborted();
    const some = paths.slice(start, start + atOnce);
    identities.push(...(await Promise.all(some.map((path) => fileIdentity(path, algorithm)))));
  }
  return identities;
}

function objectName(bytes: Uint8Array, algorithm: 'sha1' | 'sha256'): string {
  return createHash(algorithm).update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
