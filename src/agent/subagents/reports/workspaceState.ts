import { createHash } from 'node:crypto';
import { sep } from 'node:path';
import type { Files, GitState, Host, Workspace } from '../../host.ts';
import { isWithin } from '../../worktrees/isWithin.ts';

/** Folders outside of a repository are compared by their listing, up to so many files. */
const maxListedFiles = 5000;
const statsAtOnce = 64;

/**
 * One text for all that the folders of a workspace hold, as far as git would not ignore it: another content, another text.
 * undefined when that cannot be told.
 */
export async function workspaceState(
  host: Host,
  workspace: Workspace,
  signal: AbortSignal,
): Promise<string | undefined> {
  // Nothing is started in a folder that the user does not trust.
  if (!workspace.isTrusted) return undefined;
  const states: GitState[] = [];
  const texts: string[] = [];
  for (const root of workspace.roots) {
    if (states.some(({ top }) => isWithin(top, root))) continue;
    const state = await host.git.state(root, signal);
    if (state) states.push(state);
    const text = state ? state.fingerprint : await listingOf(host, root, signal);
    if (text === undefined) return undefined;
    texts.push(`${root}\0${text}`);
  }
  return texts.length === 0 ? undefined : texts.join('\0');
}

/** Of a file as agents see it, with what the user has not saved; of one that is no text, its size and time. */
export async function fileVersion(files: Files, path: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    return (await files.readText(path, signal)).version;
  } catch {
    const found = await files.stat(path, signal);
    return found && `${found.size} ${found.modifiedAt}`;
  }
}

async function listingOf(host: Host, root: string, signal: AbortSignal): Promise<string | undefined> {
  const query = { pattern: '**/*', path: root, limit: maxListedFiles };
  const { lines, isTruncated } = await host.search.files(query, signal);
  if (isTruncated) return undefined;
  const hash = createHash('sha256');
  for (let start = 0; start < lines.length; start += statsAtOnce) {
    const names = lines.slice(start, start + statsAtOnce);
    const stats = await Promise.all(names.map((name) => host.files.stat(`${root}${sep}${name}`, signal)));
    stats.forEach((found, index) => {
      hash.update(`${names[index]}\0${found?.kind}\0${found?.size}\0${found?.modifiedAt}\0`);
    });
  }
  return hash.digest('hex');
}
