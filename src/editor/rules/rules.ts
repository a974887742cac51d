import * as vscode from 'vscode';
import { type Broker, createRuleBook, type Explanation, type Mode, type RuleBook } from '../../agent/index.ts';
import { watchFiles } from '../host/watchFiles.ts';
import { readWorkspace } from '../host/workspaceFolders.ts';
import type { EditorSettings } from '../settings/settings.ts';
import { showExplanation, testCalls } from './explanation.ts';
import { exportAudit } from './exportAudit.ts';
import type { TreeContent } from './lazyTree.ts';
import { openSource, type RuleSource } from './openSource.ts';
import { revoke } from './revoke.ts';
import { createRuleList } from './ruleList.ts';
import type { RuleNode } from './ruleNodes.ts';

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
  const { broker, stateDirectory, session, report } = parts;
  const book = () => openBook(parts);
  const show = (rule: RuleSource) => openSource(rule, stateDirectory);
  const list = createRuleList({ broker, session, book });
  const refresh = () => {
    broker.recheck();
    list.tell();
  };
  const watching = watchSources(parts, refresh);
  const endAnswers = broker.answers.onChange(list.tell);
  return {
    tree: list.tree,
    async explain(question) {
      const explanation = await broker.explain(question);
      const isOver = vscode.l10n.t('This question has been answered already.');
      if (!explanation) return void (await vscode.window.showInformationMessage(isOver));
      await showExplanation(explanation, show);
    },
    async test() {
      const kept = await book();
      await testCalls((text): Promise<Explanation> => kept.explain(text), show);
    },
    async revoke(node) {
      if (list.has(node)) await revoke(node, { answers: broker.answers, book, refresh, report });
    },
    async open(node) {
      if (list.has(node) && node.kind === 'rule') await show(node.rule);
    },
    exportAudit: () => exportAudit({ stateDirectory, session: session(), report }),
    refresh,
    dispose() {
      endAnswers();
      watching.dispose();
    },
  };
}

async function openBook({ settings, mode, stateDirectory, report }: RulesParts): Promise<RuleBook> {
  const workspace = (await readWorkspace()) ?? { roots: [], isTrusted: false };
  return createRuleBook({ workspace, settings: settings.read, mode: mode(), stateDirectory, tell: report });
}

/** Whatever rules are read from. */
function watchSources({ settings, stateDirectory }: RulesParts, changed: () => void): vscode.Disposable {
  const kept = new vscode.RelativePattern(vscode.Uri.file(stateDirectory), '{permissions,hooks}.json');
  return vscode.Disposable.from(
    watchFiles(kept, changed),
    watchFiles('**/.offshoot/settings.json', changed),
    watchFiles('**/.claude/{settings.json,settings.local.json}', changed),
    settings.onDidChange(changed),
    vscode.workspace.onDidGrantWorkspaceTrust(changed),
    vscode.workspace.onDidChangeWorkspaceFolders(changed),
  );
}
