import { join } from 'node:path';
import { FileError, type Files, type Workspace } from '../host.ts';

const maxChars = 30_000;
const names = ['AGENTS.md', 'CLAUDE.md'];

/** What a trusted workspace tells agents about itself: the first of AGENTS.md and CLAUDE.md in each folder. */
export async function readInstructions(files: Files, workspace: Workspace, signal: AbortSignal): Promise<string> {
  if (!workspace.isTrusted) return '';
  const texts = await Promise.all(workspace.roots.map((root) => readFirst(files, root, signal)));
  return texts.filter((text) => text !== '').join('\n\n');
}

async function readFirst(files: Files, root: string, signal: AbortSignal): Promise<string> {
  for (const name of names) {
    try {
      const { text } = await files.readText(join(root, name), signal);
      const cut =
        text.length > maxChars ? `${text.slice(0, maxChars)}\n[${name} goes on; read it for the rest.]` : text;
      return `From ${name}:\n${cut.trim()}`;
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
    }
  }
  return '';
}
