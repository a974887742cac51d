import type { PermissionAnswer, Prompts } from '../agent/index.ts';

/** Answers for a person who is not there: as the flag says, and without one with no. */
export function createFlagPrompts(answer: 'allow' | 'deny' | undefined): Prompts {
  const nobody = 'Nobody is there to ask (start with --answer allow to permit this).';
  const reason = answer === undefined ? { reason: nobody } : {};
  const permission: PermissionAnswer =
    answer === 'allow'
      ? { decision: 'allow', scope: 'once', by: 'flag' }
      : { decision: 'deny', scope: 'once', by: 'flag', ...reason };
  return {
    permission: async () => permission,
    review: async ({ after }) =>
      answer === 'allow' ? { decision: 'accept', text: after } : { decision: 'reject', ...reason },
    question: async () => undefined,
  };
}
