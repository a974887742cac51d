import * as vscode from 'vscode';
import type { PermissionAnswer, PermissionAsk, Settings } from '../../agent/index.ts';
import { askForReason, type Dialogs, editorDialogs, showQuestion, showRule } from './modal.ts';
import { createPending, type Pending } from './pending.ts';

/** Asks the user whether a call may run. A modal and the card in the sidebar show the same question; the first answer counts. */
export type Permissions = {
  ask(ask: PermissionAsk, signal: AbortSignal): Promise<PermissionAnswer>;
  /** From the card. @returns false when no such question is open */
  answer(id: string, decision: PermissionAnswer['decision'], scope: PermissionAnswer['scope'], reason: string): boolean;
};

export type PermissionParts = {
  readonly preference: () => Settings['permissions.prompt'];
  readonly report: (text: string, cause: unknown) => void;
  /** Shows why an open question is asked; resolves when it is closed. */
  readonly explain: (id: string) => Promise<void>;
  /** Shows the cards of all open questions. */
  readonly showAll: () => Promise<void>;
  /** Left out: those of the editor. */
  readonly dialogs?: Dialogs;
  /** Milliseconds; left out: the time of this machine. */
  readonly now?: () => number;
};

/**
 * Nobody reads a question as fast as this: a sooner answer was a key that was on its way to something else when the modal
 * took the focus. It counts for nothing, and the modal comes again. Milliseconds.
 */
const tooSoonMs = 500;
/** After so many such answers in a row the question waits as its card. */
const mostTooSoon = 5;

type Open = { readonly ask: PermissionAsk; readonly pending: Pending<PermissionAnswer> };

export function createPermissions(parts: PermissionParts): Permissions {
  const { preference, report, explain, showAll, dialogs = editorDialogs, now = () => performance.now() } = parts;
  const open = new Map<string, Open>();
  /** The editor shows one modal at a time; so the next one waits here, where it can still be answered by its card. */
  let queue: Promise<void> = Promise.resolve();
  /** The user wants to answer what is open by the cards; a question that comes when all is answered is a modal again. */
  let isByCards = false;

  async function askByModal({ ask, pending }: Open): Promise<void> {
    try {
      for (let tooSoon = 0; pending.isOpen && !isByCards && preference() === 'modal'; ) {
        const shownAt = now();
        const choice = await showQuestion(ask, open.size, dialogs);
        if (!pending.isOpen) return void tellLate(choice.kind === 'answer' ? choice.answer : undefined);
        if (now() - shownAt < tooSoonMs) {
          tooSoon += 1;
          if (tooSoon >= mostTooSoon) return;
          continue;
        }
        tooSoon = 0;
        const answer = await follow(ask, choice);
        if (answer) pending.settle(answer);
      }
    } catch (error) {
      report('The question could not be shown, so it counts as denied', error);
      pending.settle({ decision: 'deny', scope: 'once', by: 'dismissed' });
    }
  }

  /** @returns undefined: the question is still open */
  async function follow(
    ask: PermissionAsk,
    choice: Awaited<ReturnType<typeof showQuestion>>,
  ): Promise<PermissionAnswer | undefined> {
    switch (choice.kind) {
      case 'answer':
        return choice.answer;
      case 'remember': {
        const shownAt = now();
        const answer = await showRule(ask, choice.rule, dialogs);
        // The second click of two was for the first modal.
        return now() - shownAt < tooSoonMs ? undefined : answer;
      }
      case 'reason':
        return askForReason(ask, dialogs);
      case 'why':
        await explain(ask.id);
        return undefined;
      case 'all':
        isByCards = true;
        await showAll();
        return undefined;
    }
  }

  return {
    async ask(ask, signal) {
      const pending = createPending<PermissionAnswer>(signal, () => ({
        decision: 'deny',
        scope: 'once',
        by: 'stopped',
      }));
      const entry = { ask, pending };
      open.set(ask.id, entry);
      // Nobody waits for a background agent, so its question interrupts nobody.
      if (!ask.isBackground) queue = queue.then(() => askByModal(entry));
      try {
        return await pending.promise;
      } finally {
        open.delete(ask.id);
        if (open.size === 0) isByCards = false;
      }
    },
    answer(id, decision, scope, reason) {
      const words = reason.trim();
      const answer = { decision, scope, by: 'user', ...(words !== '' && { reason: words }) } as const;
      return open.get(id)?.pending.settle(answer) ?? false;
    },
  };
}

/** The editor cannot close a modal, so one may stand there after its question is over. */
function tellLate(answer: PermissionAnswer | undefined): void {
  if (answer?.decision !== 'allow') return;
  void vscode.window.showInformationMessage(
    vscode.l10n.t('This question was over already: nothing was allowed by your answer.'),
  );
}
