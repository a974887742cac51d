import * as vscode from 'vscode';
import type { PermissionAnswer, PermissionAsk, Settings } from '../../agent/index.ts';
import { askForReason, type Choice, type Dialogs, showQuestion, showRule } from './modal.ts';
import type { Pending } from './pending.ts';

/**
 * Nobody reads a question as fast as this: a sooner answer was a key that was on its way to something else when the modal
 * took the focus. It counts for nothing, and the modal comes again. Milliseconds.
 */
const tooSoonMs = 500;
/** After so many such answers in a row the question waits as its card. */
const mostTooSoon = 5;

export type ModalParts = {
  readonly preference: () => Settings['permissions.prompt'];
  readonly report: (text: string, cause: unknown) => void;
  /** Shows why an open question is asked; resolves when it is closed. */
  readonly explain: (id: string) => Promise<void>;
  /** Shows the cards of all open questions. */
  readonly showAll: () => Promise<void>;
  readonly dialogs: Dialogs;
  /** Milliseconds. */
  readonly now: () => number;
  /** How many questions are open, those of no modal included. */
  readonly open: () => number;
};

/** The editor shows one modal at a time; so the next one waits here, where it can still be answered by its card. */
export type ModalQueue = {
  /** Shows it when those before it are over, unless it is answered by then. Settles it with what the user chooses. */
  add(ask: PermissionAsk, pending: Pending<PermissionAnswer>): void;
  /** No question is open: who answered by the cards gets modals again. */
  allAnswered(): void;
};

export function createModalQueue(parts: ModalParts): ModalQueue {
  const { preference, report, dialogs, now, open } = parts;
  let queue: Promise<void> = Promise.resolve();
  let isByCards = false;
  const answerByCards = async () => {
    isByCards = true;
    await parts.showAll();
  };

  async function show(ask: PermissionAsk, pending: Pending<PermissionAnswer>): Promise<void> {
    try {
      for (let tooSoon = 0; pending.isOpen && !isByCards && preference() === 'modal'; ) {
        const shownAt = now();
        const choice = await showQuestion(ask, open(), dialogs);
        if (!pending.isOpen) return void tellLate(choice.kind === 'answer' ? choice.answer : undefined);
        if (now() - shownAt < tooSoonMs) {
          tooSoon += 1;
          if (tooSoon >= mostTooSoon) return;
          continue;
        }
        tooSoon = 0;
        const answer = await follow(ask, choice, { ...parts, showAll: answerByCards });
        if (answer) pending.settle(answer);
      }
    } catch (error) {
      report('The question could not be shown, so it counts as denied', error);
      pending.settle({ decision: 'deny', scope: 'once', by: 'dismissed' });
    }
  }

  return {
    add(ask, pending) {
      queue = queue.then(() => show(ask, pending));
    },
    allAnswered() {
      isByCards = false;
    },
  };
}

/** @returns undefined: the question is still open */
async function follow(
  ask: PermissionAsk,
  choice: Choice,
  { dialogs, now, explain, showAll }: ModalParts,
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
      await showAll();
      return undefined;
  }
}

/** The editor cannot close a modal, so one may stand there after its question is over. */
function tellLate(answer: PermissionAnswer | undefined): void {
  if (answer?.decision !== 'allow') return;
  void vscode.window.showInformationMessage(
    vscode.l10n.t('This question was over already: nothing was allowed by your answer.'),
  );
}
