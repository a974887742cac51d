import type { PermissionAnswer, PermissionAsk } from '../../host.ts';
import type { Agent } from '../../loop/agent.ts';
import type { Explanation } from '../explaining/explanation.ts';
import { reveal } from '../reveal.ts';

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

/** What is shown of it: nothing hides in it. */
export function wordsOf(
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
