import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';

/** Puts a private file in the place of another one, once it is on the medium. When that fails, the other one is as it was. */
export async function replaceSynced(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}`;
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(text);
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
