import * as vscode from 'vscode';
import { type ExplainedPart, type Explanation, type NamedRule, reveal } from '../../agent/index.ts';
import { inUserLanguage, messageOf } from '../language/inUserLanguage.ts';
import { sourceName } from './ruleNodes.ts';

type OpenRule = (rule: NamedRule) => Promise<void>;

type Line = vscode.QuickPickItem & {
  /** Shows where it stands. */
  readonly rule?: NamedRule;
  /** Copied, to be put into the settings. */
  readonly offer?: string;
};

/** Says what the rules make of what is typed, while it is typed. Resolves when it is closed. */
export async function testCalls(explain: (text: string) => Promise<Explanation>, open: OpenRule): Promise<void> {
  const pick = vscode.window.createQuickPick<Line>();
  pick.title = vscode.l10n.t('Test a command against the rules');
  pick.placeholder = vscode.l10n.t('A command, or a call such as Edit(src/main.ts) or WebFetch(https://example.com)');
  let latest = 0;
  pick.onDidChangeValue(async (value) => {
    latest += 1;
    const own = latest;
    const lines = value.trim() === '' ? [] : await linesFor(() => explain(value));
    if (own === latest) pick.items = lines;
  });
  await run(pick, open);
}

/** Shows why something is as it is. Resolves when it is closed. */
export async function showExplanation(explanation: Explanation, open: OpenRule): Promise<void> {
  const pick = vscode.window.createQuickPick<Line>();
  pick.title = vscode.l10n.t('Why was this asked?');
  pick.items = toLines(explanation);
  await run(pick, open);
}

async function run(pick: vscode.QuickPick<Line>, open: OpenRule): Promise<void> {
  pick.ignoreFocusOut = true;
  const chosen = await new Promise<Line | undefined>((resolve) => {
    pick.onDidAccept(() => resolve(pick.activeItems[0]));
    pick.onDidHide(() => resolve(undefined));
    pick.show();
  });
  pick.dispose();
  if (chosen?.rule) await open(chosen.rule);
  if (chosen?.offer !== undefined) await copyRule(chosen.offer);
}

async function copyRule(rule: string): Promise<void> {
  await vscode.env.clipboard.writeText(rule);
  const button = vscode.l10n.t('Open Settings');
  const text = vscode.l10n.t('The rule was copied: {0}', reveal(rule));
  void vscode.window.showInformationMessage(text, button).then((chosen) => {
    if (chosen !== button) return;
    void vscode.commands.executeCommand('workbench.action.openSettings', '@id:offshoot.permissions.allow');
  });
}

async function linesFor(explain: () => Promise<Explanation>): Promise<readonly Line[]> {
  try {
    return toLines(await explain());
  } catch (error) {
    const problem = messageOf(error);
    return [
      {
        label: vscode.l10n.t('This cannot be tested'),
        iconPath: new vscode.ThemeIcon('warning'),
        detail: problem,
        alwaysShow: true,
      },
    ];
  }
}

/** The verdict, then what made it, then each part of a command, then what would allow it. */
export function toLines(explanation: Explanation): readonly Line[] {
  const { verdict, reason, rule, mode, parts, offers } = explanation;
  const { label, icon } = verdictWords(verdict);
  const name = deciderName(explanation);
  const about =
    name === undefined
      ? vscode.l10n.t('no rule decides it, in the mode {0}', mode)
      : vscode.l10n.t('decided by {0}, in the mode {1}', name, mode);
  const head: Line = {
    label,
    iconPath: new vscode.ThemeIcon(icon),
    description: about,
    detail: reveal(inUserLanguage(reason)),
    alwaysShow: true,
  };
  return [
    head,
    ...(rule ? [ruleLine(rule)] : []),
    ...(parts.length > 0 ? [separator(vscode.l10n.t('each command in it')), ...parts.map(partLine)] : []),
    ...(offers.length > 0 ? [separator(offerTitle(offers.length)), ...offers.map(offerLine)] : []),
    ...(verdict === 'ask' && offers.length === 0 ? [noOffer()] : []),
  ];
}

function verdictWords(verdict: Explanation['verdict']): { readonly label: string; readonly icon: string } {
  switch (verdict) {
    case 'allow':
      return { label: vscode.l10n.t('Runs without a question'), icon: 'check' };
    case 'deny':
      return { label: vscode.l10n.t('Is denied'), icon: 'circle-slash' };
    case 'ask':
      return { label: vscode.l10n.t('You are asked'), icon: 'question' };
    case 'review':
      return { label: vscode.l10n.t('Is shown as a proposal'), icon: 'diff' };
  }
}

function deciderName({ by }: Explanation): string | undefined {
  switch (by) {
    case 'rule':
      return vscode.l10n.t('a rule');
    case 'protected':
      return vscode.l10n.t('a built-in protection');
    case 'mode':
      return vscode.l10n.t('the mode');
    case 'readOnly':
      return vscode.l10n.t('the analysis of the command');
    case 'tool':
      return vscode.l10n.t('the tool');
    case 'trust':
      return vscode.l10n.t('workspace trust');
    case 'outside':
      return vscode.l10n.t('the borders of the workspace');
    case 'hook':
      return vscode.l10n.t('a hook');
    default:
      return by;
  }
}

function ruleLine(rule: NamedRule): Line {
  const label = vscode.l10n.t('Rule: {0}', reveal(rule.text));
  const place = rule.file ?? sourceName(rule.source);
  return { label, description: place, iconPath: new vscode.ThemeIcon('law'), rule, alwaysShow: true };
}

const partIcons = { deny: 'circle-slash', ask: 'question', reads: 'eye', allowed: 'check', open: 'question' } as const;

function partLine({ text, kind, rule, offer }: ExplainedPart): Line {
  const words = {
    deny: vscode.l10n.t('denied'),
    ask: vscode.l10n.t('asked about'),
    reads: vscode.l10n.t('only reads'),
    allowed: vscode.l10n.t('allowed'),
    open: vscode.l10n.t('no rule allows it'),
  }[kind];
  const description = rule ? `${words}: ${reveal(rule.text)}` : words;
  const more = { ...(rule && { rule }), ...(offer !== undefined && kind === 'open' && { offer }) };
  return {
    label: reveal(text),
    description,
    iconPath: new vscode.ThemeIcon(partIcons[kind]),
    alwaysShow: true,
    ...more,
  };
}

function offerTitle(count: number): string {
  return count === 1
    ? vscode.l10n.t('a rule that would allow it')
    : vscode.l10n.t('rules that would allow it together');
}

function offerLine(offer: string): Line {
  return {
    label: reveal(offer),
    description: vscode.l10n.t('choose to copy'),
    iconPath: new vscode.ThemeIcon('copy'),
    offer,
    alwaysShow: true,
  };
}

function noOffer(): Line {
  return { label: vscode.l10n.t('No rule can allow it: it is asked about each time'), alwaysShow: true };
}

function separator(label: string): Line {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}
