import * as vscode from 'vscode';
import type { AgentEvent } from '../agent/index.ts';
import { createBatch } from './batch.ts';
import { connect, type Report } from './channel.ts';
import { pageHtml } from './html.ts';
import type { HistoryHits, HistoryView, HostFunctions, PanelState, Snapshot } from './protocol.ts';

export type PageParts = {
  readonly webview: vscode.Webview;
  readonly extension: vscode.Uri;
  readonly calls: Omit<HostFunctions, 'ready'>;
  /** Resolves to what takes the snapshot, at the moment in which the page begins to listen. */
  readonly snapshot: (agent?: string) => Promise<() => Snapshot>;
  /** The page listens now. */
  readonly onListening?: () => void;
  readonly report: Report;
  /** Puts what is shown of an event into the user's language; left out: it stays as it is. */
  readonly translate?: (event: AgentEvent) => AgentEvent;
};

/** A page in a webview. A hidden page is told nothing: it asks for everything when it is shown again. */
export type ShownPage = {
  readonly isListening: boolean;
  event(session: string, event: AgentEvent): void;
  state(state: PanelState): void;
  reset(snapshot: Snapshot): void;
  focus(): void;
  /** undefined: closed. */
  history(view: HistoryView | undefined): void;
  historyHits(hits: HistoryHits): void;
  prefill(text: string): void;
  hide(): void;
};

export function showPage(parts: PageParts): ShownPage {
  const { webview, extension, calls, snapshot, onListening, report, translate = (event) => event } = parts;
  let isListening = false;
  webview.options = {
    enableScripts: true,
    localResourceRoots: [vscode.Uri.joinPath(extension, 'dist'), vscode.Uri.joinPath(extension, 'media')],
  };
  const inWords = <Part extends Pick<Snapshot, 'events'>>(part: Part): Part => ({
    ...part,
    events: part.events.map(translate),
  });
  const readEarlier: HostFunctions['readEarlier'] = async (...asked) => inWords(await calls.readEarlier(...asked));
  const page = connect(webview, { ...calls, ready, readEarlier }, report);
  const batch = createBatch((session, events) => {
    if (isListening) page.events(session, events.map(translate));
  });

  async function ready(): Promise<Snapshot> {
    const take = await snapshot();
    // In one go: what has been collected is in the snapshot, what comes now is not.
    batch.clear();
    const taken = take();
    isListening = true;
    setTimeout(() => onListening?.());
    return inWords(taken);
  }

  webview.html = pageHtml(webview, extension);
  return {
    get isListening() {
      return isListening;
    },
    event(session, event) {
      if (isListening) batch.add(session, event);
    },
    state(state) {
      if (isListening) page.state(state);
    },
    reset(next) {
      batch.clear();
      if (isListening) page.reset(inWords(next));
    },
    focus() {
      if (isListening) page.focus();
    },
    history(view) {
      if (isListening) page.history(view ?? null);
    },
    historyHits(hits) {
      if (isListening) page.historyHits(hits);
    },
    prefill(text) {
      if (isListening) page.prefill(text);
    },
    hide() {
      isListening = false;
    },
  };
}
