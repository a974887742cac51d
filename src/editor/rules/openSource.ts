import { join } from 'node:path';
import * as vscode from 'vscode';
import type { ListedRule } from '../../agent/index.ts';

export type RuleSource = Pick<ListedRule, 'source' | 'file'> & { readonly list?: ListedRule['list'] };

/** Opens the file or the setting that a rule is from. */
export async function openSource({ source, file, list }: RuleSource, stateDirectory: string): Promise<void> {
  if (source === 'settings') {
    const query = list === undefined ? 'offshoot.permissions' : `@id:offshoot.permissions.${list}`;
    await vscode.commands.executeCommand('workbench.action.openSettings', query);
    return;
  }
  const path = file ?? join(stateDirectory, 'permissions.json');
  await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(path), { preview: true });
}
