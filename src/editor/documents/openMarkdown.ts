import * as vscode from 'vscode';

/** Opens a new document, which can be saved. */
export async function openMarkdown(content: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ language: 'markdown', content });
  await vscode.window.showTextDocument(document, { preview: false });
}
