import * as vscode from 'vscode';
import type { HostFunctions } from '../webview/protocol.ts';
import type { AgentActions } from './agents/agentActions.ts';
import type { Permissions } from './asking/permissions.ts';
import type { Questions } from './asking/questions.ts';
import type { Conversation } from './conversation/contract.ts';
import { createHistoryCalls } from './conversation/history/calls.ts';
import type { History } from './conversation/history/history.ts';
import { openMarkdown } from './documents/openMarkdown.ts';
import { openPlace } from './documents/openPlace.ts';
import { messageOf } from './language/inUserLanguage.ts';
import { openChange } from './review/openChange.ts';
import type { Reviews } from './review/review.ts';
import type { Start } from './start.ts';

export type PageCallParts = {
  readonly conversation: Conversation;
  readonly permissions: Permissions;
  /** Shows why an open question is asked. */
  readonly explain: (question: string) => Promise<void>;
  readonly questions: Questions;
  readonly reviews: Reviews;
  readonly start: Start;
  readonly history: History;
  readonly stateDirectory: string;
  readonly agents: AgentActions;
  readonly openTranscript: (agent: string) => void;
  /** Puts a text into the composer. */
  readonly prefill: (text: string) => void;
  readonly showLogs: () => void;
  readonly report: (text: string, cause?: unknown) => void;
};

/** What the page may have done. Its arguments have been checked for form; whether they are allowed is checked here. */
export function createPageCalls(parts: PageCallParts): Omit<HostFunctions, 'ready'> {
  const { conversation, permissions, questions, reviews, start, agents, report } = parts;
  const run = (name: string, action: Promise<unknown>) =>
    void action.catch((error) => {
      report(`${name} failed`, error);
      void vscode.window.showErrorMessage(messageOf(error));
    });
  const expectOpen = (wasOpen: boolean, what: string) => {
    if (!wasOpen) report(`The page answered ${what} that is not open`);
  };

  return {
    ...createHistoryCalls({ ...parts, send: start.send, run }),
    send: (prompt) => run('Sending', start.send(prompt)),
    readEarlier: conversation.readEarlier,
    stop: (agent) => conversation.stop(agent ?? undefined),
    pause: (agent) => agents.pause(agent),
    resume: (agent, instruction) => agents.resume(agent, instruction),
    tell: (agent, message) => run('Telling an agent', agents.tell(agent, message)),
    detach: (agent) => agents.detach(agent),
    retry: (agent) => run('Trying again', agents.retry(agent)),
    planAgent: (agent) => run('Previewing', agents.plan(agent)),
    openTranscript: (agent) => parts.openTranscript(agent),
    cancelQueued: (index, prompt) => void conversation.controls()?.unqueue(index, prompt),
    editQueued(index, prompt) {
      if (conversation.controls()?.unqueue(index, prompt)) parts.prefill(prompt);
    },
    compact: () => run('Compacting', conversation.compact()),
    newChat: () => run('New chat', conversation.newChat()),
    setMode: (mode) => run('Changing the mode', setMode(conversation, mode)),
    setModel: (model) => run('Changing the model', conversation.setModel(model)),
    answerPermission: (id, decision, scope, reason) =>
      expectOpen(permissions.answer(id, decision, scope, reason), 'a permission question'),
    explainPermission: (id) => run('Explaining a question', parts.explain(id)),
    showEdit: (id) =>
      run(
        'Opening the diff',
        reviews.show(id).then((wasOpen) => expectOpen(wasOpen, 'a proposal')),
      ),
    decideEdit: (id, decision, reason) => expectOpen(reviews.decide(id, decision, reason), 'a proposal'),
    answerQuestion: (id, text) => expectOpen(questions.answer(id, text), 'a question'),
    openFile: (path, line) => run('Opening a file', openPlace(path, line)),
    openChange: (path) => run('Opening a change', openChange(path)),
    openLink: (address) => run('Opening an address', openLink(address)),
    copy: (text) => run('Copying', Promise.resolve(vscode.env.clipboard.writeText(text))),
    openAsDocument: (text) => run('Opening a document', openMarkdown(text)),
    start: (way) => run('Starting', start.by(way)),
    explore: () => run('Exploring', start.explore()),
    showLogs: () => parts.showLogs(),
  };
}

/** The page alone cannot switch all questions off. */
async function setMode(conversation: Conversation, mode: Parameters<Conversation['setMode']>[0]): Promise<void> {
  if (mode === 'bypassPermissions') {
    const confirm = vscode.l10n.t('Stop asking');
    const chosen = await vscode.window.showWarningMessage(
      vscode.l10n.t('Let the agents run commands and change files without asking?'),
      {
        modal: true,
        detail: vscode.l10n.t('Only protected files are still asked for. Use this where nothing can be lost.'),
      },
      confirm,
    );
    if (chosen !== confirm) return conversation.refresh();
  }
  await conversation.setMode(mode);
}

async function openLink(address: string): Promise<void> {
  const uri = vscode.Uri.parse(address, true);
  if (uri.scheme !== 'https' && uri.scheme !== 'http') {
    await vscode.window.showWarningMessage(vscode.l10n.t('Only web addresses are opened from here.'));
    return;
  }
  // The editor shows the address and asks before it leaves, unless the user trusts the place.
  await vscode.env.openExternal(uri);
}
