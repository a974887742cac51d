import { sep } from 'node:path';

/** Whether a path is the folder or lies below it. Both absolute, and as the system spells them. */
export function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
