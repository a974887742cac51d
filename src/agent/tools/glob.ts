import { isAbsolute } from 'node:path';
import * as z from 'zod';
import { searchAll, searchPlaces } from './searchPlaces.ts';
import { defineTool } from './tool.ts';
import { visiblePaths } from './visible.ts';

const maxResults = 200;

const input = z.strictObject({
  pattern: z.string().describe('e.g. **/*.ts, src/*.{js,ts}'),
  path: z.string().optional().describe('Folder to search; default: the workspace'),
});

export const globTool = defineTool({
  name: 'Glob',
  description:
    'Finds files by name pattern, sorted by path. `*.ts` is the top folder only. Files ignored by git are left out.',
  input,
  effect: 'read',
  isConcurrent: true,
  summarize: (call) => `Glob ${call.pattern}${call.path === undefined ? '' : ` in ${call.path}`}`,
  paths: (call) => {
    const { folder } = placeOf(call);
    return folder === undefined ? [] : [folder];
  },
  async run(call, context) {
    const { folder, pattern } = placeOf(call);
    const places = await searchPlaces(folder, context);
    const found = await searchAll(places, maxResults, context, (path, limit) =>
      context.host.search.files({ pattern, path, limit }, context.signal),
    );
    const lines = visiblePaths(found.lines, context);
    const count = lines.length;
    if (count === 0) return { content: 'No files match.', summary: 'no files' };
    const summary = `${count}${found.isTruncated ? '+' : ''} ${count === 1 ? 'file' : 'files'}`;
    const note = `\n(Only the first ${count}. Use a narrower pattern or path.)`;
    return { content: lines.join('\n') + (found.isTruncated ? note : ''), summary };
  },
});

type Place = { readonly folder: string | undefined; readonly pattern: string };

/** Models also write absolute patterns, or start with `..`: the part before the first special character is the folder. */
function placeOf({ path, pattern }: z.output<typeof input>): Place {
  const slashed = process.platform === 'win32' ? pattern.replaceAll('\\', '/') : pattern;
  if (!isAbsolute(slashed) && !/^(\.\.|~)(\/|$)/.test(slashed)) return { folder: path, pattern };
  const special = slashed.search(/[*?[{]/);
  const end = slashed.lastIndexOf('/', special < 0 ? slashed.length : special);
  const folder = slashed.slice(0, Math.max(1, end));
  const relativeTo = isAbsolute(slashed) || slashed.startsWith('~') || path === undefined ? '' : `${path}/`;
  return { folder: relativeTo + folder, pattern: slashed.slice(end + 1) };
}
