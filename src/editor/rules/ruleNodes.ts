import { basename } from 'node:path';
import * as vscode from 'vscode';
import { type ApprovedHooks, type ListedRule, protections, reveal, type SessionAnswer } from '../../agent/index.ts';

/** What stands in the list of rules. */
export type RuleNode =
  | GroupNode
  | { readonly kind: 'rule'; readonly rule: ListedRule }
  | { readonly kind: 'session'; readonly session: string; readonly answer: SessionAnswer }
  | { readonly kind: 'hooks'; readonly approved: ApprovedHooks }
  | { readonly kind: 'protection'; readonly name: string };

type GroupNode = { readonly kind: 'group'; readonly group: Group; readonly children: readonly RuleNode[] };

const groups = [
  'deny',
  'ask',
  'allow',
  'always',
  'workspace',
  'session',
  'hooks',
  'repository',
  'protections',
] as const;
type Group = (typeof groups)[number];

export type RuleContent = {
  readonly rules: readonly ListedRule[];
  readonly session: string;
  readonly answers: readonly SessionAnswer[];
  readonly hooks: readonly ApprovedHooks[];
};

/** The groups that hold something, in the order in which they are looked at. */
export function toNodes(content: RuleContent): readonly RuleNode[] {
  return allGroups(content).filter(({ children }) => children.length > 0);
}

function allGroups({ rules, session, answers, hooks }: RuleContent): readonly GroupNode[] {
  return groups.map((group) => {
    if (group === 'session')
      return { kind: 'group', group, children: answers.map((answer) => ({ kind: 'session', session, answer })) };
    if (group === 'hooks')
      return { kind: 'group', group, children: hooks.map((approved) => ({ kind: 'hooks', approved })) };
    if (group === 'protections')
      return { kind: 'group', group, children: protections.map((name) => ({ kind: 'protection', name })) };
    const own = rules.filter((rule) => groupOf(rule) === group);
    return { kind: 'group', group, children: own.map((rule) => ({ kind: 'rule', rule })) };
  });
}

function groupOf({ source, list }: ListedRule): Group {
  return source === 'settings' ? list : source;
}

export function toItem(node: RuleNode): vscode.TreeItem {
  switch (node.kind) {
    case 'group':
      return groupItem(node.group, node.children.length);
    case 'rule':
      return ruleItem(node);
    case 'session': {
      const { tool, detail, directory } = node.answer;
      const item = new vscode.TreeItem(reveal(detail));
      item.description = vscode.l10n.t('{0}, this call only', tool);
      item.tooltip = `${reveal(detail)}\n${reveal(directory)}`;
      item.iconPath = new vscode.ThemeIcon('check');
      item.contextValue = 'revocable';
      return item;
    }
    case 'hooks': {
      const { file, text } = node.approved;
      const item = new vscode.TreeItem(reveal(text).replaceAll('\n', '; '));
      item.description = vscode.l10n.t('until they change · {0}', reveal(basename(file)));
      item.tooltip = `${reveal(file)}\n${reveal(text)}`;
      item.iconPath = new vscode.ThemeIcon('zap');
      item.contextValue = 'revocable';
      return item;
    }
    case 'protection': {
      const item = new vscode.TreeItem(node.name);
      item.description = vscode.l10n.t('always asked about');
      item.iconPath = new vscode.ThemeIcon('shield');
      return item;
    }
  }
}

function groupItem(group: Group, count: number): vscode.TreeItem {
  const state = vscode.TreeItemCollapsibleState;
  const opened = group === 'protections' ? state.Collapsed : state.Expanded;
  const item = new vscode.TreeItem(groupName(group), opened);
  item.id = `group:${group}`;
  item.description = String(count);
  return item;
}

function groupName(group: Group): string {
  switch (group) {
    case 'deny':
      return vscode.l10n.t('Settings: deny');
    case 'ask':
      return vscode.l10n.t('Settings: ask');
    case 'allow':
      return vscode.l10n.t('Settings: allow');
    case 'always':
      return vscode.l10n.t('Always allowed by you');
    case 'workspace':
      return vscode.l10n.t('Allowed in this workspace');
    case 'session':
      return vscode.l10n.t('Allowed in this conversation');
    case 'hooks':
      return vscode.l10n.t('Hooks approved by you');
    case 'repository':
      return vscode.l10n.t('Tightened by this repository');
    case 'protections':
      return vscode.l10n.t('Built-in protections');
  }
}

const icons = { deny: 'circle-slash', ask: 'question', allow: 'check' } as const;

function ruleItem(node: Extract<RuleNode, { kind: 'rule' }>): vscode.TreeItem {
  const { list, source, text, file, problem } = node.rule;
  const item = new vscode.TreeItem(reveal(text));
  const words = { deny: vscode.l10n.t('deny'), ask: vscode.l10n.t('ask'), allow: vscode.l10n.t('allow') };
  const place = file === undefined ? sourceName(source) : basename(file);
  item.description = `${words[list]} · ${place}`;
  item.tooltip = problem ?? `${reveal(text)}\n${words[list]} · ${file ?? place}`;
  item.iconPath = new vscode.ThemeIcon(problem === undefined ? icons[list] : 'warning');
  item.accessibilityInformation = {
    label: `${reveal(text)}, ${item.description}${problem === undefined ? '' : `, ${problem}`}`,
  };
  item.contextValue = source === 'always' || source === 'workspace' ? 'revocable' : 'sourced';
  const title = vscode.l10n.t('Show where it stands');
  item.command = { command: 'offshoot.openRule', title, arguments: [node] };
  return item;
}

export function sourceName(source: ListedRule['source']): string {
  switch (source) {
    case 'settings':
      return vscode.l10n.t('settings');
    case 'always':
      return vscode.l10n.t('your answer, everywhere');
    case 'workspace':
      return vscode.l10n.t('your answer, this workspace');
    case 'repository':
      return vscode.l10n.t('repository');
  }
}
