import type { Agent } from '../../../loop/agent.ts';
import { type FireFor, inFrame } from '../callHooks.ts';
import { refusalOf } from '../firing/fire.ts';

export type Opening =
  /** Texts for the model, behind the prompt. */
  { readonly kind: 'go'; readonly contexts: readonly string[] } | { readonly kind: 'refused'; readonly reason: string };

/**
 * Shows hooks that a turn begins, and before the first one that the session does.
 * @returns a function; its `prompt` is undefined where it is not the user's
 */
export function createTurnOpening(
  fireFor: FireFor,
  isResumed: boolean,
): (lead: Agent, prompt: string | undefined, signal: AbortSignal) => Promise<Opening> {
  let isOpened = false;

  async function openSession(lead: Agent, signal: AbortSignal): Promise<Opening> {
    if (isOpened) return { kind: 'go', contexts: [] };
    isOpened = true;
    const source = isResumed ? 'resume' : 'startup';
    const about = { subjects: [source], fields: { source, model: lead.model.id } };
    const fired = await fireFor('SessionStart', lead, about, signal);
    if (fired?.halt !== undefined) return { kind: 'refused', reason: fired.halt };
    return { kind: 'go', contexts: (fired?.contexts ?? []).map((text) => inFrame('SessionStart', text)) };
  }

  return async (lead, prompt, signal) => {
    const session = await openSession(lead, signal);
    if (session.kind === 'refused' || prompt === undefined) return session;
    const fired = await fireFor('UserPromptSubmit', lead, { fields: { prompt } }, signal);
    const reason = refusalOf(fired);
    if (reason !== undefined) return { kind: 'refused', reason: `A hook blocked this prompt. ${reason}` };
    const contexts = (fired?.contexts ?? []).map((text) => inFrame('UserPromptSubmit', text));
    return { kind: 'go', contexts: [...session.contexts, ...contexts] };
  };
}
