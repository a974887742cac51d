import { randomUUID } from 'node:crypto';
import type { PermissionAnswer, PermissionAsk, Prompts } from '../host.ts';
import type { Agent } from '../loop/agent.ts';
import type { Explanation } from './explanation.ts';
import { reveal } from './reveal.ts';
import { createSessionAnswers, type SessionAnswers } from './sessionAnswers.ts';

/** Keeps an answer that holds for longer than the call. One function for each gate. */
export type Remember = (question: Question, answer: PermissionAnswer) => Promise<void>;

export type Question = {
  readonly agent: Agent;
  readonly call: string;
  readonly tool: string;
  readonly title: string;
  /** As it is; shown with everything invisible revealed. */
  readonly detail: string;
  readonly directory: string;
  readonly reason: string;
  /** An answer for longer than this call is possible. */
  readonly canRemember: boolean;
  /** The narrowest rule that would allow the call. */
  readonly rule?: string;
  /** Whether rules that came meanwhile allow or deny it. */
  readonly recheck: () => Promise<PermissionAnswer | undefined>;
  readonly remember: Remember;
  /** Why it is asked. */
  readonly explain: () => Promise<Explanation>;
};

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

type Waiting = {
  readonly question: Question;
  readonly settle: (answer: PermissionAnswer) => void;
};

type Open = {
  readonly waiting: Set<Waiting>;
  /** The question that is shown now, and what takes it back. */
  showing:
    | { readonly entry: Waiting; readonly isBackground: boolean; readonly controller: AbortController }
    | undefined;
};

const stopped: PermissionAnswer = { decision: 'deny', scope: 'once', by: 'stopped' };

export function createBroker(prompts: Pick<Prompts, 'permission'>): Broker {
  const openByKey = new Map<string, Open>();
  /** What is shown, by the id that was given out for it. */
  const shownById = new Map<string, Question>();
  const answers = createSessionAnswers();
  const listeners = new Set<() => void>();

  function ask(question: Question, signal: AbortSignal): Promise<PermissionAnswer> {
    if (signal.aborted) return Promise.resolve(stopped);
    const key = JSON.stringify([question.tool, question.directory, question.detail, question.canRemember]);
    const open = openByKey.get(key) ?? { waiting: new Set(), showing: undefined };
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
      if (openByKey.has(key)) return;
      openByKey.set(key, open);
      void answerAll(key, open);
    });
  }

  async function answerAll(key: string, open: Open): Promise<void> {
    for (let entry = nextOf(open); entry; entry = nextOf(open)) {
      const controller = new AbortController();
      const { isBackground } = entry.question.agent;
      open.showing = { entry, isBackground, controller };
      const answer = await put(entry.question, isBackground, controller.signal);
      open.showing = undefined;
      if (answer === 'withdrawn') continue;
      await keep(open, answer);
      for (const waiting of [...open.waiting]) waiting.settle(answer);
    }
    openByKey.delete(key);
  }

  /** Shows it until somebody answers, a new rule does, or nobody wants to know any more. */
  async function put(
    question: Question,
    isBackground: boolean,
    signal: AbortSignal,
  ): Promise<PermissionAnswer | 'withdrawn'> {
    const { agent, call } = question;
    const known = await question.recheck().catch(() => undefined);
    if (signal.aborted) return 'withdrawn';
    if (known) return known;
    const id = randomUUID();
    const shown = { call, agentName: reveal(agent.identity.name), ...wordsOf(question, isBackground) };
    shownById.set(id, question);
    agent.emit({ type: 'permission-ask', ask: id, ...shown });
    const asked = new AbortController();
    const limited = AbortSignal.any([signal, asked.signal]);
    const byRule = new Promise<PermissionAnswer>((resolve) => onNewRules(question, resolve, limited));
    const given = Promise.resolve()
      .then(() => prompts.permission({ id, agent: agent.identity.id, ...shown }, limited))
      .catch((): PermissionAnswer => ({ decision: 'deny', scope: 'once', by: 'dismissed' }));
    const withdrawn = new Promise<PermissionAnswer>((resolve) =>
      signal.addEventListener('abort', () => resolve(stopped), { once: true }),
    );
    const first = await Promise.race([given, byRule, withdrawn]);
    // A click that comes after Stop counts for nothing.
    const isWithdrawn = signal.aborted;
    asked.abort();
    shownById.delete(id);
    const answer = isWithdrawn ? stopped : first;
    agent.emit({ type: 'permission-answer', ask: id, call, ...answer });
    return isWithdrawn ? 'withdrawn' : answer;
  }

  /** In every session that asked. An answer that cannot be kept holds for the calls that wait. */
  async function keep({ waiting }: Open, answer: PermissionAnswer): Promise<void> {
    if (answer.decision !== 'allow' || answer.scope === 'once') return;
    const byGate = new Map([...waiting].map(({ question }) => [question.remember, question]));
    for (const [remember, question] of byGate) {
      if (!question.canRemember) continue;
      try {
        await remember(question, answer);
      } catch (error) {
        const problem = error instanceof Error ? error.message : String(error);
        const text = `Your answer holds for this call only, since it could not be kept: ${problem}`;
        question.agent.emit({ type: 'notice', level: 'warning', text });
      }
    }
    recheck();
  }

  function recheck(): void {
    for (const listener of [...listeners]) listener();
  }

  function onNewRules(question: Question, settle: (answer: PermissionAnswer) => void, signal: AbortSignal): void {
    const listener = () => {
      void question.recheck().then(
        (answer) => answer && settle(answer),
        () => undefined,
      );
    };
    listeners.add(listener);
    signal.addEventListener('abort', () => listeners.delete(listener), { once: true });
  }

  return { ask, explain: async (id) => shownById.get(id)?.explain(), recheck, answers };
}

/** Those whose question may interrupt the user go first. */
function nextOf({ waiting }: Open): Waiting | undefined {
  const all = [...waiting];
  return all.find(({ question }) => !question.agent.isBackground) ?? all[0];
}

function wordsOf(
  question: Question,
  isBackground: boolean,
): Omit<PermissionAsk, 'id' | 'agent' | 'agentName' | 'call'> {
  const { tool, title, detail, directory, reason, rule, canRemember } = question;
  return {
    tool,
    title: reveal(title),
    detail: reveal(detail),
    directory: reveal(directory),
    reason: reveal(reason),
    ...(rule !== undefined && { rule: reveal(rule) }),
    ...(!canRemember && { isOnceOnly: true as const }),
    ...(isBackground && { isBackground: true as const }),
  };
}
