import * as vscode from 'vscode';
import { type AgentCommandParts, createAgentCommands } from './agents/agentCommands.ts';
import type { Definitions } from './agents/definitions.ts';
import { previewSpawn } from './agents/previewSpawn.ts';
import type { CleanUp } from './cleanUp/cleanUp.ts';
import type { CommandName } from './commandNames.ts';
import { createHistoryCommands, type HistoryCommandParts } from './conversation/history/commands.ts';
import type { Log } from './log/log.ts';
import type { QueryView } from './query/queryView.ts';
import type { Reviews } from './review/review.ts';
import type { Rules } from './rules/rules.ts';
import { toThoroughness } from './start/explore.ts';
import type { Start } from './start.ts';
import type { WorktreeViews } from './worktrees/worktreeViews.ts';

export type CommandParts = AgentCommandParts &
  HistoryCommandParts & {
    readonly definitions: Pick<Definitions, 'current' | 'settled'>;
    readonly reviews: Reviews;
    readonly rules: Rules;
    readonly start: Start;
    readonly focus: () => Promise<void>;
    readonly query: QueryView;
    readonly cleanUp: CleanUp;
    readonly worktrees: WorktreeViews;
    readonly log: Log;
  };

export type Commands = Readonly<Record<CommandName, (argument: unknown) => Promise<void>>>;

export function createCommands(parts: CommandParts): Commands {
  const { conversation, definitions, reviews, start, focus, log } = parts;
  return {
    ...createAgentCommands(parts),
    ...createHistoryCommands(parts),
    explore: (thoroughness) => start.explore(toThoroughness(thoroughness)),
    async newChat() {
      await conversation.newChat();
      await focus();
    },
    compact: () => conversation.compact(),
    previewSpawn: () => previewSpawn(conversation, definitions),
    async stop() {
      conversation.stop();
    },
    focus,
    queryHistory: async () => parts.query.show(),
    cleanUp: () => parts.cleanUp.ask(),
    worktrees: () => parts.worktrees.show(),
    setApiKey: () => start.setApiKey(),
    testRule: () => parts.rules.test(),
    revokeRule: (node) => parts.rules.revoke(node),
    openRule: (node) => parts.rules.open(node),
    exportAudit: () => parts.rules.exportAudit(),
    acceptEdit: (place) => decide(reviews, place, 'accept'),
    rejectEdit: (place) => decide(reviews, place, 'reject'),
    async showLogs() {
      log.show();
    },
  };
}

/** @param place the right side of a diff, as the editor's title passes it */
async function decide(reviews: Reviews, place: unknown, decision: 'accept' | 'reject'): Promise<void> {
  const id = reviews.at(place instanceof vscode.Uri ? place : undefined);
  if (id !== undefined && reviews.decide(id, decision, '')) return;
  await vscode.window.showInformationMessage(
    vscode.l10n.t('There is no proposed edit in this editor. Open one from the sidebar.'),
  );
}
