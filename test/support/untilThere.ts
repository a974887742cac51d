import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves once the file is there and has at least so many bytes: what a command writes when it has come so far. */
export async function untilThere(file: string, bytes = 0): Promise<void> {
  for (;;) {
    const found = await stat(file).catch(() => undefined);
    if (found !== undefined && found.size >= bytes) return;
    await sleep(10);
  }
}
