import * as vscode from 'vscode';
import type { Conversation } from '../conversation/contract.ts';
import { openMarkdown } from '../documents/openMarkdown.ts';
import { describeSpawn } from './describeSpawn.ts';

/** What the user does with one agent, from the page or from the palette. */
export type AgentActions = {
  pause(agent: string): void;
  /** @param instruction takes the place of its instruction; empty: it stays */
  resume(agent: string, instruction: string): void;
  tell(agent: string, message: string): Promise<void>;
  detach(agent: string): void;
  /** @throws Error for people */
  retry(agent: string): Promise<void>;
  /** Shows what `retry` would start. @throws Error for people */
  plan(agent: string): Promise<void>;
};

export function createAgentActions(conversation: Conversation): AgentActions {
  const nameOf = (agent: string) => conversation.agents().find(({ id }) => id === agent)?.name ?? agent;
  return {
    pause: (agent) => conversation.controls()?.pause(agent),
    resume: (agent, instruction) => conversation.controls()?.resume(agent, instruction),
    async tell(agent, message) {
      if (message.trim() === '' || conversation.controls()?.tell(agent, message)) return;
      await vscode.window.showInformationMessage(
        vscode.l10n.t('{0} has ended, so it was not told. Ask the lead to let it go on.', nameOf(agent)),
      );
    },
    detach: (agent) => void conversation.controls()?.detach(agent),
    async plan(agent) {
      const known = conversation.agents().find(({ id }) => id === agent);
      if (!known) return;
      const preview = await conversation.previewSpawn({
        description: known.description,
        prompt: known.prompt,
        subagent_type: known.type,
      });
      await openMarkdown(describeSpawn(preview, vscode.l10n.t));
    },
    retry: async (agent) => conversation.controls()?.retry(agent),
  };
}
