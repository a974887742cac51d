import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { sessionFactsSchema } from './facts.ts';
import type { FactsSoFar } from './readFacts.ts';

const cacheSchema = z.object({
  version: z.literal(1),
  sessions: z.record(z.string(), z.object({ facts: sessionFactsSchema, end: z.number(), seq: z.number() })),
});

export function factsCachePath(state: string): string {
  return join(state, 'history.json');
}

/** Empty where there is none, or one of another version: it is made again from the journals. */
export async function readFactsCache(state: string): Promise<Map<string, FactsSoFar>> {
  try {
    const parsed = cacheSchema.parse(JSON.parse(await readFile(factsCachePath(state), 'utf8')));
    return new Map(Object.entries(parsed.sessions));
  } catch {
    return new Map();
  }
}

/** Not synced: what is lost is read again. */
export async function writeFactsCache(state: string, sessions: ReadonlyMap<string, FactsSoFar>): Promise<void> {
  const path = factsCachePath(state);
  const temporary = `${path}.${randomUUID()}`;
  await mkdir(state, { recursive: true, mode: 0o700 });
  try {
    await writeFile(temporary, JSON.stringify({ version: 1, sessions: Object.fromEntries(sessions) }), {
      flag: 'wx',
      mode: 0o600,
    });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
