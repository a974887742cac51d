import * as vscode from 'vscode';
import type { Attention } from './asking/attention.ts';

/** Shown only while something goes on. */
export type StatusBar = { show(attention: Attention): void; dispose(): void };

export function createStatusBar(): StatusBar {
  const item = vscode.window.createStatusBarItem('offshoot.status', vscode.StatusBarAlignment.Left, 10);
  item.name = 'Offshoot';
  item.command = 'offshoot.focus';
  return {
    show({ working, waiting }) {
      if (working === 0 && waiting === 0) return item.hide();
      item.text = waiting > 0 ? `$(bell-dot) ${waitingText(waiting)}` : `$(loading~spin) ${workingText(working)}`;
      item.tooltip = `Offshoot: ${[workingText(working), ...(waiting > 0 ? [waitingText(waiting)] : [])].join(', ')}`;
      item.backgroundColor = waiting > 0 ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
      item.show();
    },
    dispose: () => item.dispose(),
  };
}

export function waitingText(count: number): string {
  return count === 1 ? vscode.l10n.t('1 waiting for you') : vscode.l10n.t('{0} waiting for you', count);
}

function workingText(count: number): string {
  return count === 1 ? vscode.l10n.t('1 agent at work') : vscode.l10n.t('{0} agents at work', count);
}
