import * as z from 'zod';
import { describeAmendment } from './amendment.ts';
import { readExisting, rejected, requireRead } from './fileAccess.ts';
import { type Replacement, replaceIn } from './replace.ts';
import { defineTool, ToolError } from './tool.ts';

const maxListedLines = 20;

export const editTool = defineTool({
  name: 'Edit',
  description:
    'Replaces text in a file that you have read. `old_string` must be exact, without line numbers, and occur once, unless `replace_all`.',
  input: z.strictObject({
    file_path: z.string(),
    old_string: z.string(),
    new_string: z.string(),
    replace_all: z.boolean().optional(),
  }),
  effect: 'edit',
  isConcurrent: false,
  summarize: ({ file_path }) => `Edit ${file_path}`,
  paths: ({ file_path }) => [file_path],
  async run(input, context) {
    if (input.old_string === '')
      throw new ToolError('`old_string` is empty. Name the text to replace, or use Write for a new file.');
    if (input.old_string === input.new_string)
      throw new ToolError('`old_string` and `new_string` are the same. Nothing to change.');
    const path = await context.paths.resolve(input.file_path, 'write');
    const shown = context.paths.show(path);
    const file = await readExisting(path, context);
    requireRead(file, context);
    const replacement = replaceIn(file.text, input.old_string, input.new_string, input.replace_all ?? false);
    if (replacement.kind !== 'replaced') throw new ToolError(explainMiss(replacement, shown));
    if (replacement.text === file.text)
      throw new ToolError(`${shown} differs from \`new_string\` in line ends only; Edit keeps those.`);

    const outcome = await context.applyEdit(path, { text: file.text, version: file.version }, replacement.text);
    if (outcome.decision === 'reject') return rejected(path, outcome.reason, context);
    const places =
      replacement.lines.length === 1 ? `line ${replacement.lines[0]}` : `${replacement.lines.length} places`;
    const done = `Edited ${shown} at ${places}.`;
    return {
      content: outcome.isAmended ? `${done} ${describeAmendment(replacement.text, outcome.text)}` : done,
      summary: outcome.isAmended ? `${places}, changed by the user` : places,
    };
  },
});

function explainMiss(miss: Exclude<Replacement, { kind: 'replaced' }>, shown: string): string {
  if (miss.kind === 'absent') {
    return `\`old_string\` is not in ${shown}. ${miss.hint ?? 'Read the file again and copy the text exactly.'}`;
  }
  const listed = miss.lines.slice(0, maxListedLines).join(', ');
  const more = miss.lines.length > maxListedLines ? ', …' : '';
  return `\`old_string\` occurs ${miss.lines.length} times in ${shown} (lines ${listed}${more}). Add lines around it, or set \`replace_all\`.`;
}
