import type { PermissionAnswer } from '../../host.ts';
import type { Question } from './question.ts';

type Waiting = {
  readonly question: Question;
  readonly settle: (answer: PermissionAnswer) => void;
};

/** One question to the user, for all who ask it at the same time. */
export type OpenQuestion = {
  readonly waiting: Set<Waiting>;
  /** In whose name it is shown now, and what takes it back. */
  showing:
    | { readonly entry: Waiting; readonly isBackground: boolean; readonly controller: AbortController }
    | undefined;
};

export const stopped: PermissionAnswer = { decision: 'deny', scope: 'once', by: 'stopped' };

/** @returns the answer, or `stopped` once the signal aborts */
export function join(open: OpenQuestion, question: Question, signal: AbortSignal): Promise<PermissionAnswer> {
  return new Promise((resolve) => {
    const entry: Waiting = {
      question,
      settle: (answer) => {
        signal.removeEventListener('abort', leave);
        open.waiting.delete(entry);
        question.agent.emit({ type: 'agent-status', activity: 'running' });
        resolve(answer);
      },
    };
    const leave = () => {
      entry.settle(stopped);
      // The question stands in this agent's name: it goes on in the name of the next one, or ends.
      if (open.showing?.entry === entry) open.showing.controller.abort();
    };
    signal.addEventListener('abort', leave);
    open.waiting.add(entry);
    question.agent.emit({ type: 'agent-status', activity: 'waiting_user', detail: question.title });
    // What waits as a card alone is put again, for somebody whose question may interrupt.
    if (open.showing?.isBackground && !question.agent.isBackground) open.showing.controller.abort();
  });
}

/** Those whose question may interrupt the user go first. */
export function nextOf({ waiting }: OpenQuestion): Waiting | undefined {
  const all = [...waiting];
  return all.find(({ question }) => !question.agent.isBackground) ?? all[0];
}
