import * as vscode from 'vscode';

/** The part of the git extension's interface that is used. */
type GitExtension = { getAPI(version: 1): { readonly git: { readonly path: string } } };

/** The git that the editor itself uses; undefined where its extension is missing, turned off, or found none. */
export async function findEditorGit(): Promise<string | undefined> {
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  if (!extension) return undefined;
  try {
    const git = extension.isActive ? extension.exports : await extension.activate();
    return git.getAPI(1).git.path;
  } catch {
    // The interface is refused while `git.enabled` is off; the one on PATH will do.
    return undefined;
  }
}
