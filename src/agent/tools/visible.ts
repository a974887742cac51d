import { resolve } from 'node:path';
import type { SearchResult } from '../host.ts';
import type { ToolContext } from './tool.ts';

/** Leaves out what rules keep from the agent. @param lines paths as `searchAll` returns them */
export function visiblePaths(lines: readonly string[], context: ToolContext): readonly string[] {
  return lines.filter((line) => !context.isHidden?.(toAbsolute(line, context)));
}

/**
 * A search whose results show content: where rules keep a file from the agent, the other files are searched one by one, so
 * that no line has to be told apart by its text.
 * @param list the files that match and may be seen, as `searchAll` returns them
 * @param search the whole search, in some places
 */
export async function searchVisible(
  places: readonly string[],
  context: ToolContext,
  list: () => Promise<readonly string[]>,
  search: (places: readonly string[]) => Promise<SearchResult>,
): Promise<SearchResult> {
  if (!context.isHidden) return search(places);
  const visible = await list();
  if (visible.length === 0) return { lines: [], isTruncated: false };
  return search(visible.map((path) => toAbsolute(path, context)));
}

function toAbsolute(path: string, { workspace }: ToolContext): string {
  return resolve(workspace.roots[0] ?? '', path);
}
