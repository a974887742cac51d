import { homedir } from 'node:os';
import * as vscode from 'vscode';
import {
  createBroker,
  createRedactor,
  createWorktreeDesk,
  type Mode,
  openIndex,
  type RegisteredHooks,
} from '../agent/index.ts';
import { createTranscripts, type Transcripts } from '../webview/transcripts.ts';
import { createSidebar, type Sidebar } from '../webview/view.ts';
import { createAgentActions } from './agents/agentActions.ts';
import { createDefinitions } from './agents/definitions.ts';
import { createPermissions } from './asking/permissions.ts';
import { createQuestions } from './asking/questions.ts';
import { createCleanUp } from './cleanUp/cleanUp.ts';
import { type Commands, createCommands } from './commands.ts';
import { createConversation } from './conversation/conversation.ts';
import { createHistory } from './conversation/history/history.ts';
import { createEditorHost } from './host/host.ts';
import type { Log } from './log/log.ts';
import { describeEvent } from './log/logEvents.ts';
import { createPageCalls } from './pageCalls.ts';
import { createQueryView } from './query/queryView.ts';
import { createReviews } from './review/review.ts';
import type { TreeContent } from './rules/lazyTree.ts';
import type { RuleNode } from './rules/ruleNodes.ts';
import { createRules } from './rules/rules.ts';
import { createProviders } from './settings/providers.ts';
import { createSecrets } from './settings/secrets.ts';
import { createSettings } from './settings/settings.ts';
import { createStart } from './start.ts';
import { createStatusBar, waitingText } from './statusBar.ts';
import { createWorktreeViews } from './worktrees/worktreeViews.ts';

const leadId = 'lead';

export type Composition = {
  readonly sidebar: Sidebar;
  readonly transcripts: Transcripts;
  readonly commands: Commands;
  readonly rules: TreeContent<RuleNode>;
  close(): Promise<void>;
};

/** Everything that is needed once Offshoot is used: the agent's core and the parts of the editor around it. */
export function compose(context: vscode.ExtensionContext, log: Log, registeredHooks: RegisteredHooks): Composition {
  const { subscriptions, extensionUri, globalStorageUri, workspaceState } = context;
  const report = (text: string, cause?: unknown) => log.error(text, cause);

  const settings = createSettings((problem) => {
    log.warn(problem);
    void vscode.window.showWarningMessage(problem);
  });
  const secrets = createSecrets(context.secrets, process.env);
  const prompt = () => settings.read()['permissions.prompt'];
  const permissions = createPermissions({
    preference: prompt,
    report,
    explain: (question) => rules.explain(question),
    showAll: () => sidebar.focus(),
  });
  const questions = createQuestions(prompt);
  const reviews = createReviews(report);
  const statusBar = createStatusBar();
  const definitions = createDefinitions({ home: homedir(), report });
  subscriptions.push(reviews, statusBar, definitions);

  const host = createEditorHost({ permissions, reviews, questions });
  const broker = createBroker(host.prompts);
  const redactor = createRedactor();
  const providers = createProviders(settings, async () => {
    const key = await secrets.apiKey();
    redactor.learn(key);
    return key;
  });
  const stateDirectory = globalStorageUri.fsPath;
  const conversation = createConversation({
    host,
    broker,
    settings,
    providers,
    definitions,
    memory: workspaceState,
    stateDirectory,
    registeredHooks,
    redactor,
    log,
  });
  const focus = () => sidebar.focus();
  const start = createStart({
    conversation,
    settings,
    secrets,
    search: host.search,
    focus,
    prefill: (text) => sidebar.prefill(text),
    report,
  });
  subscriptions.push(start);
  const index = openIndex({ stateDirectory, onNotice: log.warn });
  const history = createHistory({
    conversation,
    stateDirectory,
    index,
    show: (view) => sidebar.history(view),
    showHits: (hits) => sidebar.historyHits(hits),
    report,
  });
  const query = createQueryView({
    extension: extensionUri,
    index,
    stateDirectory,
    async openConversation(session, agent) {
      if (!(await history.open(session, false))) return;
      await sidebar.focus();
      if (agent !== leadId) transcripts.open(agent);
    },
    report,
  });
  const cleanUp = createCleanUp({
    stateDirectory,
    retentionDays: () => settings.read()['store.retentionDays'],
    current: () => conversation.current(),
    log,
  });
  subscriptions.push(history, query, cleanUp);
  let mode: Mode = settings.read()['permissions.mode'];
  const { current: session } = conversation;
  const rules = createRules({ broker, settings, stateDirectory, session, mode: () => mode, report });
  subscriptions.push(rules);
  const worktrees = createWorktreeViews(createWorktreeDesk(host.worktrees, stateDirectory), report);
  subscriptions.push(worktrees);
  const actions = createAgentActions(conversation);
  const openTranscript = (agent: string) => transcripts.open(agent);
  const calls = createPageCalls({
    conversation,
    permissions,
    explain: rules.explain,
    questions,
    reviews,
    start,
    history,
    stateDirectory,
    agents: actions,
    openTranscript,
    prefill: (text) => sidebar.prefill(text),
    showLogs: log.show,
    report,
  });
  const page = { extension: extensionUri, calls, snapshot: conversation.snapshot, report };
  const sidebar = createSidebar(page);
  const nameOf = (agent: string) => conversation.agents().find(({ id }) => id === agent)?.name;
  const transcripts = createTranscripts({ ...page, nameOf });

  const showAttention = () => {
    const attention = conversation.attention();
    statusBar.show(attention);
    const { waiting } = attention;
    sidebar.setBadge(waiting > 0 ? { value: waiting, tooltip: waitingText(waiting) } : undefined);
  };
  const refresh = () =>
    void conversation.refresh().catch((error) => report('The sidebar could not be brought up to date', error));
  subscriptions.push(
    conversation.subscribe({
      event(session, event) {
        const line = describeEvent(event);
        if (line !== undefined) log.info(line);
        if (event.type === 'permission-decide') rules.refresh();
        sidebar.event(session, event);
        transcripts.event(session, event);
      },
      state(state) {
        mode = state.mode;
        sidebar.state(state);
        transcripts.state(state);
        void vscode.commands.executeCommand('setContext', 'offshoot.isRunning', state.isRunning);
      },
      reset(snapshot) {
        rules.refresh();
        sidebar.reset(snapshot);
        transcripts.reset(snapshot);
      },
      attention: showAttention,
    }),
    settings.onDidChange(refresh),
    secrets.onDidChange(refresh),
    vscode.workspace.onDidGrantWorkspaceTrust(refresh),
    vscode.workspace.onDidChangeWorkspaceFolders(refresh),
  );
  return {
    sidebar,
    transcripts,
    rules: rules.tree,
    commands: createCommands({
      conversation,
      rules,
      definitions,
      actions,
      openTranscript,
      reviews,
      start,
      history,
      query,
      cleanUp,
      worktrees,
      focus,
      log,
    }),
    close: async () => {
      await Promise.all([conversation.close(), index.close()]);
    },
  };
}
