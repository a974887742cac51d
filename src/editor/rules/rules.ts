import { join } from 'node:path';
import * as vscode from 'vscode';
import {
  type Broker,
  createRuleBook,
  type Explanation,
  type ListedRule,
  type Mode,
  type RuleBook,
  reveal,
} from '../../agent/index.ts';
import { readWorkspace } from '../host/workspaceFolders.ts';
import type { EditorSettings } from '../settings/settings.ts';
import { showExplanation, testCalls } from './explanation.ts';
import { exportAudit } from './exportAudit.ts';
import type { TreeContent } from './lazyTree.ts';
import { type RuleNode, toItem, toNodes } from './ruleNodes.ts';

export type RulesParts = {
  readonly broker: Broker;
  readonly settings: EditorSettings;
  readonly stateDirectory: string;
  /** The session that shows. */
  readonly session: () => string | undefined;
  /** The mode that holds now. */
  readonly mode: () => Mode;
  readonly report: (text: string, cause?: unknown) => void;
};

/** The rules of this window: listed, taken back, and asked what they would say. */
export type Rules = {
  readonly tree: TreeContent<RuleNode>;
  /** Shows why an open question is asked; resolves when it is closed. */
  explain(question: string): Promise<void>;
  test(): Promise<void>;
  /** @param node of the list */
  revoke(node: unknown): Promise<void>;
  /** Shows where the rule of a node stands. */
  open(node: unknown): Promise<void>;
  /** Writes what was decided into a file. */
  exportAudit(): Promise<void>;
  /** Something about them may have changed. */
  refresh(): void;
  dispose(): void;
};

export function createRules(parts: RulesParts): Rules {
  const { broker, settings, stateDirectory, session, mode, report } = parts;
  const listeners = new Set<() => void>();
  /** Nodes that were given out, so that no command takes anything else. */
  let known: ReadonlySet<unknown> = new Set();

  async function book(): Promise<RuleBook> {
    const workspace = (await readWorkspace()) ?? { roots: [], isTrusted: false };
    return createRuleBook({ workspace, settings: settings.read, mode: mode(), stateDirectory, tell: report });
  }

  function refresh(): void {
    broker.recheck();
    for (const listener of listeners) listener();
  }

  async function readNodes(): Promise<readonly RuleNode[]> {
    const current = session() ?? '';
    const kept = await book();
    const [rules, hooks] = await Promise.all([kept.list(), kept.hooks.list()]);
    const nodes = toNodes({ rules, hooks, session: current, answers: broker.answers.list(current) });
    known = new Set(nodes.flatMap((node) => (node.kind === 'group' ? node.children : [])));
    return nodes;
  }

  const isNode = (node: unknown): node is RuleNode => known.has(node);

  async function revoke(node: unknown): Promise<void> {
    if (!isNode(node)) return;
    if (node.kind === 'session') {
      broker.answers.remove(node.session, node.answer);
      return offerUndo(reveal(node.answer.detail), async () => broker.answers.add(node.session, node.answer));
    }
    const kept = await book();
    if (node.kind === 'hooks') {
      const { approved } = node;
      return takeBack(
        reveal(approved.text),
        () => kept.hooks.remove(approved.hash),
        () => kept.hooks.add(approved),
      );
    }
    if (node.kind !== 'rule') return;
    const { text, source } = node.rule;
    if (source !== 'always' && source !== 'workspace') return;
    const rule = { text, scope: source };
    return takeBack(
      reveal(text),
      () => kept.forget(rule),
      () => kept.remember(rule),
    );
  }

  /** Nobody waits for whether it is undone. */
  async function takeBack(what: string, forget: () => Promise<void>, keep: () => Promise<void>): Promise<void> {
    await forget();
    refresh();
    const undo = async () => {
      await keep();
      refresh();
    };
    void offerUndo(what, undo).catch((error) => report('What was taken back could not be kept again', error));
  }

  const watched = [
    watch(new vscode.RelativePattern(vscode.Uri.file(stateDirectory), '{permissions,hooks}.json'), refresh),
    watch('**/.offshoot/settings.json', refresh),
    watch('**/.claude/{settings.json,settings.local.json}', refresh),
    settings.onDidChange(refresh),
    vscode.workspace.onDidGrantWorkspaceTrust(refresh),
    vscode.workspace.onDidChangeWorkspaceFolders(refresh),
  ];
  const endAnswers = broker.answers.onChange(() => {
    for (const listener of listeners) listener();
  });

  return {
    tree: {
      children: async (node) => (node === undefined ? readNodes() : node.kind === 'group' ? node.children : []),
      item(node) {
        const item = toItem(node);
        if (node.kind === 'rule')
          item.command = {
            command: 'offshoot.openRule',
            title: vscode.l10n.t('Show where it stands'),
            arguments: [node],
          };
        return item;
      },
      onChange: (listener) => void listeners.add(listener),
    },
    async explain(question) {
      const explanation = await broker.explain(question);
      const isOver = vscode.l10n.t('This question has been answered already.');
      if (!explanation) return void (await vscode.window.showInformationMessage(isOver));
      await showExplanation(explanation, (rule) => openSource(rule, stateDirectory));
    },
    async test() {
      const kept = await book();
      await testCalls(
        (text): Promise<Explanation> => kept.explain(text),
        (rule) => openSource(rule, stateDirectory),
      );
    },
    revoke,
    async open(node) {
      if (isNode(node) && node.kind === 'rule') await openSource(node.rule, stateDirectory);
    },
    exportAudit: () => exportAudit({ stateDirectory, session: session(), report }),
    refresh,
    dispose() {
      endAnswers();
      for (const each of watched) each.dispose();
    },
  };
}

async function offerUndo(what: string, undo: () => Promise<void>): Promise<void> {
  const button = vscode.l10n.t('Undo');
  const text = vscode.l10n.t(
    '{0} is asked about again, from the next call on.',
    what.length > 100 ? `${what.slice(0, 99)}…` : what,
  );
  if ((await vscode.window.showInformationMessage(text, button)) === button) await undo();
}

function watch(pattern: vscode.GlobPattern, listener: () => void): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher(pattern);
  watcher.onDidChange(listener);
  watcher.onDidCreate(listener);
  watcher.onDidDelete(listener);
  return watcher;
}

type Source = Pick<ListedRule, 'source' | 'file'> & { readonly list?: ListedRule['list'] };

/** Opens the file or the setting that a rule is from. */
async function openSource({ source, file, list }: Source, stateDirectory: string): Promise<void> {
  if (source === 'settings') {
    const query = list === undefined ? 'offshoot.permissions' : `@id:offshoot.permissions.${list}`;
    await vscode.commands.executeCommand('workbench.action.openSettings', query);
    return;
  }
  const path = file ?? join(stateDirectory, 'permissions.json');
  await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(path), { preview: true });
}
