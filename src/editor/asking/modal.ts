import * as vscode from 'vscode';
import { type PermissionAnswer, type PermissionAsk, reveal } from '../../agent/index.ts';
import { inUserLanguage } from '../language/inUserLanguage.ts';

/** What somebody chose in the modal: an answer, or something that leaves the question open. */
export type Choice =
  | { readonly kind: 'answer'; readonly answer: PermissionAnswer }
  /** The rule is shown, and how far it is to reach is asked. */
  | { readonly kind: 'remember'; readonly rule: string }
  | { readonly kind: 'reason' }
  | { readonly kind: 'why' }
  | { readonly kind: 'all' };

/** The ways in which the editor asks. Each resolves to undefined when it was left. */
export type Dialogs = {
  /** The last button is what leaving means, where the editor shows none for that. */
  modal(title: string, detail: string, buttons: readonly string[]): Thenable<string | undefined>;
  words(title: string, prompt: string): Thenable<string | undefined>;
};

/** So many questions are better answered in one place. */
const digestFrom = 3;

/** Shows the question once. @param open how many questions are open, this one included */
export async function showQuestion(ask: PermissionAsk, open: number, dialogs: Dialogs): Promise<Choice> {
  const choices = choicesFor(ask, open);
  const chosen = await dialogs.modal(titleOf(ask), detailOf(ask), [...choices.keys()]);
  return (chosen === undefined ? undefined : choices.get(chosen)) ?? dismissed;
}

/** @returns undefined: not this rule after all */
export async function showRule(
  ask: PermissionAsk,
  rule: string,
  dialogs: Dialogs,
): Promise<PermissionAnswer | undefined> {
  const here = vscode.l10n.t('In This Workspace');
  const always = vscode.l10n.t('Everywhere');
  const detail = [
    reveal(rule),
    '',
    vscode.l10n.t('Calls that fit this rule are not asked about any more.'),
    vscode.l10n.t('This workspace is {0}', reveal(ask.directory)),
    vscode.l10n.t('Take it back in the view "Permission rules".'),
  ];
  const title = vscode.l10n.t('Keep this rule?');
  const chosen = await dialogs.modal(title, detail.join('\n'), [here, always, vscode.l10n.t('Back')]);
  if (chosen === here) return { decision: 'allow', scope: 'workspace', by: 'user' };
  return chosen === always ? { decision: 'allow', scope: 'always', by: 'user' } : undefined;
}

/** @returns undefined: not denied after all */
export async function askForReason(ask: PermissionAsk, dialogs: Dialogs): Promise<PermissionAnswer | undefined> {
  const title = vscode.l10n.t('Deny: {0}', reveal(inUserLanguage(ask.title)));
  const words = await dialogs.words(
    title,
    vscode.l10n.t('What {0} is told, e.g. what to do instead', reveal(ask.agentName)),
  );
  if (words === undefined) return undefined;
  const reason = words.trim();
  return { decision: 'deny', scope: 'once', by: 'user', ...(reason !== '' && { reason }) };
}

const dismissed: Choice = { kind: 'answer', answer: { decision: 'deny', scope: 'once', by: 'dismissed' } };

const byUser = (decision: 'allow' | 'deny', scope: 'once' | 'session'): Choice => ({
  kind: 'answer',
  answer: { decision, scope, by: 'user' },
});

/** A longer rule stands in the text above the buttons only. */
const longestButtonRule = 40;

/** By the buttons' words, in their order. */
function choicesFor({ rule, isOnceOnly }: PermissionAsk, open: number): ReadonlyMap<string, Choice> {
  const choices = new Map<string, Choice>();
  choices.set(vscode.l10n.t('Allow once'), byUser('allow', 'once'));
  if (!isOnceOnly) choices.set(vscode.l10n.t('Allow for this session'), byUser('allow', 'session'));
  if (rule !== undefined) choices.set(ruleButton(reveal(rule)), { kind: 'remember', rule });
  if (open >= digestFrom) choices.set(vscode.l10n.t('Show all ({0})…', open), { kind: 'all' });
  choices.set(vscode.l10n.t('Why was this asked?'), { kind: 'why' });
  choices.set(vscode.l10n.t('Deny with a reason…'), { kind: 'reason' });
  choices.set(vscode.l10n.t('Deny'), byUser('deny', 'once'));
  return choices;
}

function ruleButton(rule: string): string {
  return rule.length > longestButtonRule
    ? vscode.l10n.t('Always allow this rule…')
    : vscode.l10n.t('Always allow {0}…', rule);
}

function titleOf(ask: PermissionAsk): string {
  return vscode.l10n.t('{0}: {1}?', reveal(ask.agentName), reveal(inUserLanguage(ask.title)));
}

function detailOf(ask: PermissionAsk): string {
  const facts = [
    vscode.l10n.t('Agent: {0}', reveal(ask.agentName)),
    vscode.l10n.t('Tool: {0}', reveal(ask.tool)),
    vscode.l10n.t('Directory: {0}', reveal(ask.directory)),
    ...(ask.reason === '' ? [] : [vscode.l10n.t('Why you are asked: {0}', reveal(inUserLanguage(ask.reason)))]),
    ...(ask.rule === undefined ? [] : [vscode.l10n.t('Rule that would always allow it: {0}', reveal(ask.rule))]),
  ];
  return `${reveal(ask.detail)}\n\n${facts.join('\n')}`;
}

export const editorDialogs: Dialogs = {
  async modal(title, detail, buttons) {
    // The last button takes the place of the Cancel that the editor would add.
    const items = buttons.map((button, index) => ({ title: button, isCloseAffordance: index === buttons.length - 1 }));
    const chosen = await vscode.window.showWarningMessage(title, { modal: true, detail }, ...items);
    return chosen?.title;
  },
  words: (title, prompt) => vscode.window.showInputBox({ title, prompt, ignoreFocusOut: true }),
};
