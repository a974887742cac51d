import * as z from 'zod';
import type { TextQuery } from '../host.ts';
import { searchAll, searchPlaces } from './searchPlaces.ts';
import { defineTool, type ToolResult } from './tool.ts';
import { searchVisible, visiblePaths } from './visible.ts';

const defaultLimit = 250;
const maxLimit = 20_000;
const maxChars = 10_000;

const context = z.int().min(0).max(100).optional();

const input = z.strictObject({
  pattern: z.string().min(1).describe('Regular expression'),
  path: z.string().optional().describe('File or folder; default: the workspace'),
  glob: z.string().optional().describe('Filter, e.g. *.{ts,tsx}'),
  type: z.string().regex(/^\w+$/).optional().describe('File type, e.g. js, py, rust'),
  output_mode: z.enum(['content', 'files_with_matches', 'count']).optional().describe('Default: files_with_matches'),
  '-A': context,
  '-B': context,
  '-C': context,
  '-n': z.boolean().optional().describe('Line numbers, default true'),
  '-i': z.boolean().optional(),
  multiline: z.boolean().optional().describe('. matches line ends'),
  head_limit: z.int().min(0).optional().describe('Lines of output; default 250, 0: as many as fit'),
});

export const grepTool = defineTool({
  name: 'Grep',
  description: 'Searches file contents with ripgrep; -A, -B, -C, -i as there. Files ignored by git are left out.',
  input,
  effect: 'read',
  isConcurrent: true,
  summarize: ({ pattern, path }) => `Grep ${JSON.stringify(pattern)}${path === undefined ? '' : ` ${path}`}`,
  paths: ({ path }) => (path === undefined ? [] : [path]),
  async run(call, toolContext) {
    const places = await searchPlaces(call.path, toolContext);
    const wanted = call.head_limit ?? defaultLimit;
    const limit = wanted === 0 ? maxLimit : Math.min(wanted, maxLimit);
    const query = toQuery(call);
    const search = (wanted: typeof query, where: readonly string[], most: number) =>
      searchAll(where, most, toolContext, (path, left) =>
        toolContext.host.search.text({ ...wanted, path, limit: left }, toolContext.signal),
      );
    const list = async () => {
      const found = await search({ ...query, mode: 'files_with_matches' }, places, maxLimit);
      return visiblePaths(found.lines, toolContext);
    };
    if (query.mode === 'files_with_matches' && toolContext.isHidden) {
      const files = await list();
      return present(files.slice(0, limit), files.length > limit, query);
    }
    const found = await searchVisible(places, toolContext, list, (where) => search(query, where, limit));
    return present(found.lines, found.isTruncated, query);
  },
});

function toQuery(call: z.output<typeof input>): Omit<TextQuery, 'path' | 'limit'> {
  return {
    pattern: call.pattern,
    ...(call.glob !== undefined && { glob: call.glob }),
    ...(call.type !== undefined && { fileType: call.type }),
    mode: call.output_mode ?? 'files_with_matches',
    before: call['-B'] ?? call['-C'] ?? 0,
    after: call['-A'] ?? call['-C'] ?? 0,
    lineNumbers: call['-n'] ?? true,
    ignoreCase: call['-i'] ?? false,
    multiline: call.multiline ?? false,
  };
}

function present(lines: readonly string[], isCut: boolean, query: Omit<TextQuery, 'path' | 'limit'>): ToolResult {
  if (lines.length === 0) return { content: 'No matches.', summary: 'no matches' };
  let chars = 0;
  let count = 0;
  for (const line of lines) {
    chars += line.length + 1;
    if (chars > maxChars && count > 0) break;
    count++;
  }
  const isTruncated = isCut || count < lines.length;
  const body = lines.slice(0, count).join('\n');
  const note = `\n(Only the first ${count} lines. Narrow the pattern, path or glob, or use another output_mode.)`;
  return { content: isTruncated ? body + note : body, summary: summarize(lines.slice(0, count), isTruncated, query) };
}

function summarize(lines: readonly string[], isTruncated: boolean, query: Omit<TextQuery, 'path' | 'limit'>): string {
  const more = isTruncated ? '+' : '';
  if (query.mode !== 'content') return `${lines.length}${more} ${lines.length === 1 ? 'file' : 'files'}`;
  const isPlain = query.before === 0 && query.after === 0;
  const unit = isPlain ? ['match', 'matches'] : ['line', 'lines'];
  return `${lines.length}${more} ${unit[lines.length === 1 ? 0 : 1]}`;
}
