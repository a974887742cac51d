import { compact, compactIfNeeded } from '../context/compact.ts';
import { buildRequest } from '../context/request.ts';
import { type AssistantMessage, textOf, toolUses, type UserMessage } from '../messages/types.ts';
import { ModelError } from '../model/provider.ts';
import type { Agent } from './agent.ts';
import type { EndStatus } from './events.ts';
import { type Answer, type StepDependencies, StepStopped, takeStep } from './step.ts';

export type LoopDependencies = StepDependencies & {
  /** Share of the context window at which the history is made shorter. */
  readonly compactAt: number;
};

export type RunEnd = {
  readonly status: Exclude<EndStatus, 'cached'>;
  /** The final text; for a stopped or failed run what there was last. */
  readonly text: string;
  readonly error?: string;
};

/** Answers in a row that may be cut off or paused before the run ends. */
const maxInterruptions = 3;

/**
 * Runs an agent on what its history ends with, until it has answered, a limit is reached, or the signal aborts.
 * The history is valid afterwards, whatever happened. Never rejects for a failure of the model or a tool.
 */
export async function run(agent: Agent, dependencies: LoopDependencies, signal: AbortSignal): Promise<RunEnd> {
  let interruptions = 0;
  let hasMadeRoom = false;
  agent.steps = 0;
  agent.emit({ type: 'agent-status', activity: 'running' });
  try {
    for (;;) {
      if (signal.aborted) return stopped(agent, '');
      if (agent.steps >= agent.maxSteps) return await forceAnswer(agent, dependencies, signal);
      await compactIfNeeded(agent, dependencies, signal);
      agent.steps += 1;

      let answer: Answer;
      try {
        answer = await takeStep(agent, buildRequest(agent, 'auto'), dependencies, signal);
      } catch (error) {
        if (!(error instanceof ModelError) || error.kind !== 'context_exceeded' || hasMadeRoom) throw error;
        hasMadeRoom = true;
        await compact(agent, dependencies, signal);
        continue;
      }

      const { stopReason, message, batch } = answer;
      switch (stopReason) {
        case 'refusal':
          batch.cancel();
          return refused(agent, message);
        case 'model_context_window_exceeded':
          batch.cancel();
          if (hasMadeRoom) return windowFull(agent, message);
          hasMadeRoom = true;
          await compact(agent, dependencies, signal);
          continue;
        case 'max_tokens':
        case 'pause_turn':
          interruptions += 1;
          break;
        case 'end_turn':
        case 'tool_use':
        case 'stop_sequence':
          interruptions = 0;
      }

      agent.append(message);
      if (stopReason === 'max_tokens' && message.content.at(-1)?.type === 'tool_use') batch.cutLast();
      const hasCalls = toolUses(message).length > 0;
      if (hasCalls) agent.append(await batch.finish());
      if (interruptions > maxInterruptions) return interrupted(message, stopReason);
      if (stopReason === 'max_tokens' && !hasCalls) agent.append(userText(continueInstruction));
      if (!hasCalls && stopReason !== 'max_tokens' && stopReason !== 'pause_turn') {
        return { status: 'completed', text: textOf(message) };
      }
    }
  } catch (error) {
    if (error instanceof StepStopped) return stopped(agent, error.text);
    if (signal.aborted) return stopped(agent, '');
    return { status: 'failed', text: lastText(agent), error: error instanceof Error ? error.message : String(error) };
  }
}

const continueInstruction = 'Your answer was cut off by the limit on output length. Go on exactly where it stopped.';

/** One more request without tools, for the answer from what was gathered. */
async function forceAnswer(agent: Agent, dependencies: LoopDependencies, signal: AbortSignal): Promise<RunEnd> {
  const limit = `The limit of ${agent.maxSteps} steps is reached.`;
  await compactIfNeeded(agent, dependencies, signal);
  agent.append(userText(`${limit} Do not call tools. Answer now from what you have gathered; say what is missing.`));
  agent.steps += 1;
  const { message } = await takeStep(agent, buildRequest(agent, 'none'), dependencies, signal);
  agent.append(message);
  return { status: 'limit_reached', text: textOf(message) || lastText(agent), error: limit };
}

function stopped(agent: Agent, streamed: string): RunEnd {
  if (streamed.trim() !== '') agent.append({ role: 'assistant', content: [{ type: 'text', text: streamed }] });
  return { status: 'stopped', text: streamed || lastText(agent), error: 'Stopped by the user.' };
}

/** A refused answer must not be sent back; a note keeps the turns alternating. */
function refused(agent: Agent, message: AssistantMessage): RunEnd {
  const error = 'The model declined to go on with this request. Put it in other words, or try another model.';
  const text = textOf(message);
  agent.append({ role: 'assistant', content: [{ type: 'text', text: text || '[The model declined to answer.]' }] });
  return { status: 'failed', text, error };
}

function windowFull(agent: Agent, message: AssistantMessage): RunEnd {
  const error =
    'The conversation no longer fits into the context window of the model, even after it was summarised. Start a new chat, or ask about fewer or smaller files.';
  return { status: 'failed', text: textOf(message) || lastText(agent), error };
}

function interrupted(message: AssistantMessage, stopReason: 'max_tokens' | string): RunEnd {
  const error =
    stopReason === 'max_tokens'
      ? `The answer hit the limit on output length ${maxInterruptions + 1} times in a row. Ask for smaller steps.`
      : `The model paused ${maxInterruptions + 1} times in a row without finishing.`;
  return { status: 'limit_reached', text: textOf(message), error };
}

function userText(text: string): UserMessage {
  return { role: 'user', content: [{ type: 'text', text }] };
}

/** The last words of the agent, for runs that ended without an answer. */
function lastText(agent: Agent): string {
  for (const message of agent.history.toReversed()) {
    if (message.role === 'assistant' && textOf(message).trim() !== '') return textOf(message);
  }
  return '';
}
