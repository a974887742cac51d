import { relative } from 'node:path';
import { isInside } from './paths.ts';
import { isProtectedPath } from './protected.ts';

export type Protection = {
  /** Folders of the workspace: what lies above them does not count. */
  readonly roots: readonly string[];
  /** Where Offshoot keeps what it was allowed; nothing in it may be changed unasked. */
  readonly stateDirectory: string;
  /** What in there belongs to the agent. */
  readonly own?: readonly string[];
};

/** @param path real and absolute */
export function isProtectedPlace(path: string, { roots, stateDirectory, own = [] }: Protection): boolean {
  const isOwn = own.some((folder) => isInside(folder, path));
  if (!isOwn && isInside(stateDirectory, path)) return true;
  const root = [...roots, ...own].find((folder) => isInside(folder, path));
  return isProtectedPath(root === undefined ? path : relative(root, path));
}
