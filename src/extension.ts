import * as vscode from 'vscode';
import { commandNames } from './editor/commandNames.ts';
import type { Composition } from './editor/compose.ts';
import { proposalScheme } from './editor/documents/schemes.ts';
import type { OffshootApi } from './editor/hooks/api.ts';
import { createHookRegistry } from './editor/hooks/registry.ts';
import { createLog } from './editor/log/log.ts';
import { tabsOf } from './editor/review/tabs.ts';
import { createLazyTree } from './editor/rules/lazyTree.ts';
import { transcriptViewType } from './webview/transcriptView.ts';

let close: (() => Promise<void>) | undefined;

/** Registers what the editor has to know; the agent is loaded when it is first used. */
export function activate(context: vscode.ExtensionContext): OffshootApi {
  const log = createLog();
  const hooks = createHookRegistry(context.extension.id);
  let composed: Promise<Composition> | undefined;
  const open = () => {
    composed ??= import('./editor/compose.ts').then(({ compose }) => compose(context, log, hooks.list));
    return composed;
  };
  const tree = createLazyTree(async () => (await open()).rules);
  close = async () => (await composed)?.close();

  context.subscriptions.push(
    log,
    vscode.window.registerWebviewViewProvider('offshoot.sidebar', {
      resolveWebviewView: async (view) => (await open()).sidebar.resolve(view),
    }),
    tree,
    vscode.window.registerTreeDataProvider('offshoot.rules', tree),
    vscode.window.registerWebviewPanelSerializer(transcriptViewType, {
      deserializeWebviewPanel: async (panel, state: unknown) => (await open()).transcripts.restore(panel, state),
    }),
    ...commandNames.map((name) =>
      vscode.commands.registerCommand(`offshoot.${name}`, async (argument: unknown) => {
        const { commands } = await open();
        await commands[name](argument);
      }),
    ),
  );
  // Diffs that the editor kept over a reload need somebody to close them.
  if (tabsOf(({ scheme }) => scheme === proposalScheme).length > 0) void open();
  return hooks.api;
}

export async function deactivate(): Promise<void> {
  await close?.();
}
