import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { replaceSynced } from './replaceSynced.ts';

/** Contents that the user has approved, by their hashes. Kept outside of every repository, so that none can approve itself. */
export interface HookApprovals {
  has(hash: string): Promise<boolean>;
  /** @throws when it cannot be kept */
  add(hash: string): Promise<void>;
}

const fileSchema = z.object({ version: z.literal(1), approved: z.array(z.string()) });
const maxKept = 500;

/** What cannot be read counts as not approved: the user is asked again. */
export function createHookApprovals(stateDirectory: string): HookApprovals {
  const file = join(stateDirectory, 'hooks.json');

  async function read(): Promise<readonly string[]> {
    const text = await readFile(file, 'utf8').catch(() => '');
    try {
      return fileSchema.parse(JSON.parse(text)).approved;
    } catch {
      return [];
    }
  }

  return {
    has: async (hash) => (await read()).includes(hash),
    async add(hash) {
      await mkdir(dirname(file), { recursive: true });
      const approved = [...(await read()).filter((one) => one !== hash), hash].slice(-maxKept);
      await replaceSynced(file, `${JSON.stringify({ version: 1, approved }, undefined, 2)}\n`);
    },
  };
}
