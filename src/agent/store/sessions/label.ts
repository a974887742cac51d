import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { replaceSynced } from '../replaceSynced.ts';
import { journalPath, sessionsDirectory } from '../sessions.ts';

const labelSchema = z.object({
  version: z.literal(1),
  /** The name that the user gave it. */
  title: z.string().optional(),
  isPinned: z.boolean().optional(),
});

/** What the user says of a session; beside its journal, which only one window may write. */
export type SessionLabel = Omit<z.output<typeof labelSchema>, 'version'>;

export function labelPath(state: string, session: string): string {
  // For its check of the id.
  journalPath(state, session);
  return join(sessionsDirectory(state), `${session}.json`);
}

/** Empty for a session that was never labelled, and for a file that cannot be used. */
export async function readLabel(state: string, session: string): Promise<SessionLabel> {
  try {
    const { version: _, ...label } = labelSchema.parse(JSON.parse(await readFile(labelPath(state, session), 'utf8')));
    return label;
  } catch {
    return {};
  }
}

/**
 * Another window may have the session open.
 * @param change `title` empty: it has the title of its journal again
 * @throws when it cannot be written
 */
export async function changeLabel(state: string, session: string, change: SessionLabel): Promise<void> {
  const label = { ...(await readLabel(state, session)), ...change };
  const { title = '', isPinned = false } = label;
  const path = labelPath(state, session);
  if (title === '' && !isPinned) return rm(path, { force: true });
  const kept = { version: 1, ...(title !== '' && { title }), ...(isPinned && { isPinned }) };
  await mkdir(sessionsDirectory(state), { recursive: true, mode: 0o700 });
  await replaceSynced(path, `${JSON.stringify(kept)}\n`);
}
