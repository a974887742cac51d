import { stat } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const names = ['.offshoot/settings.json', '.claude/settings.json', '.claude/settings.local.json'];
const maxBytes = 1024 * 1024;

/** A settings file that a repository brings. */
export type RepositoryFile = {
  /** The folder of the workspace that it is from. */
  readonly root: string;
  /** Below the root. */
  readonly name: string;
  readonly path: string;
  /** Parsed; undefined where it cannot be read, is no JSON, or over a megabyte. */
  readonly value: unknown;
};

/** Those that are there. Only for a trusted workspace. */
export async function readRepositoryFiles(roots: readonly string[]): Promise<readonly RepositoryFile[]> {
  const read = await Promise.all(roots.flatMap((root) => names.map((name) => readOne(root, name))));
  return read.filter((file) => file !== undefined);
}

async function readOne(root: string, name: string): Promise<RepositoryFile | undefined> {
  const path = join(root, name);
  const size = await sizeOf(path);
  if (size === undefined) return undefined;
  const text = size > maxBytes ? '' : await readFile(path, 'utf8').catch(() => '');
  return { root, name, path, value: parseJson(text) };
}

/**
 * Asked before every call, and mostly there is nothing: a promise of Node's takes twice as long to say so.
 * @returns undefined where there is no such file
 */
function sizeOf(path: string): Promise<number | undefined> {
  return new Promise((resolve) =>
    stat(path, (error, found) => {
      if (error === null) resolve(found.size);
      else resolve(error.code === 'ENOENT' || error.code === 'ENOTDIR' ? undefined : 0);
    }),
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
