import * as vscode from 'vscode';
import type { HistoryIndex } from '../../agent/index.ts';
import { pageHtml } from '../../webview/html.ts';
import {
  type FromQueryPage,
  fromQueryPage,
  type PageQuery,
  type QueryAnswer,
  type ToQueryPage,
} from '../../webview/queryProtocol.ts';
import { messageOf } from '../language/inUserLanguage.ts';
import { answerQuery } from './answers.ts';
import { toCsv } from './csv.ts';

export type QueryViewParts = {
  readonly extension: vscode.Uri;
  readonly index: HistoryIndex;
  readonly stateDirectory: string;
  /** Shows a conversation, and in it an agent. @throws Error for people */
  readonly openConversation: (session: string, agent: string) => Promise<void>;
  readonly report: (text: string, cause?: unknown) => void;
};

export type QueryView = { show(): void; dispose(): void };

const shownRows = 500;
const exportedRows = 100_000;

/** Reports on all conversations, in an editor of its own. */
export function createQueryView(parts: QueryViewParts): QueryView {
  let panel: vscode.WebviewPanel | undefined;
  return {
    show() {
      if (panel) return panel.reveal();
      const title = vscode.l10n.t('Agent history');
      const made = vscode.window.createWebviewPanel('offshoot.query', title, vscode.ViewColumn.Active, {
        enableScripts: true,
        enableFindWidget: true,
        localResourceRoots: [vscode.Uri.joinPath(parts.extension, 'dist')],
      });
      panel = made;
      made.iconPath = new vscode.ThemeIcon('graph');
      const closing = serve(made.webview, parts);
      made.onDidDispose(() => {
        closing.abort();
        panel = undefined;
      });
    },
    dispose: () => panel?.dispose(),
  };
}

/** @returns aborted when nobody looks any more */
function serve(webview: vscode.Webview, parts: QueryViewParts): AbortController {
  const closing = new AbortController();
  const send = (message: ToQueryPage) => void webview.postMessage(message);
  let asking = new AbortController();
  webview.onDidReceiveMessage((raw: unknown) => {
    const message = fromQueryPage.safeParse(raw).data;
    if (!message) return parts.report('The page with reports sent something that is no message');
    if (message.type === 'ask') {
      asking.abort();
      asking = new AbortController();
    }
    void handle(message, parts, send, AbortSignal.any([closing.signal, asking.signal]), closing.signal);
  });
  webview.html = pageHtml(webview, parts.extension, 'query');
  return closing;
}

/** Never rejects. @param asking aborts when another question is asked */
async function handle(
  message: FromQueryPage,
  parts: QueryViewParts,
  send: (message: ToQueryPage) => void,
  asking: AbortSignal,
  closing: AbortSignal,
): Promise<void> {
  const signal = message.type === 'ask' ? asking : closing;
  try {
    switch (message.type) {
      case 'ready':
        return await sendFolders(parts, send, signal);
      case 'ask':
        return await answer(message.id, message.query, parts, send, signal);
      case 'export':
        return await exportCsv(message.query, parts, signal);
      case 'open':
        return await parts.openConversation(message.session, message.agent);
    }
  } catch (error) {
    if (signal.aborted) return;
    const text = messageOf(error);
    parts.report('A question about conversations was not answered', error);
    if (message.type === 'ask') send({ type: 'failed', id: message.id, message: text });
    else void vscode.window.showErrorMessage(text);
  }
}

/** What is known at once, then what the journals say beyond. */
async function answer(
  id: number,
  query: PageQuery,
  parts: QueryViewParts,
  send: (message: ToQueryPage) => void,
  signal: AbortSignal,
): Promise<void> {
  const tell = async (more: Omit<QueryAnswer, 'id' | 'report'>) => {
    const report = await answerQuery(parts, query, shownRows, signal);
    if (!signal.aborted) send({ type: 'answer', answer: { id, report, ...more } });
  };
  const updating = parts.index.update(signal);
  updating.catch(() => undefined);
  await tell({ isPreliminary: true, damagedLines: 0, unreadable: 0, unsearched: 0 });
  const { damagedLines, unreadable, unsearched } = await updating;
  await tell({ isPreliminary: false, damagedLines, unreadable: unreadable.length, unsearched });
  await sendFolders(parts, send, signal);
}

async function sendFolders(
  { index }: QueryViewParts,
  send: (message: ToQueryPage) => void,
  signal: AbortSignal,
): Promise<void> {
  const sessions = await index.sessions({}, signal);
  const folders = [...new Set(sessions.map(({ workspace }) => workspace))].filter((folder) => folder !== '').sort();
  send({ type: 'folders', folders });
}

async function exportCsv(query: PageQuery, parts: QueryViewParts, signal: AbortSignal): Promise<void> {
  const name = `offshoot-${query.kind === 'cost' ? `cost-${query.by}` : query.kind}.csv`;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const target = await vscode.window.showSaveDialog({
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, name) }),
    filters: { CSV: ['csv'] },
  });
  if (!target) return;
  await parts.index.update(signal);
  const report = await answerQuery(parts, query, exportedRows, signal);
  await vscode.workspace.fs.writeFile(target, Buffer.from(toCsv(report)));
  const open = vscode.l10n.t('Open');
  const count = report.rows.length;
  const said = vscode.l10n.t('{0} rows were written to {1}.', count, vscode.workspace.asRelativePath(target));
  if ((await vscode.window.showInformationMessage(said, open)) === open) await vscode.window.showTextDocument(target);
}
