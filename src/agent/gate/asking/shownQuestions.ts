import { randomUUID } from 'node:crypto';
import type { PermissionAnswer, Prompts } from '../../host.ts';
import type { Explanation } from '../explaining/explanation.ts';
import { reveal } from '../reveal.ts';
import { stopped } from './openQuestion.ts';
import { type Question, wordsOf } from './question.ts';

/** The questions that stand before the user. */
export type ShownQuestions = {
  /** Shows it until somebody answers, a new rule does, or nobody wants to know any more. Never rejects. */
  put(question: Question, isBackground: boolean, signal: AbortSignal): Promise<PermissionAnswer | 'withdrawn'>;
  /** @param id that was given out with the question */
  explain(id: string): Promise<Explanation | undefined>;
  /** Those end that rules answer by now. */
  recheck(): void;
};

export function createShownQuestions(prompts: Pick<Prompts, 'permission'>): ShownQuestions {
  const byId = new Map<string, Question>();
  const listeners = new Set<() => void>();

  async function show(id: string, question: Question, isBackground: boolean, signal: AbortSignal) {
    const { agent, call } = question;
    const shown = { call, agentName: reveal(agent.identity.name), ...wordsOf(question, isBackground) };
    agent.emit({ type: 'permission-ask', ask: id, ...shown });
    const asked = new AbortController();
    const limited = AbortSignal.any([signal, asked.signal]);
    const given = Promise.resolve()
      .then(() => prompts.permission({ id, agent: agent.identity.id, ...shown }, limited))
      .catch((): PermissionAnswer => ({ decision: 'deny', scope: 'once', by: 'dismissed' }));
    const first = await Promise.race([given, answerByRule(question, limited), whenWithdrawn(signal)]);
    asked.abort();
    return first;
  }

  function answerByRule(question: Question, signal: AbortSignal): Promise<PermissionAnswer> {
    return new Promise((resolve) => {
      const listener = () => {
        void question.recheck().then(
          (answer) => answer && resolve(answer),
          () => undefined,
        );
      };
      listeners.add(listener);
      signal.addEventListener('abort', () => listeners.delete(listener), { once: true });
    });
  }

  return {
    async put(question, isBackground, signal) {
      const known = await question.recheck().catch(() => undefined);
      if (signal.aborted) return 'withdrawn';
      if (known) return known;
      const id = randomUUID();
      byId.set(id, question);
      const first = await show(id, question, isBackground, signal);
      byId.delete(id);
      // A click that comes after Stop counts for nothing.
      const isWithdrawn = signal.aborted;
      const answer = isWithdrawn ? stopped : first;
      question.agent.emit({ type: 'permission-answer', ask: id, call: question.call, ...answer });
      return isWithdrawn ? 'withdrawn' : answer;
    },
    explain: async (id) => byId.get(id)?.explain(),
    recheck() {
      for (const listener of [...listeners]) listener();
    },
  };
}

function whenWithdrawn(signal: AbortSignal): Promise<PermissionAnswer> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(stopped), { once: true }));
}
