import * as vscode from 'vscode';
import { withBuiltIn } from '../../agent/index.ts';
import type { Conversation } from '../conversation/contract.ts';
import { openMarkdown } from '../documents/openMarkdown.ts';
import { messageOf } from '../language/inUserLanguage.ts';
import type { Definitions } from './definitions.ts';
import { describeSpawn } from './describeSpawn.ts';

/** Asks for an agent type and a task, and shows what a call with them would start. */
export async function previewSpawn(
  conversation: Pick<Conversation, 'previewSpawn'>,
  definitions: Pick<Definitions, 'current' | 'settled'>,
): Promise<void> {
  const title = vscode.l10n.t('Preview Agent Spawn');
  await definitions.settled();
  const types = withBuiltIn(definitions.current().definitions).map(({ name, description }) => ({
    label: name,
    detail: description,
  }));
  const type = await vscode.window.showQuickPick(types, { title, placeHolder: vscode.l10n.t('Which agent?') });
  if (!type) return;
  const prompt = await vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t('The task, as the lead would write it'),
    ignoreFocusOut: true,
  });
  if (prompt === undefined || prompt.trim() === '') return;
  try {
    const preview = await conversation.previewSpawn({ prompt, subagent_type: type.label });
    await openMarkdown(describeSpawn(preview, vscode.l10n.t));
  } catch (error) {
    await vscode.window.showErrorMessage(messageOf(error));
  }
}
