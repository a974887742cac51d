import { resolve } from 'node:path';
import { openedPlace } from '../places/openedPlace.ts';
import { locate } from '../places/paths.ts';
import { holdsProtected, isProtectedPlace, type Protection } from '../places/protection.ts';
import { piecesOf, type Reach } from '../shell/reach.ts';
import type { ShellCommand, ShellScript } from '../shell/script.ts';

const maxPlaces = 400;
const maxDirectories = 8;

export function isChangeOfDirectory({ words, assignments }: ShellCommand): boolean {
  return words[0]?.value === 'cd' && words.length === 2 && assignments.length === 0;
}

/** All folders that a part of the script may run in; none when that cannot be told. */
export function directoriesOf(script: ShellScript, start: string): readonly string[] {
  const found = new Set([start]);
  for (const { words } of script.commands) {
    const [name, target, more] = words.map(({ value }) => value);
    if (name === 'pushd' || name === 'popd') return [];
    if (name !== 'cd') continue;
    if (target === undefined || more !== undefined || words.length > 2 || target.startsWith('-') || target === '')
      return [];
    for (const directory of [...found]) found.add(resolve(directory, target));
    if (found.size > maxDirectories) return [];
  }
  return [...found];
}

/** Each path that stands in the script, as written and by its real place. */
export async function namedPlaces(script: ShellScript, directories: readonly string[]): Promise<readonly string[]> {
  const words = [...script.commands.flatMap((command) => command.words), ...script.targets, ...script.otherWords];
  const pieces = new Set(words.flatMap(({ likely }) => pathPieces(likely)));
  return placesOf([...pieces].slice(0, maxPlaces), directories);
}

/** A text with blanks is a message or a program; its words are not taken for paths here. */
function pathPieces(value: string): readonly string[] {
  return /\s/.test(value) ? [value] : piecesOf(value);
}

async function placesOf(pieces: readonly string[], directories: readonly string[]): Promise<readonly string[]> {
  const found = pieces.flatMap((piece) =>
    directories.map(async (directory) => {
      const path = expandHome(piece);
      const literal = resolve(directory, path);
      const { place } = await openedPlace(directory, path);
      return [literal, await locate(literal).catch(() => literal), place];
    }),
  );
  return [...new Set((await Promise.all(found)).flat())];
}

function expandHome(piece: string): string {
  return piece.startsWith('~/') ? `${process.env.HOME ?? ''}${piece.slice(1)}` : piece;
}

/** Whether a script may change a file that decides what runs on this machine. */
export async function reachesProtected(
  reach: Reach,
  directories: readonly string[],
  protection: Protection,
): Promise<boolean> {
  const places = await placesOf([...new Set(reach.paths)].slice(0, maxPlaces), directories);
  if (places.some((place) => isProtectedPlace(place, protection))) return true;
  const wholes = await placesOf([...new Set(reach.wholes)].slice(0, maxPlaces), directories);
  return wholes.some((place) => holdsProtected(place, protection));
}
