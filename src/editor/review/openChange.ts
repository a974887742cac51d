import * as vscode from 'vscode';
import { findPlace, openPlace } from '../documents/openPlace.ts';

type Change = { readonly uri: vscode.Uri };
/** The part of the git extension's interface that is used. */
type GitExtension = {
  getAPI(version: 1): {
    getRepository(uri: vscode.Uri): { readonly state: { readonly workingTreeChanges: readonly Change[] } } | null;
  };
};

/** Shows how a file of the workspace differs from what git has of it; a file that git does not know is just opened. */
export async function openChange(path: string): Promise<void> {
  const place = await findPlace(path);
  if (place === undefined) return openPlace(path, null);
  const uri = vscode.Uri.file(place);
  if (isChanged(uri)) await vscode.commands.executeCommand('git.openChange', uri);
  else await openPlace(path, null);
}

function isChanged(uri: vscode.Uri): boolean {
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  if (!extension?.isActive) return false;
  try {
    const changes = extension.exports.getAPI(1).getRepository(uri)?.state.workingTreeChanges ?? [];
    return changes.some((change) => change.uri.fsPath === uri.fsPath);
  } catch {
    // The interface is refused while `git.enabled` is off.
    return false;
  }
}
