import { mkdir, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';

/** What is known about a worktree beside what git knows; it lies next to it, so that it outlives a crash. */
const recordSchema = z.object({
  session: z.string(),
  agent: z.string(),
  name: z.string(),
  description: z.string(),
  /** The checkout that it is a worktree of. */
  main: z.string(),
  path: z.string(),
  branch: z.string(),
  base: z.string(),
  start: z.string().optional(),
  /** Milliseconds since the epoch. */
  createdAt: z.number(),
  /** The process whose agent works in it, or did last. */
  process: z.number(),
  /** `active`: an agent works in it, or its process ended in the midst of that. */
  state: z.enum(['active', 'kept']),
});

export type WorktreeRecord = Readonly<z.output<typeof recordSchema>>;

export type WorktreeRecords = {
  write(record: WorktreeRecord): Promise<void>;
  forget(record: WorktreeRecord): Promise<void>;
  /** Oldest first. */
  list(): Promise<readonly WorktreeRecord[]>;
};

export function worktreeFolder(stateDirectory: string): string {
  return join(stateDirectory, 'worktrees');
}

export function createWorktreeRecords(stateDirectory: string): WorktreeRecords {
  const fileOf = ({ path }: WorktreeRecord) => `${path}.json`;
  return {
    async write(record) {
      const file = fileOf(record);
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      await writeFile(`${file}.new`, JSON.stringify(record));
      await rename(`${file}.new`, file);
    },
    forget: (record) => rm(fileOf(record), { force: true }),
    async list() {
      const top = worktreeFolder(await realpath(stateDirectory).catch(() => stateDirectory));
      const folders = await readdir(top).catch(() => []);
      const files = await Promise.all(
        folders.map(async (folder) => {
          const names = await readdir(join(top, folder)).catch(() => []);
          return names.filter((name) => name.endsWith('.json')).map((name) => join(top, folder, name));
        }),
      );
      const records = await Promise.all(files.flat().map(readRecord));
      return records.flatMap((record) => record ?? []).sort((one, other) => one.createdAt - other.createdAt);
    },
  };
}

/** One that does not lie beside its worktree is not believed. */
async function readRecord(file: string): Promise<WorktreeRecord | undefined> {
  try {
    const record = recordSchema.parse(JSON.parse(await readFile(file, 'utf8')));
    return `${record.path}.json` === file ? record : undefined;
  } catch {
    return undefined;
  }
}

/** Whether an agent works in it now. */
export function isInUse({ state, process: id }: WorktreeRecord): boolean {
  return state === 'active' && isAlive(id);
}

function isAlive(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
