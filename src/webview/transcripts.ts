import * as vscode from 'vscode';
import * as z from 'zod';
import type { AgentEvent } from '../agent/index.ts';
import type { PanelState, Snapshot } from './protocol.ts';
import { type PageParts, type ShownPage, showPage } from './shownPage.ts';
import { transcriptViewType } from './transcriptView.ts';

export type TranscriptParts = Pick<PageParts, 'extension' | 'calls' | 'snapshot' | 'report' | 'translate'> & {
  readonly nameOf: (agent: string) => string | undefined;
};

/** All that one agent does, in an editor of its own; live, and as long as its conversation is open. */
export type Transcripts = {
  open(agent: string): void;
  /** Takes over a panel that the editor kept over a reload. @param state what the page had saved */
  restore(panel: vscode.WebviewPanel, state: unknown): void;
  event(session: string, event: AgentEvent): void;
  state(state: PanelState): void;
  /** Another conversation takes the place of the one there was. */
  reset(snapshot: Snapshot): void;
};

type Shown = {
  readonly agent: string;
  readonly panel: vscode.WebviewPanel;
  readonly page: ShownPage;
  /** Empty until the page was there. */
  session: string;
  isWanted: (event: AgentEvent) => boolean;
};

const savedState = z.object({ agent: z.string().min(1).max(200), session: z.string().max(200) });

export function createTranscripts(parts: TranscriptParts): Transcripts {
  const { nameOf } = parts;
  const shown = new Set<Shown>();

  function show(agent: string, session: string, panel: vscode.WebviewPanel): void {
    const snapshot = async () => {
      const take = await parts.snapshot(agent);
      return () => {
        const whole = take();
        if (entry.session !== '' && entry.session !== whole.session) setTimeout(() => panel.dispose());
        entry.session = whole.session;
        entry.isWanted = eventsOf(agent);
        panel.title = nameOf(agent) ?? panel.title;
        return { ...whole, agent, events: whole.events.filter(entry.isWanted) };
      };
    };
    panel.iconPath = new vscode.ThemeIcon('type-hierarchy-sub');
    const page = showPage({ ...parts, webview: panel.webview, snapshot });
    const entry: Shown = { agent, panel, page, session, isWanted: () => false };
    shown.add(entry);
    const visibility = panel.onDidChangeViewState(() => {
      if (!panel.visible) page.hide();
    });
    panel.onDidDispose(() => {
      visibility.dispose();
      shown.delete(entry);
      page.hide();
    });
  }

  return {
    open(agent) {
      const there = [...shown].find((entry) => entry.agent === agent);
      if (there) return there.panel.reveal();
      const title = nameOf(agent) ?? agent;
      const options = { enableFindWidget: true };
      show(agent, '', vscode.window.createWebviewPanel(transcriptViewType, title, vscode.ViewColumn.Active, options));
    },
    restore(panel, state) {
      const saved = savedState.safeParse(state);
      if (saved.success) show(saved.data.agent, saved.data.session, panel);
      else panel.dispose();
    },
    event(session, event) {
      for (const entry of shown) {
        if (entry.session === session && entry.isWanted(event)) entry.page.event(session, event);
      }
    },
    state(state) {
      for (const { page } of shown) page.state(state);
    },
    reset({ session }) {
      for (const { panel, session: own } of [...shown]) if (own !== session) panel.dispose();
    },
  };
}

/** Passes what an agent and all below it do; events must come in order. */
function eventsOf(agent: string): (event: AgentEvent) => boolean {
  const members = new Set([agent]);
  return (event) => {
    if (event.type === 'session-start' || members.has(event.agent)) return true;
    if (event.parent === null || !members.has(event.parent)) return false;
    members.add(event.agent);
    return true;
  };
}
