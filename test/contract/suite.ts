import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Host } from '../../src/agent/host.ts';

/** What a contract suite needs from a test runner (vitest, or mocha inside the editor) and from the host under test. */
export type ContractParts = {
  readonly makeHost: () => Host | Promise<Host>;
  readonly describe: (name: string, body: () => void) => unknown;
  readonly it: (name: string, body: () => Promise<void>) => unknown;
};

/** Runs a test with a folder of its own: absolute, real, removed afterwards. */
export async function inFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'offshoot-contract-')));
  try {
    await body(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Writes files, given by their paths with `/`. */
export async function writeFiles(folder: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
}

export function signal(): AbortSignal {
  return new AbortController().signal;
}

/** Asserts that a file operation fails in one way and says so with the path. */
export async function rejectsWith(work: Promise<unknown>, kind: string, path: string): Promise<void> {
  await assert.rejects(work, (error: unknown) => {
    assert.ok(error instanceof Error && 'kind' in error, String(error));
    assert.equal(error.kind, kind);
    assert.ok(error.message.includes(path), error.message);
    return true;
  });
}
