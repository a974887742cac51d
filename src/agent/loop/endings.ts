import { type AssistantMessage, textOf } from '../messages/types.ts';
import type { Agent } from './agent.ts';
import type { EndStatus } from './events.ts';

export type RunEnd = {
  readonly status: Exclude<EndStatus, 'cached'>;
  /** The final text; for a stopped or failed run what there was last. */
  readonly text: string;
  readonly error?: string;
  /** Nobody wanted it to end. */
  readonly isInterrupted?: true;
};

/** The reason of an abort that is no wish of the user: the conversation closes while agents work. */
export class Interruption extends Error {
  constructor() {
    super('Interrupted: the conversation was closed while this ran.');
  }
}

/** How a run ends whose signal has aborted. @param streamed what the user has seen of an unfinished answer */
export function stopped(agent: Agent, signal: AbortSignal, streamed: string): RunEnd {
  if (streamed.trim() !== '') agent.append({ role: 'assistant', content: [{ type: 'text', text: streamed }] });
  return { status: 'stopped', text: streamed || lastText(agent), ...whyStopped(signal) };
}

export function whyStopped({ reason }: AbortSignal): Pick<RunEnd, 'isInterrupted'> & { readonly error: string } {
  return reason instanceof Interruption
    ? { error: reason.message, isInterrupted: true }
    : { error: 'Stopped by the user.' };
}

/** It was told to end, by something that said so itself. */
export function halted(agent: Agent, reason: string): RunEnd {
  return { status: 'stopped', text: lastText(agent), error: reason };
}

/** @param advice what to do about it, where more is known than the error says */
export function failed(agent: Agent, error: unknown, advice: string | undefined): RunEnd {
  const message = error instanceof Error ? error.message : String(error);
  return { status: 'failed', text: lastText(agent), error: advice === undefined ? message : `${message} ${advice}` };
}

/** A refused answer must not be sent back; a note keeps the turns alternating. */
export function refused(agent: Agent, message: AssistantMessage): RunEnd {
  const error = 'The model declined to go on with this request. Put it in other words, or try another model.';
  const text = textOf(message);
  agent.append({ role: 'assistant', content: [{ type: 'text', text: text || '[The model declined to answer.]' }] });
  return { status: 'failed', text, error };
}

export function windowFull(agent: Agent, message: AssistantMessage): RunEnd {
  const error =
    'The conversation no longer fits into the context window of the model, even after it was summarised. Start a new chat, or ask about fewer or smaller files.';
  return { status: 'failed', text: textOf(message) || lastText(agent), error };
}

export function interrupted(message: AssistantMessage, times: number): RunEnd {
  const error = `The model broke off its answer ${times} times in a row (limit on output length, or paused). Ask for smaller steps.`;
  return { status: 'limit_reached', text: textOf(message), error };
}

/** The last words of the agent, for runs that ended without an answer. */
export function lastText(agent: Agent): string {
  for (const message of agent.history.toReversed()) {
    if (message.role === 'assistant' && textOf(message).trim() !== '') return textOf(message);
  }
  return '';
}
