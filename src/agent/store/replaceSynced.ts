import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';

/**
 * Puts a private file in the place of another one, once it is on the medium. When that fails or the signal aborts, the other
 * one is as it was.
 * @param text whole, or piece by piece
 */
export async function replaceSynced(
  path: string,
  text: string | AsyncIterable<string>,
  signal?: AbortSignal,
): Promise<void> {
  const temporary = `${path}.${randomUUID()}`;
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(text, signal && { signal });
      signal?.throwIfAborted();
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
