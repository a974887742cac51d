import * as vscode from 'vscode';
import type { CommandName } from '../commandNames.ts';
import type { Conversation } from '../conversation/contract.ts';
import type { AgentSummary } from '../conversation/telling/agentList.ts';
import type { AgentActions } from './agentActions.ts';

export type AgentCommandName = Extract<
  CommandName,
  'pauseAgent' | 'continueAgent' | 'detachAgent' | 'messageAgent' | 'retryAgent' | 'openTranscript'
>;

export type AgentCommandParts = {
  readonly conversation: Conversation;
  readonly actions: AgentActions;
  readonly openTranscript: (agent: string) => void;
};

/** Commands on one agent, which is asked for among those that fit. */
export function createAgentCommands({
  conversation,
  actions,
  openTranscript,
}: AgentCommandParts): Readonly<Record<AgentCommandName, () => Promise<void>>> {
  const pick = (title: string, fits: (agent: AgentSummary) => boolean) =>
    pickAgent(title, conversation.agents().filter(fits));
  const works = ({ hasEnded }: AgentSummary) => !hasEnded;
  const isToPause = (one: AgentSummary) => works(one) && one.state !== 'paused' && one.state !== 'pausing';

  return {
    async pauseAgent() {
      const agent = await pick(vscode.l10n.t('Pause Agent'), isToPause);
      if (agent) actions.pause(agent.id);
    },
    async continueAgent() {
      const agent = await pick(vscode.l10n.t('Continue Agent'), works);
      if (agent) actions.resume(agent.id, '');
    },
    async detachAgent() {
      const fits = (one: AgentSummary) => works(one) && !one.isBackground;
      const agent = await pick(vscode.l10n.t('Send Agent to Background'), fits);
      if (agent) actions.detach(agent.id);
    },
    async messageAgent() {
      const agent = await pick(vscode.l10n.t('Message Agent'), works);
      if (!agent) return;
      const prompt = vscode.l10n.t('{0} reads it before its next step.', agent.name);
      const message = await vscode.window.showInputBox({ title: vscode.l10n.t('Tell {0}…', agent.name), prompt });
      if (message !== undefined) await actions.tell(agent.id, message);
    },
    async retryAgent() {
      const fits = ({ state }: AgentSummary) => state === 'failed' || state === 'stopped' || state === 'limit_reached';
      const agent = await pick(vscode.l10n.t('Retry Agent'), fits);
      if (agent) await actions.retry(agent.id);
    },
    async openTranscript() {
      const agent = await pick(vscode.l10n.t('Open Agent Transcript'), () => true);
      if (agent) openTranscript(agent.id);
    },
  };
}

async function pickAgent(title: string, agents: readonly AgentSummary[]): Promise<AgentSummary | undefined> {
  if (agents.length === 0) {
    await vscode.window.showInformationMessage(vscode.l10n.t('There is no agent for that at the moment.'));
    return undefined;
  }
  const items = agents.map((agent) => ({
    label: agent.name,
    description: [agent.type, stateWord(agent)].join(' · '),
    detail: agent.description,
    agent,
  }));
  return (await vscode.window.showQuickPick(items, { title, placeHolder: vscode.l10n.t('Which agent?') }))?.agent;
}

function stateWord({ state, isBackground }: AgentSummary): string {
  switch (state) {
    case 'queued':
      return vscode.l10n.t('queued');
    case 'waiting_user':
      return vscode.l10n.t('waiting for you');
    case 'waiting_agents':
      return vscode.l10n.t('waiting for agents');
    case 'retrying':
      return vscode.l10n.t('retrying');
    case 'stalled':
      return vscode.l10n.t('stalled');
    case 'pausing':
      return vscode.l10n.t('pauses after this step');
    case 'paused':
      return vscode.l10n.t('paused');
    case 'running':
      return isBackground ? vscode.l10n.t('in the background') : vscode.l10n.t('running');
    case 'completed':
      return vscode.l10n.t('done');
    case 'cached':
      return vscode.l10n.t('done, earlier report');
    case 'failed':
      return vscode.l10n.t('failed');
    case 'stopped':
      return vscode.l10n.t('stopped');
    case 'limit_reached':
      return vscode.l10n.t('limit reached');
  }
}
