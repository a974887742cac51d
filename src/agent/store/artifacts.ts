import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { journalPath } from './sessions.ts';

/** Where results are kept that are too long for a model: private to the user, under names that nobody can foresee. */
export interface Artifacts {
  /** Absolute. It is there once the first path was given out. */
  readonly directory: string;
  /** A name that is free. Create the file exclusively (`wx`). @param extension with or without a dot */
  path(extension: string): Promise<string>;
  /** Keeps a text and returns where. */
  write(text: string, extension: string): Promise<string>;
}

/** @throws for a session id that could lead out of the storage folder */
export function createArtifacts(state: string, sessionId: string): Artifacts {
  journalPath(state, sessionId);
  const directory = join(state, 'artifacts', sessionId);
  let ready: Promise<void> | undefined;

  async function path(extension: string): Promise<string> {
    ready ??= prepare(directory).catch((error: unknown) => {
      ready = undefined;
      throw error;
    });
    await ready;
    const end = extension.replace(/[^A-Za-z0-9]/g, '');
    return join(directory, `${randomBytes(12).toString('hex')}${end ? `.${end}` : ''}`);
  }

  return {
    directory,
    path,
    async write(text, extension) {
      const file = await path(extension);
      await writeFile(file, text, { flag: 'wx', mode: 0o600 });
      return file;
    },
  };
}

/** A folder that someone else put there, as a link or open to others, is not used as it is. */
async function prepare(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  if (!(await lstat(directory)).isDirectory()) {
    throw new Error(`${directory} is not a folder. Remove it, so that long results can be kept there.`);
  }
  await chmod(directory, 0o700);
}
