import * as vscode from 'vscode';

/** The part of the git extension's interface that is used; older versions have no worktrees. */
export type GitApi = {
  readonly git: { readonly path: string };
  readonly state: 'uninitialized' | 'initialized';
  readonly onDidChangeState: vscode.Event<unknown>;
  getRepository(uri: vscode.Uri): GitRepository | null;
  openRepository(uri: vscode.Uri): Promise<GitRepository | null>;
  toGitUri(uri: vscode.Uri, ref: string): vscode.Uri;
};
export type GitRepository = {
  readonly rootUri: vscode.Uri;
  createWorktree?(options: {
    readonly path: string;
    readonly commitish: string;
    readonly branch: string;
    readonly noTrack: boolean;
  }): Promise<string>;
};
type GitExtension = { getAPI(version: 1): GitApi };

/** The git that the editor itself uses; undefined where its extension is missing, turned off, or found none. */
export async function findEditorGit(): Promise<string | undefined> {
  return (await findGitApi())?.git.path;
}

export async function findGitApi(): Promise<GitApi | undefined> {
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  if (!extension) return undefined;
  try {
    const git = extension.isActive ? extension.exports : await extension.activate();
    return git.getAPI(1);
  } catch {
    // The interface is refused while `git.enabled` is off; the one on PATH will do.
    return undefined;
  }
}
