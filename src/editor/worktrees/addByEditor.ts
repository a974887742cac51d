import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { type AddWorktree, addWorktree, isPlainRepository } from '../../agent/index.ts';
import { findGitApi, type GitApi } from '../host/git.ts';

const waitMs = 5_000;

/**
 * Makes a worktree through the editor's git extension, so that it stands in the Source Control view. The extension's git runs
 * what a repository configures (hooks, filters, monitors) and tasks that wait for a worktree; where there is any of that, git
 * is started without it instead, and the worktree stands in the list of its repository only.
 */
export const addByEditor: AddWorktree = async (main, place, signal) => {
  const api = vscode.workspace.isTrusted && (await runsNothing(main)) ? await findGitApi() : undefined;
  const repository = api && (await findRepository(api, main.path));
  if (!api || !repository?.createWorktree) return addWorktree(main, place, signal);
  const { path, branch, base: commitish } = place;
  const made = await repository.createWorktree({ path, branch, commitish, noTrack: true });
  if (made !== path) {
    await main.run(['worktree', 'remove', '--force', made], signal);
    await main.run(['update-ref', '-d', `refs/heads/${branch}`], signal);
    return addWorktree(main, place, signal);
  }
  // The agent does not wait for it to be shown.
  api.openRepository(vscode.Uri.file(path)).then(undefined, () => undefined);
};

async function findRepository(api: GitApi, path: string) {
  if (api.state !== 'initialized') {
    await new Promise<void>((resolve) => {
      const listener = api.onDidChangeState(() => done());
      const timer = setTimeout(() => done(), waitMs);
      const done = () => {
        listener.dispose();
        clearTimeout(timer);
        resolve();
      };
    });
  }
  const uri = vscode.Uri.file(path);
  return api.getRepository(uri) ?? (await api.openRepository(uri));
}

/** Neither the repository nor the workspace has anything that would start with a new worktree. */
async function runsNothing({ path, settings }: Parameters<AddWorktree>[0]): Promise<boolean> {
  // Also the user's own filters: a file that went through one would look changed to whoever does without.
  if (settings.some((setting) => setting.startsWith('filter.') && !setting.startsWith('filter.offshoot.')))
    return false;
  if (!(await isPlainRepository(path))) return false;
  const config = await readFile(join(path, '.git', 'config'), 'utf8').catch(() => undefined);
  const hooks = await readdir(join(path, '.git', 'hooks')).catch(() => []);
  const tasks = await readFile(join(path, '.vscode', 'tasks.json'), 'utf8').catch(() => '');
  return (
    config !== undefined &&
    !/hookspath/i.test(config) &&
    hooks.every((name) => name.endsWith('.sample')) &&
    !/worktree/i.test(tasks)
  );
}
