import { createHash } from 'node:crypto';
import { access } from 'node:fs';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { replaceSynced } from './replaceSynced.ts';

/** `always`: wherever Offshoot works; `workspace`: in the folder that it was allowed for. */
export type RememberedScope = 'always' | 'workspace';
export type RememberedRule = { readonly text: string; readonly scope: RememberedScope };

/** What the user allowed for longer than a session. Kept outside of every repository, so that none can allow itself anything. */
export interface RememberedRules {
  /** As it is on disk now: another window may have changed it. */
  read(): Promise<readonly RememberedRule[]>;
  /** @throws when it cannot be kept */
  add(rule: RememberedRule): Promise<void>;
  /** Takes effect at the next call. */
  remove(rule: RememberedRule): Promise<void>;
}

const fileSchema = z.object({
  version: z.literal(1),
  always: z.array(z.string()),
  workspaces: z.record(z.string(), z.array(z.string())),
});
type Kept = z.output<typeof fileSchema>;

const nothing: Kept = { version: 1, always: [], workspaces: {} };
const attempts = 20;

/**
 * @param workspace the real path of the first folder
 * @param onProblem told when the file is damaged; it then counts as empty and is kept aside
 */
export function createRememberedRules(
  stateDirectory: string,
  workspace: string,
  onProblem: (text: string) => void,
): RememberedRules {
  const file = join(stateDirectory, 'permissions.json');
  const change = (edit: (rules: readonly string[]) => readonly string[], scope: RememberedScope) =>
    changeFile(
      file,
      (kept) => {
        if (scope === 'always') return { ...kept, always: [...edit(kept.always)] };
        return {
          ...kept,
          workspaces: { ...kept.workspaces, [workspace]: [...edit(kept.workspaces[workspace] ?? [])] },
        };
      },
      onProblem,
    );
  return {
    async read() {
      if (!(await isThere(file))) return [];
      const { kept } = await readKept(file, onProblem);
      const own = Object.hasOwn(kept.workspaces, workspace) ? (kept.workspaces[workspace] ?? []) : [];
      const as = (scope: RememberedScope) => (text: string) => ({ text, scope });
      return [...kept.always.map(as('always')), ...own.map(as('workspace'))];
    },
    add: ({ text, scope }) => change((rules) => [...rules.filter((rule) => rule !== text), text], scope),
    remove: ({ text, scope }) => change((rules) => rules.filter((rule) => rule !== text), scope),
  };
}

/** Asked before every call: a promise of Node's takes twice as long to say no. */
function isThere(file: string): Promise<boolean> {
  return new Promise((resolve) => access(file, (error) => resolve(error?.code !== 'ENOENT')));
}

async function readKept(file: string, onProblem: (text: string) => void): Promise<{ kept: Kept; hash: string }> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  });
  const hash = createHash('sha256').update(text).digest('hex');
  if (text === '') return { kept: nothing, hash };
  const parsed = fileSchema.safeParse(parseJson(text));
  if (parsed.success) return { kept: parsed.data, hash };
  await rename(file, `${file}.damaged`);
  onProblem(`${file} was damaged and is kept as ${file}.damaged. What you always allowed is asked again.`);
  return readKept(file, onProblem);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Replaces the whole file, and only if it is still what the change was made from. */
async function changeFile(file: string, edit: (kept: Kept) => Kept, onProblem: (text: string) => void): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const before = await readKept(file, onProblem);
    const lock = await takeLock(`${file}.lock`);
    if (lock) {
      try {
        if ((await readKept(file, onProblem)).hash !== before.hash) continue;
        await replaceSynced(file, `${JSON.stringify(edit(before.kept), undefined, 2)}\n`);
        return;
      } finally {
        await rm(`${file}.lock`, { force: true });
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 10 + Math.random() * 40));
  }
  // Whoever held it for so long is gone.
  await rm(`${file}.lock`, { force: true });
  throw new Error(`${file} is being changed by another window. Try again.`);
}

async function takeLock(path: string): Promise<boolean> {
  try {
    await (await open(path, 'wx', 0o600)).close();
    return true;
  } catch {
    return false;
  }
}
