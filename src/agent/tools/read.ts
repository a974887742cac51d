import { extname } from 'node:path';
import * as z from 'zod';
import type { ImageBlock } from '../messages/types.ts';
import { explain, readExisting } from './fileAccess.ts';
import { toLineFeeds } from './lineEnds.ts';
import { defineTool, type ToolContext, type ToolResult } from './tool.ts';

const maxLines = 2000;
const maxChars = 40_000;
const maxLineChars = 2000;
const maxImageBytes = 5 * 1024 * 1024;

const imageTypes: Readonly<Record<string, ImageBlock['source']['media_type']>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
};

export const readTool = defineTool({
  name: 'Read',
  description:
    'Reads a text file or an image (png, jpg, gif, webp). Text comes as `number<TAB>line`, at most 2,000 lines per call. Paths are relative to the workspace or absolute.',
  input: z.strictObject({
    file_path: z.string(),
    offset: z.int().min(1).optional().describe('First line, from 1'),
    limit: z.int().min(1).optional().describe('Number of lines'),
  }),
  effect: 'read',
  isConcurrent: true,
  summarize: ({ file_path, offset }) => `Read ${file_path}${offset === undefined ? '' : ` from line ${offset}`}`,
  paths: ({ file_path }) => [file_path],
  async run(input, context) {
    const path = await context.paths.resolve(input.file_path, 'read');
    const mediaType = imageTypes[extname(path).toLowerCase()];
    if (mediaType !== undefined) return readImage(path, mediaType, context);
    const file = await readExisting(path, context);
    context.reads.record(path, file.version);
    return { ...showLines(file.text, input.offset ?? 1, input.limit ?? maxLines), filesRead: [path] };
  },
});

async function readImage(
  path: string,
  mediaType: ImageBlock['source']['media_type'],
  context: ToolContext,
): Promise<ToolResult> {
  try {
    const bytes = await context.host.files.readBytes(path, maxImageBytes, context.signal);
    const data = Buffer.from(bytes).toString('base64');
    const image: ImageBlock = { type: 'image', source: { type: 'base64', media_type: mediaType, data } };
    return { content: [image], summary: `image, ${Math.ceil(bytes.length / 1024)} kB`, filesRead: [path] };
  } catch (error) {
    throw await explain(error, path, context);
  }
}

function showLines(text: string, first: number, limit: number): ToolResult {
  if (text === '') return { content: '(The file is empty.)', summary: 'empty' };
  const normal = toLineFeeds(text);
  const shown: string[] = [];
  const last = first + Math.min(limit, maxLines) - 1;
  let chars = 0;
  let line = 0;
  let isFull = false;
  for (let start = 0; start < normal.length; ) {
    const found = normal.indexOf('\n', start);
    const end = found < 0 ? normal.length : found;
    line++;
    if (line >= first && line <= last && !isFull) {
      const row = `${line}\t${cut(normal.slice(start, end))}`;
      isFull = shown.length > 0 && chars + row.length > maxChars;
      if (!isFull) shown.push(row);
      chars += row.length + 1;
    }
    start = end + 1;
  }
  return describe(shown, first, line);
}

function describe(shown: readonly string[], first: number, total: number): ToolResult {
  if (shown.length === 0) {
    return {
      content: `The file has ${total} lines; line ${first} is past its end.`,
      summary: 'past the end',
      isError: true,
    };
  }
  const last = first + shown.length - 1;
  const body = shown.join('\n');
  if (last === total) return { content: body, summary: first === 1 ? count(total) : `lines ${first}–${last}` };
  const note = `(Lines ${first}–${last} of ${total}. Go on with offset ${last + 1}.)`;
  return { content: `${body}\n\n${note}`, summary: `lines ${first}–${last} of ${total}` };
}

function count(lines: number): string {
  return lines === 1 ? '1 line' : `${lines} lines`;
}

function cut(line: string): string {
  if (line.length <= maxLineChars) return line;
  return `${line.slice(0, maxLineChars)}… [${line.length - maxLineChars} more characters]`;
}
