import { createTwoFilesPatch } from 'diff';

const maxChars = 4000;

/** What the user changed in a proposed text before it was written, for the model. */
export function describeAmendment(proposed: string, written: string): string {
  const head = 'The user changed the text before it was written';
  const patch = createTwoFilesPatch('proposed', 'written', proposed, written, '', '', { context: 1, timeout: 500 });
  if (patch === undefined) return `${head}. Read the file before you change it again.`;
  const body = patch.slice(patch.indexOf('@@'));
  if (body.length <= maxChars) return `${head}:\n${body}`;
  return `${head}:\n${body.slice(0, maxChars)}\n[… cut: read the file for the rest]`;
}
