import { randomUUID } from 'node:crypto';
import type { PermissionAnswer, Prompts } from '../host.ts';
import type { Agent } from '../loop/agent.ts';
import { reveal } from './reveal.ts';

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
};

/** Asks the user. Identical questions that are open at the same time are one, with one answer for all who ask. */
export interface Broker {
  ask(question: Question, signal: AbortSignal): Promise<PermissionAnswer>;
}

type Waiting = {
  readonly question: Question;
  readonly settle: (answer: PermissionAnswer) => void;
};

type Open = {
  readonly waiting: Set<Waiting>;
  /** Ends the question that is shown now. */
  showing: AbortController | undefined;
};

const stopped: PermissionAnswer = { decision: 'deny', scope: 'once', by: 'stopped' };

/** @param remember called with each answer that holds for longer, before those who wait are told */
export function createBroker(
  prompts: Prompts,
  remember: (question: Question, answer: PermissionAnswer) => Promise<void>,
): Broker {
  const openByKey = new Map<string, Open>();

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
        const isShown = [...open.waiting][0] === entry;
        entry.settle(stopped);
        // The question stands in this agent's name: it goes on in the name of the next one, or ends.
        if (isShown) open.showing?.abort();
      };
      signal.addEventListener('abort', leave);
      open.waiting.add(entry);
      question.agent.emit({ type: 'agent-status', activity: 'waiting_user', detail: question.title });
      if (openByKey.has(key)) return;
      openByKey.set(key, open);
      void answerAll(key, open);
    });
  }

  async function answerAll(key: string, open: Open): Promise<void> {
    for (let [entry] = open.waiting; entry; [entry] = open.waiting) {
      const controller = new AbortController();
      open.showing = controller;
      const answer = await put(entry.question, controller.signal);
      open.showing = undefined;
      if (answer === 'withdrawn') continue;
      for (const waiting of [...open.waiting]) waiting.settle(answer);
    }
    openByKey.delete(key);
  }

  /** Shows it until somebody answers, a new rule does, or nobody wants to know any more. */
  async function put(question: Question, signal: AbortSignal): Promise<PermissionAnswer | 'withdrawn'> {
    const { agent, call, tool, title, directory, reason, rule, canRemember } = question;
    const known = await question.recheck().catch(() => undefined);
    if (known) return known;
    if (signal.aborted) return 'withdrawn';
    const id = randomUUID();
    const shown = {
      call,
      tool,
      title,
      detail: reveal(question.detail),
      directory,
      reason,
      ...(rule !== undefined && { rule: reveal(rule) }),
      ...(!canRemember && { isOnceOnly: true as const }),
    };
    agent.emit({ type: 'permission-ask', ask: id, agentName: agent.identity.name, ...shown });
    const asked = new AbortController();
    const limited = AbortSignal.any([signal, asked.signal]);
    const byRule = new Promise<PermissionAnswer>((resolve) => onNewRules(question, resolve, limited));
    const given = prompts
      .permission({ id, agent: agent.identity.id, agentName: agent.identity.name, ...shown }, limited)
      .catch((): PermissionAnswer => ({ decision: 'deny', scope: 'once', by: 'dismissed' }));
    const withdrawn = new Promise<PermissionAnswer>((resolve) =>
      signal.addEventListener('abort', () => resolve(stopped), { once: true }),
    );
    const first = await Promise.race([given, byRule, withdrawn]);
    // A click that comes after Stop counts for nothing.
    const isWithdrawn = signal.aborted;
    asked.abort();
    const answer = isWithdrawn ? stopped : first;
    agent.emit({ type: 'permission-answer', ask: id, call, ...answer });
    if (isWithdrawn) return 'withdrawn';
    if (answer.decision === 'allow' && answer.scope !== 'once' && canRemember) {
      await remember(question, answer);
      tellNewRules();
    }
    return answer;
  }

  const listeners = new Set<() => void>();

  function tellNewRules(): void {
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

  return { ask };
}
