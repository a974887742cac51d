import * as z from 'zod';
import { FileError, type TextFile } from '../host.ts';
import { describeAmendment } from './amendment.ts';
import { explain, rejected, requireRead } from './fileAccess.ts';
import { dominantLineEnd, withLineEnd } from './lineEnds.ts';
import { defineTool, type ToolContext } from './tool.ts';

export const writeTool = defineTool({
  name: 'Write',
  description: 'Writes a whole file: a new one, or one that you have read. Prefer Edit for changes.',
  input: z.strictObject({ file_path: z.string(), content: z.string() }),
  effect: 'edit',
  isConcurrent: false,
  summarize: ({ file_path }) => `Write ${file_path}`,
  paths: ({ file_path }) => [file_path],
  async run(input, context) {
    const path = await context.paths.resolve(input.file_path, 'write');
    const shown = context.paths.show(path);
    const before = await readIfThere(path, context);
    if (before) requireRead(before, context);
    const after = before ? inStyleOf(before.text, input.content) : input.content;
    if (before?.text === after) return { content: `${shown} holds exactly this already.`, summary: 'unchanged' };

    const outcome = await context.applyEdit(path, before && { text: before.text, version: before.version }, after);
    if (outcome.decision === 'reject') return rejected(path, outcome.reason, context);
    const lines = outcome.text.split('\n').length - (outcome.text.endsWith('\n') ? 1 : 0);
    const done = `${before ? 'Replaced' : 'Created'} ${shown}.`;
    return {
      content: outcome.isAmended ? `${done} ${describeAmendment(after, outcome.text)}` : done,
      summary: `${lines} lines${outcome.isAmended ? ', changed by the user' : ''}`,
    };
  },
});

async function readIfThere(path: string, context: ToolContext): Promise<TextFile | undefined> {
  try {
    return await context.host.files.readText(path, context.signal);
  } catch (error) {
    if (error instanceof FileError && error.kind === 'not_found') return undefined;
    throw await explain(error, path, context);
  }
}

/** Models write line feeds; a file with other line ends keeps its own. */
function inStyleOf(before: string, content: string): string {
  return content.includes('\r') ? content : withLineEnd(content, dominantLineEnd(before));
}
