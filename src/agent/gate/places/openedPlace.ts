import { lstat, readlink } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';

/** Where a program ends up that is given a path. */
export type OpenedPlace = {
  /** Real and absolute. */
  readonly place: string;
  /** It leads through files of the system that mean something else to every process, or goes round in circles. */
  readonly isUnsure: boolean;
};

const mostLinks = 40;
const ofProcess = /^\/(proc|dev)(\/|$)/;
const folderOfProcess = /^\/proc\/[^/]+(\/task\/[^/]+)?\/(cwd|root)$/;

/**
 * Follows a path as the system does: a link first, then the `..` behind it. (A path that is resolved by its text alone leads
 * elsewhere: with a link `x` to `/a/b`, `x/../c` is `/a/c`.)
 * @param directory where the program runs; absolute
 */
export async function openedPlace(directory: string, path: string): Promise<OpenedPlace> {
  const left = namesOf(isAbsolute(path) ? path : `${directory}/${path}`);
  let place = '/';
  let isUnsure = false;
  for (let links = 0, name = left.shift(); name !== undefined; name = left.shift()) {
    if (name === '..') {
      place = dirname(place);
      continue;
    }
    place = join(place, name);
    isUnsure ||= ofProcess.test(place) && place !== '/dev/null';
    const [, , own] = folderOfProcess.exec(place) ?? [];
    const target = own === undefined ? await linkAt(place) : own === 'cwd' ? directory : '/';
    if (target === undefined) continue;
    links += 1;
    if (links > mostLinks) return { place, isUnsure: true };
    left.unshift(...namesOf(target));
    place = isAbsolute(target) ? '/' : dirname(place);
  }
  return { place, isUnsure };
}

function namesOf(path: string): string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.');
}

async function linkAt(path: string): Promise<string | undefined> {
  const found = await lstat(path).catch(() => undefined);
  return found?.isSymbolicLink() ? readlink(path).catch(() => undefined) : undefined;
}
