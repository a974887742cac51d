import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { replaceSynced } from './replaceSynced.ts';

const approvedSchema = z.object({
  /** Of the place and all that stood there. */
  hash: z.string(),
  /** Where the hooks stand; absolute. */
  file: z.string(),
  /** What they run, for people. */
  text: z.string(),
});
export type ApprovedHooks = Readonly<z.output<typeof approvedSchema>>;

/** Contents that the user has approved. Kept outside of every repository, so that none can approve itself. */
export interface HookApprovals {
  has(hash: string): Promise<boolean>;
  /** @throws when it cannot be kept */
  add(approved: ApprovedHooks): Promise<void>;
  /** In the order in which they were approved. */
  list(): Promise<readonly ApprovedHooks[]>;
  /** They are asked about again. @throws when that cannot be kept */
  remove(hash: string): Promise<void>;
}

const fileSchema = z.object({ version: z.literal(2), approved: z.array(approvedSchema) });
const maxKept = 500;

/** What cannot be read counts as not approved: the user is asked again. */
export function createHookApprovals(stateDirectory: string): HookApprovals {
  const file = join(stateDirectory, 'hooks.json');

  async function read(): Promise<readonly ApprovedHooks[]> {
    const text = await readFile(file, 'utf8').catch(() => '');
    try {
      return fileSchema.parse(JSON.parse(text)).approved;
    } catch {
      return [];
    }
  }

  async function change(hash: string, added: readonly ApprovedHooks[]): Promise<void> {
    await mkdir(dirname(file), { recursive: true });
    const approved = [...(await read()).filter((one) => one.hash !== hash), ...added].slice(-maxKept);
    await replaceSynced(file, `${JSON.stringify({ version: 2, approved }, undefined, 2)}\n`);
  }

  return {
    has: async (hash) => (await read()).some((one) => one.hash === hash),
    add: (approved) => change(approved.hash, [approved]),
    list: read,
    remove: (hash) => change(hash, []),
  };
}
