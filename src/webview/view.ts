import * as vscode from 'vscode';
import type { AgentEvent } from '../agent/index.ts';
import type { HistoryHits, HistoryView, PanelState, Snapshot } from './protocol.ts';
import { type PageParts, type ShownPage, showPage } from './shownPage.ts';

export type SidebarParts = Pick<PageParts, 'extension' | 'calls' | 'snapshot' | 'report' | 'translate'>;

/** The sidebar's view: shows the page, checks what it says, and tells it what happens. */
export type Sidebar = {
  resolve(view: vscode.WebviewView): void;
  event(session: string, event: AgentEvent): void;
  state(state: PanelState): void;
  reset(snapshot: Snapshot): void;
  /** Shows the list of conversations; undefined: closes it. A page that is not there yet gets it when it is. */
  history(view: HistoryView | undefined): void;
  historyHits(hits: HistoryHits): void;
  /** Opens the view and puts the cursor into the composer. */
  focus(): Promise<void>;
  prefill(text: string): void;
  setBadge(badge: vscode.ViewBadge | undefined): void;
};

type Opened = { readonly view: vscode.WebviewView; readonly page: ShownPage };

export function createSidebar(parts: SidebarParts): Sidebar {
  let opened: Opened | undefined;
  let badge: vscode.ViewBadge | undefined;
  let wantsFocus = false;
  let wantedHistory: HistoryView | undefined;

  return {
    resolve(view) {
      const onListening = () => {
        if (wantsFocus) page.focus();
        if (wantedHistory) page.history(wantedHistory);
        wantsFocus = false;
      };
      const page = showPage({ ...parts, webview: view.webview, onListening });
      const shown: Opened = { view, page };
      opened = shown;
      view.badge = badge;
      const hidden = view.onDidChangeVisibility(() => {
        if (!view.visible) page.hide();
      });
      view.onDidDispose(() => {
        hidden.dispose();
        if (opened === shown) opened = undefined;
      });
    },
    event: (session, event) => opened?.page.event(session, event),
    state: (state) => opened?.page.state(state),
    reset: (snapshot) => opened?.page.reset(snapshot),
    history(view) {
      wantedHistory = view;
      opened?.page.history(view);
    },
    historyHits: (hits) => opened?.page.historyHits(hits),
    async focus() {
      wantsFocus = opened?.page.isListening !== true;
      await vscode.commands.executeCommand('offshoot.sidebar.focus');
      opened?.page.focus();
    },
    prefill: (text) => opened?.page.prefill(text),
    setBadge(next) {
      badge = next;
      if (opened) opened.view.badge = next;
    },
  };
}
