import { basename, dirname, extname, join } from 'node:path';
import { FileError, type TextFile } from '../host.ts';
import { type ToolContext, ToolError, type ToolResult } from './tool.ts';

/** @throws ToolError that says what may have been meant when the file is not there */
export async function readExisting(path: string, context: ToolContext): Promise<TextFile> {
  try {
    return await context.host.files.readText(path, context.signal);
  } catch (error) {
    throw await explain(error, path, context);
  }
}

/** The error as the model should see it, with the path as it is shown elsewhere. */
export async function explain(error: unknown, path: string, context: ToolContext): Promise<unknown> {
  if (!(error instanceof FileError)) return error;
  const shown = context.paths.show(path);
  if (error.kind === 'not_a_file') {
    const found = await context.host.files.stat(path, context.signal);
    if (found?.kind === 'directory') {
      return new ToolError(`${shown} is a folder. List it with Glob (\`pattern\`: "*", \`path\`: "${shown}").`, {
        cause: error,
      });
    }
  }
  if (error.kind !== 'not_found') return error;
  const similar = await similarName(path, context);
  const advice = similar === undefined ? 'Find it with Glob.' : `Did you mean ${context.paths.show(similar)}?`;
  return new ToolError(`${shown} does not exist. ${advice}`, { cause: error });
}

async function similarName(path: string, context: ToolContext): Promise<string | undefined> {
  const folder = dirname(path);
  const entries = await context.host.files.list(folder, context.signal).catch(() => []);
  const wanted = basename(path).toLowerCase();
  const stem = basename(wanted, extname(wanted));
  const names = entries.map(({ name }) => name);
  const found =
    names.find((name) => name.toLowerCase() === wanted) ??
    names.find((name) => basename(name, extname(name)).toLowerCase() === stem);
  return found === undefined ? undefined : join(folder, found);
}

/** @throws ToolError unless this agent has seen the file as it is now */
export function requireRead(file: TextFile, context: ToolContext): void {
  const shown = context.paths.show(file.path);
  const seen = context.reads.versionOf(file.path);
  if (seen === undefined) throw new ToolError(`${shown} has not been read yet. Read it first, then change it.`);
  if (seen !== file.version) {
    throw new ToolError(`${shown} has changed since it was read. Read it again, then repeat the change.`);
  }
}

export function rejected(path: string, reason: string | undefined, context: ToolContext): ToolResult {
  const why = reason ? ` Reason: ${reason}` : ' Ask what they want, or go on without this change.';
  return {
    content: `The user rejected this change to ${context.paths.show(path)}; nothing was written.${why}`,
    summary: 'rejected',
    isError: true,
  };
}
