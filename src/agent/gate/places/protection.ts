import { homedir } from 'node:os';
import { basename, dirname, relative, sep } from 'node:path';
import { isInside, locate } from './paths.ts';
import { isProtectedPath } from './protected.ts';

export type Protection = {
  /** Folders of the workspace: what lies above them does not count. */
  readonly roots: readonly string[];
  /** Where Offshoot keeps what it was allowed; nothing in it may be changed unasked. */
  readonly stateDirectory: string;
  /** What in there belongs to the agent. */
  readonly own?: readonly string[];
  /** Files and folders that this run was set up from, wherever they lie. */
  readonly configured?: readonly string[];
};

/** The same by real paths. */
export async function realProtection({
  roots,
  stateDirectory,
  own = [],
  configured = [],
}: Protection): Promise<Protection> {
  const real = (path: string) => locate(path).catch(() => path);
  const all = (paths: readonly string[]) => Promise.all(paths.map(real));
  const [state, realRoots, realOwn, realConfigured] = await Promise.all([
    real(stateDirectory),
    all(roots),
    all(own),
    all(configured),
  ]);
  return { roots: realRoots, stateDirectory: state, own: realOwn, configured: realConfigured };
}

/** @param path real and absolute */
export function isProtectedPlace(path: string, protection: Protection): boolean {
  const { roots, stateDirectory, own = [], configured = [] } = protection;
  if (configured.some((place) => isInside(place, path))) return true;
  const isOwn = own.some((folder) => isInside(folder, path));
  if (!isOwn && isInside(keptBy(stateDirectory), path)) return true;
  const root = [...roots, ...own].find((folder) => isInside(folder, path));
  return isProtectedPath(root === undefined ? path : relative(root, path));
}

/** Whether a folder holds something that nobody may remove or move as a whole. */
export function holdsProtected(folder: string, { roots, stateDirectory, configured = [] }: Protection): boolean {
  const inside = folder.endsWith(sep) ? folder : folder + sep;
  const places = [...roots, stateDirectory, ...configured, homedir()];
  return places.some((place) => place === folder || place.startsWith(inside));
}

/** The editor keeps its settings, and so what Offshoot may do, beside what it keeps for extensions. */
function keptBy(stateDirectory: string): string {
  const storage = dirname(stateDirectory);
  return basename(storage) === 'globalStorage' ? dirname(storage) : stateDirectory;
}
