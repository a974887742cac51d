import type { PermissionAnswer, Prompts } from '../../host.ts';
import type { Explanation } from '../explaining/explanation.ts';
import { keepAnswer } from './keepAnswer.ts';
import { join, nextOf, type OpenQuestion, stopped } from './openQuestion.ts';
import type { Question } from './question.ts';
import { createSessionAnswers, type SessionAnswers } from './sessionAnswers.ts';
import { createShownQuestions } from './shownQuestions.ts';

/**
 * Asks the user for all gates of a window, or of a process. Identical questions that are open at the same time are one, with
 * one answer for all who ask, whatever their session.
 */
export interface Broker {
  ask(question: Question, signal: AbortSignal): Promise<PermissionAnswer>;
  /** Why an open question is asked; undefined when no such question is open. */
  explain(id: string): Promise<Explanation | undefined>;
  /** Rules have changed: questions that they answer by now end. */
  recheck(): void;
  readonly answers: SessionAnswers;
}

/** @param prompts show one question at a time or many; where they fail, the answer is no */
export function createBroker(prompts: Pick<Prompts, 'permission'>): Broker {
  const openByKey = new Map<string, OpenQuestion>();
  const shown = createShownQuestions(prompts);
  const answers = createSessionAnswers();

  /** Until nobody waits for it any more. */
  async function answerAll(key: string, open: OpenQuestion): Promise<void> {
    for (let entry = nextOf(open); entry; entry = nextOf(open)) {
      const controller = new AbortController();
      const { isBackground } = entry.question.agent;
      open.showing = { entry, isBackground, controller };
      const answer = await shown.put(entry.question, isBackground, controller.signal);
      open.showing = undefined;
      if (answer === 'withdrawn') continue;
      if (answer.decision === 'allow' && answer.scope !== 'once') {
        const questions = [...open.waiting].map(({ question }) => question);
        await keepAnswer(questions, answer);
        shown.recheck();
      }
      for (const waiting of [...open.waiting]) waiting.settle(answer);
    }
    openByKey.delete(key);
  }

  return {
    async ask(question, signal) {
      if (signal.aborted) return stopped;
      const key = JSON.stringify([question.tool, question.directory, question.detail, question.canRemember]);
      const known = openByKey.get(key);
      const open: OpenQuestion = known ?? { waiting: new Set(), showing: undefined };
      const answer = join(open, question, signal);
      if (known) return answer;
      openByKey.set(key, open);
      void answerAll(key, open);
      return answer;
    },
    explain: (id) => shown.explain(id),
    recheck: () => shown.recheck(),
    answers,
  };
}
