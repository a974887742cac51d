import { stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { isPlainRepository } from '../places/gitConfig.ts';
import { openedPlace } from '../places/openedPlace.ts';
import { isInside, type PathResolver } from '../places/paths.ts';
import { hasPathRules } from '../rules/policy.ts';
import { literalWords } from '../shell/command.ts';
import { judgeReadOnly } from '../shell/readOnly.ts';
import type { ShellCommand } from '../shell/script.ts';
import { isChangeOfDirectory } from './commandPlaces.ts';
import type { JudgeSetup } from './surface.ts';

/** Whether a command only reads, and only what an agent may read, in whichever of the folders it runs. */
export async function isReadOnlyHere(
  command: ShellCommand,
  directories: readonly string[],
  setup: JudgeSetup,
): Promise<boolean> {
  const words = literalWords(command);
  if (isChangeOfDirectory(command)) return isReadable(words?.[1] ?? '..', directories, setup.paths);
  const judged = words && judgeReadOnly(words);
  if (!judged || judged.faults.length > 0) return false;
  if (judged.readsContentBelow && hasPathRules(setup.policy)) return false;
  if (judged.usesGit && (directories.length > 1 || !(await isPlainRepository(setup.directory)))) return false;
  if (await isShadowed(words[0] ?? '', setup.policy.places.workspace)) return false;
  if (judged.isForFiles && (await Promise.all(judged.paths.map((path) => isFolder(path, directories)))).some(Boolean))
    return false;
  return (await Promise.all(judged.paths.map((path) => isReadable(path, directories, setup.paths)))).every(Boolean);
}

/** Whether a program of the workspace would run in place of the command, since the search path leads there. */
async function isShadowed(name: string, roots: readonly string[]): Promise<boolean> {
  const entries = (process.env.PATH ?? '').split(delimiter);
  const within = entries.filter((entry) => !isAbsolute(entry) || roots.some((root) => isInside(root, resolve(entry))));
  const found = within.flatMap((entry) => roots.map((root) => exists(join(resolve(root, entry), name))));
  return (await Promise.all(found)).some(Boolean);
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

async function isFolder(path: string, directories: readonly string[]): Promise<boolean> {
  const found = await Promise.all(
    // Not resolved by its text: a `..` behind a link is where the link leads.
    directories.map((directory) => stat(isAbsolute(path) ? path : `${directory}/${path}`).catch(() => undefined)),
  );
  return found.some((entry) => entry?.isDirectory());
}

async function isReadable(path: string, directories: readonly string[], paths: PathResolver): Promise<boolean> {
  if (path === '-' || path === '/dev/null') return true;
  // To the shell a `~` in quotes is a name.
  if (path === '' || path.startsWith('~')) return false;
  const inside = directories.map(async (directory) => {
    const { place, isUnsure } = await openedPlace(directory, path);
    if (isUnsure) return false;
    return paths.resolve(place, 'read').then(
      (found) => found === place,
      () => false,
    );
  });
  return (await Promise.all(inside)).every(Boolean);
}
