import type * as vscode from 'vscode';
import type { RegisteredHooks } from '../agent/index.ts';
import type { Transcripts } from '../webview/transcripts.ts';
import type { Sidebar } from '../webview/view.ts';
import { type Commands, createCommands } from './commands.ts';
import { createCore } from './compose/core.ts';
import { followConversation } from './compose/followConversation.ts';
import { createPages } from './compose/pages.ts';
import { createViews, type PageAccess } from './compose/views.ts';
import type { Log } from './log/log.ts';
import type { TreeContent } from './rules/lazyTree.ts';
import type { RuleNode } from './rules/ruleNodes.ts';

export type Composition = {
  readonly sidebar: Sidebar;
  readonly transcripts: Transcripts;
  readonly commands: Commands;
  readonly rules: TreeContent<RuleNode>;
  close(): Promise<void>;
};

/** Everything that is needed once Offshoot is used: the agent's core and the parts of the editor around it. */
export function compose(context: vscode.ExtensionContext, log: Log, registeredHooks: RegisteredHooks): Composition {
  const access: PageAccess = {
    focus: () => pages.sidebar.focus(),
    prefill: (text) => pages.sidebar.prefill(text),
    showHistory: (view) => pages.sidebar.history(view),
    showHits: (hits) => pages.sidebar.historyHits(hits),
    openTranscript: (agent) => pages.transcripts.open(agent),
  };
  const explain = (question: string) => views.rules.explain(question);
  const core = createCore({ context, log, registeredHooks, explain, showAll: access.focus });
  const views = createViews(core, access);
  const pages = createPages(core, views, access);
  context.subscriptions.push(followConversation(core, views, pages));
  const { sidebar, transcripts, actions } = pages;
  const { conversation } = core;
  return {
    sidebar,
    transcripts,
    rules: views.rules.tree,
    commands: createCommands({ ...core, ...views, ...access, actions }),
    close: async () => {
      await Promise.all([conversation.close(), views.index.close()]);
    },
  };
}
