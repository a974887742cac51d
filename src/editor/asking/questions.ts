import * as vscode from 'vscode';
import { reveal, type Settings, type UserQuestion } from '../../agent/index.ts';
import { createLanguage } from '../language/inUserLanguage.ts';
import { createPending, type Pending } from './pending.ts';

/** An agent's questions to the user. The card in the sidebar is always there; a box on top of the editor where modals are preferred. */
export type Questions = {
  ask(question: UserQuestion, signal: AbortSignal): Promise<string | undefined>;
  /** From the card. @returns false when no such question is open */
  answer(id: string, text: string): boolean;
};

export function createQuestions(preference: () => Settings['permissions.prompt']): Questions {
  const open = new Map<string, { readonly pending: Pending<string | undefined>; readonly question: UserQuestion }>();
  let queue: Promise<void> = Promise.resolve();
  return {
    async ask(question, signal) {
      const pending = createPending<string | undefined>(signal, () => undefined);
      open.set(question.id, { pending, question });
      if (preference() === 'modal') queue = queue.then(() => askByQuickPick(question, pending));
      try {
        return await pending.promise;
      } finally {
        open.delete(question.id);
      }
    },
    answer(id, text) {
      const asked = open.get(id);
      return asked?.pending.settle(toOption(asked.question, text)) ?? false;
    },
  };
}

/** The option that was meant: it is shown in the language of the editor. */
function toOption({ options }: UserQuestion, text: string): string {
  const say = createLanguage();
  return options.find((option) => say(option) === text) ?? text;
}

/** Escape leaves the question to the card: it stays open. What is typed is an answer too. */
async function askByQuickPick(question: UserQuestion, pending: Pending<string | undefined>): Promise<void> {
  if (!pending.isOpen) return;
  const say = createLanguage();
  const options = question.options.map(say);
  const pick = vscode.window.createQuickPick();
  pick.title = reveal(question.agentName);
  pick.placeholder = reveal(say(question.question));
  pick.ignoreFocusOut = true;
  const fill = () => {
    const typed = pick.value.trim();
    const own = typed === '' || options.includes(typed) ? [] : [typed];
    pick.items = [...options, ...own].map((label) => ({ label, alwaysShow: true }));
  };
  fill();
  await new Promise<void>((resolve) => {
    pick.onDidChangeValue(fill);
    pick.onDidHide(() => resolve());
    pick.onDidAccept(() => {
      const [chosen] = pick.activeItems;
      if (chosen !== undefined) pending.settle(toOption(question, chosen.label));
    });
    void pending.promise.then(() => pick.hide());
    pick.show();
  });
  pick.dispose();
}
