import { basename, dirname } from 'node:path';
import type { SearchResult } from '../host.ts';
import type { ToolContext } from './tool.ts';

/** Where a search starts, resolved: the folder or file that the call names, or all of the workspace. */
export async function searchPlaces(path: string | undefined, context: ToolContext): Promise<readonly string[]> {
  return path === undefined ? context.workspace.roots : [await context.paths.resolve(path, 'read')];
}

/**
 * Searches one place after another until there are enough lines.
 * @param search results hold paths relative to the place, or to the folder of a file
 * @returns lines whose paths are as Read takes them
 */
export async function searchAll(
  places: readonly string[],
  limit: number,
  context: ToolContext,
  search: (place: string, limit: number) => Promise<SearchResult>,
): Promise<SearchResult> {
  const lines: string[] = [];
  for (const place of places) {
    const found = await search(place, limit - lines.length);
    const prefix = await prefixFor(place, found.lines, context);
    for (const line of found.lines) lines.push(line === '--' || prefix === '' ? line : prefix + line);
    if (found.isTruncated) return { lines, isTruncated: true };
    if (lines.length >= limit) return { lines, isTruncated: place !== places.at(-1) };
  }
  return { lines, isTruncated: false };
}

async function prefixFor(place: string, lines: readonly string[], context: ToolContext): Promise<string> {
  const first = lines[0];
  if (first === undefined) return '';
  const shown = context.paths.show(place);
  if (shown === '.') return '';
  // A file's own results begin with its name.
  const isFile =
    first.startsWith(basename(place)) && (await context.host.files.stat(place, context.signal))?.kind === 'file';
  const folder = isFile ? context.paths.show(dirname(place)) : shown;
  return folder === '.' ? '' : `${folder}${folder.endsWith('/') ? '' : '/'}`;
}
