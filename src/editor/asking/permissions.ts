import * as vscode from 'vscode';
import { type PermissionAnswer, type PermissionAsk, reveal, type Settings } from '../../agent/index.ts';
import { createPending, type Pending } from './pending.ts';

/** Asks the user whether a call may run. A modal and the card in the sidebar show the same question; the first answer counts. */
export type Permissions = {
  ask(ask: PermissionAsk, signal: AbortSignal): Promise<PermissionAnswer>;
  /** From the card. @returns false when no such question is open */
  answer(id: string, decision: PermissionAnswer['decision'], scope: PermissionAnswer['scope'], reason: string): boolean;
};

/** @returns the chosen button, or undefined when the modal was dismissed */
export type ShowModal = (title: string, detail: string, buttons: readonly string[]) => Thenable<string | undefined>;

export function createPermissions(
  preference: () => Settings['permissions.prompt'],
  report: (text: string, cause: unknown) => void,
  showModal: ShowModal = showWarning,
): Permissions {
  const open = new Map<string, Pending<PermissionAnswer>>();
  /** The editor shows one modal at a time; so the next one waits here, where it can still be answered by its card. */
  let queue: Promise<void> = Promise.resolve();

  async function askByModal(ask: PermissionAsk, pending: Pending<PermissionAnswer>): Promise<void> {
    if (!pending.isOpen) return;
    const buttons = modalButtons(ask);
    try {
      const choice = await showModal(
        modalTitle(ask),
        modalDetail(ask),
        Object.values(buttons).filter((button) => button !== undefined),
      );
      pending.settle(toAnswer(choice, buttons));
    } catch (error) {
      report('The question could not be shown, so it counts as denied', error);
      pending.settle({ decision: 'deny', scope: 'once', by: 'dismissed' });
    }
  }

  return {
    async ask(ask, signal) {
      const pending = createPending<PermissionAnswer>(signal, () => ({
        decision: 'deny',
        scope: 'once',
        by: 'stopped',
      }));
      open.set(ask.id, pending);
      if (preference() === 'modal') queue = queue.then(() => askByModal(ask, pending));
      try {
        return await pending.promise;
      } finally {
        open.delete(ask.id);
      }
    },
    answer(id, decision, scope, reason) {
      const words = reason.trim();
      const answer = { decision, scope, by: 'user', ...(words !== '' && { reason: words }) } as const;
      return open.get(id)?.settle(answer) ?? false;
    },
  };
}

/** A longer rule stands in the text above the buttons only. */
const longestButtonRule = 40;

function modalButtons({ rule, isOnceOnly }: PermissionAsk) {
  return {
    once: vscode.l10n.t('Allow once'),
    session: isOnceOnly ? undefined : vscode.l10n.t('Allow for this session'),
    always:
      rule &&
      (rule.length > longestButtonRule
        ? vscode.l10n.t('Always allow this rule')
        : vscode.l10n.t('Always allow {0}', reveal(rule))),
    deny: vscode.l10n.t('Deny'),
  };
}

function toAnswer(choice: string | undefined, buttons: ReturnType<typeof modalButtons>): PermissionAnswer {
  if (choice === undefined) return { decision: 'deny', scope: 'once', by: 'dismissed' };
  switch (choice) {
    case buttons.once:
      return { decision: 'allow', scope: 'once', by: 'user' };
    case buttons.session:
      return { decision: 'allow', scope: 'session', by: 'user' };
    case buttons.always:
      return { decision: 'allow', scope: 'always', by: 'user' };
    case buttons.deny:
      return { decision: 'deny', scope: 'once', by: 'user' };
    default:
      return { decision: 'deny', scope: 'once', by: 'dismissed' };
  }
}

function modalTitle(ask: PermissionAsk): string {
  return vscode.l10n.t('{0}: {1}?', reveal(ask.agentName), reveal(ask.title));
}

function modalDetail(ask: PermissionAsk): string {
  const facts = [
    vscode.l10n.t('Agent: {0}', reveal(ask.agentName)),
    vscode.l10n.t('Tool: {0}', reveal(ask.tool)),
    vscode.l10n.t('Directory: {0}', reveal(ask.directory)),
    ...(ask.reason === '' ? [] : [vscode.l10n.t('Why you are asked: {0}', reveal(ask.reason))]),
    ...(ask.rule === undefined ? [] : [vscode.l10n.t('Rule that would always allow it: {0}', reveal(ask.rule))]),
  ];
  return `${reveal(ask.detail)}\n\n${facts.join('\n')}`;
}

async function showWarning(title: string, detail: string, buttons: readonly string[]): Promise<string | undefined> {
  // The last button, Deny, takes the place of the Cancel that the editor would add, and is what leaving the modal means.
  const items = buttons.map((button, index) => ({ title: button, isCloseAffordance: index === buttons.length - 1 }));
  const chosen = await vscode.window.showWarningMessage(title, { modal: true, detail }, ...items);
  return chosen?.title;
}
