import * as vscode from 'vscode';
import { describeEvent } from '../log/logEvents.ts';
import { createStatusBar, waitingText } from '../statusBar.ts';
import type { Core } from './core.ts';
import type { Pages } from './pages.ts';
import type { Views } from './views.ts';

/** Shows wherever it is to be seen what becomes of the conversation, and tells it what becomes of the window. */
export function followConversation(core: Core, views: Views, { sidebar, transcripts }: Pages): vscode.Disposable {
  const { conversation, settings, secrets, log, report } = core;
  const { rules } = views;
  const statusBar = createStatusBar();
  const showAttention = () => {
    const attention = conversation.attention();
    statusBar.show(attention);
    const { waiting } = attention;
    sidebar.setBadge(waiting > 0 ? { value: waiting, tooltip: waitingText(waiting) } : undefined);
  };
  const refresh = () =>
    void conversation.refresh().catch((error) => report('The sidebar could not be brought up to date', error));
  return vscode.Disposable.from(
    statusBar,
    conversation.subscribe({
      event(session, event) {
        const line = describeEvent(event);
        if (line !== undefined) log.info(line);
        if (event.type === 'permission-decide') rules.refresh();
        sidebar.event(session, event);
        transcripts.event(session, event);
      },
      state(state) {
        views.setMode(state.mode);
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
}
