import { type CompactDependencies, compact, compactIfAsked } from '../context/compact.ts';
import { fitRequest } from '../context/fit.ts';
import { buildRequest } from '../context/request.ts';
import type { Clock } from '../host.ts';
import { textOf, toolUses, type UserMessage } from '../messages/types.ts';
import { ModelError, type ModelRequest } from '../model/provider.ts';
import type { Agent } from './agent.ts';
import { failed, halted, interrupted, lastText, type RunEnd, refused, stopped, windowFull } from './endings.ts';
import type { Answer } from './incomingAnswer.ts';
import type { ReachedLimit } from './limits.ts';
import { StepStopped, takeStep } from './step.ts';

export type { RunEnd } from './endings.ts';

export type LoopDependencies = CompactDependencies & {
  /** Whether the user grants an agent as much again; false when nobody is there. */
  readonly askForMore: (agent: Agent, limit: ReachedLimit, signal: AbortSignal) => Promise<boolean>;
  /** What to do about a failure, where more is known than the error says. Must not reject. */
  readonly advise?: (error: unknown, signal: AbortSignal) => Promise<string | undefined>;
  /** Before an agent's first step. Must not reject. */
  readonly beforeStart?: (agent: Agent, signal: AbortSignal) => Promise<void>;
  /** Asked when an agent has answered. @returns what it must still hear and act on; undefined: it has ended */
  readonly beforeEnd?: (agent: Agent, signal: AbortSignal) => Promise<string | undefined>;
};

/** Answers in a row that may be cut off or paused before the run ends. */
const maxInterruptions = 3;

/**
 * Runs an agent on what its history ends with, until it has answered, a limit is reached, or the signal aborts.
 * The history is valid afterwards, whatever happened. Never rejects for a failure of the model or a tool.
 */
export async function run(agent: Agent, dependencies: LoopDependencies, signal: AbortSignal): Promise<RunEnd> {
  let interruptions = 0;
  agent.begin(dependencies.clock.now());
  try {
    await dependencies.beforeStart?.(agent, signal);
    for (;;) {
      await atBoundary(agent, dependencies, signal);
      if (signal.aborted) return stopped(agent, signal, '');
      if (agent.controls.halted !== undefined) return halted(agent, agent.controls.halted);
      const limit = await reachedLimit(agent, dependencies, signal);
      if (signal.aborted) return stopped(agent, signal, '');
      if (limit !== undefined) return await forceAnswer(agent, limit, dependencies, signal);

      const { stopReason, message, batch } = await nextAnswer(agent, 'auto', dependencies, signal);
      if (stopReason === 'refusal' || stopReason === 'model_context_window_exceeded') {
        batch.cancel();
        return stopReason === 'refusal' ? refused(agent, message) : windowFull(agent, message);
      }
      agent.append(message);

      const isCut = stopReason === 'max_tokens';
      const isInterrupted = isCut || stopReason === 'pause_turn';
      const hasCalls = toolUses(message).length > 0;
      if (isCut && message.content.at(-1)?.type === 'tool_use') batch.cutLast();
      if (hasCalls) agent.append(await batch.finish());
      else if (isCut) agent.append(userText(continueInstruction));
      else if (!isInterrupted && !agent.controls.hasNotes) {
        const more = await dependencies.beforeEnd?.(agent, signal);
        if (signal.aborted) return stopped(agent, signal, '');
        if (more !== undefined) agent.append(userText(more));
        else if (!agent.controls.hasNotes) {
          await compactIfAsked(agent, dependencies, signal);
          return { status: 'completed', text: textOf(message) };
        }
      }

      interruptions = isInterrupted ? interruptions + 1 : 0;
      if (interruptions > maxInterruptions) return interrupted(message, interruptions);
    }
  } catch (error) {
    if (error instanceof StepStopped) return stopped(agent, signal, error.text);
    if (signal.aborted) return stopped(agent, signal, '');
    return failed(agent, error, await dependencies.advise?.(error, signal));
  } finally {
    agent.isRunning = false;
  }
}

const continueInstruction = 'Your answer was cut off by the limit on output length. Go on exactly where it stopped.';

/** Between two steps: waits while the agent is paused, and hands over what others wrote to it. */
async function atBoundary(agent: Agent, dependencies: LoopDependencies, signal: AbortSignal): Promise<void> {
  if (agent.controls.isPaused) {
    agent.emit({ type: 'agent-status', activity: 'paused' });
    await excused(agent, dependencies.clock, () => agent.controls.untilResumed(signal));
    agent.emit({ type: 'agent-status', activity: 'running' });
  }
  for (const note of agent.controls.takeNotes()) agent.tell(note);
  await compactIfAsked(agent, dependencies, signal);
}

/** Waits for the user. */
async function excused<Value>(agent: Agent, clock: Clock, wait: () => Promise<Value>): Promise<Value> {
  const since = clock.now();
  try {
    return await wait();
  } finally {
    agent.excuse(clock.now() - since);
  }
}

/** @returns why the agent must answer now; undefined while it may go on */
async function reachedLimit(
  agent: Agent,
  { clock, askForMore }: LoopDependencies,
  signal: AbortSignal,
): Promise<string | undefined> {
  for (;;) {
    const limit = agent.reachedLimit(clock.now());
    if (!limit) break;
    const ask = () => askForMore(agent, limit, signal);
    const isGranted = await excused(agent, clock, () => limit.of.isGranted(limit.kind, ask, signal));
    if (!isGranted) return limit.text;
  }
  const progress = agent.guard.endStep();
  if (progress.kind === 'hint') agent.append(userText(progress.text));
  return progress.kind === 'stuck' ? progress.reason : undefined;
}

/**
 * The next answer. A request that does not fit is not sent; when the server says that it does not, or has no room left to
 * answer, the history is made shorter and the request sent again, once.
 */
async function nextAnswer(
  agent: Agent,
  choice: ModelRequest['toolChoice'],
  dependencies: LoopDependencies,
  signal: AbortSignal,
): Promise<Answer> {
  const request = await fitRequest(agent, choice, dependencies, signal);
  agent.steps += 1;
  let answer: Answer | undefined;
  let tooMuch: ModelError | undefined;
  try {
    answer = await takeStep(agent, request, dependencies, signal);
    if (answer.stopReason !== 'model_context_window_exceeded') return answer;
  } catch (error) {
    const isTooMuch = error instanceof ModelError && (error.kind === 'context_exceeded' || error.kind === 'too_large');
    if (!isTooMuch) throw error;
    tooMuch = error;
  }
  answer?.batch.cancel();
  if (await compact(agent, dependencies, 'exceeded', signal)) {
    return await takeStep(agent, buildRequest(agent, choice), dependencies, signal);
  }
  if (answer) return answer;
  throw tooMuch;
}

/** One more request without tools, for the answer from what was gathered. */
async function forceAnswer(
  agent: Agent,
  limit: string,
  dependencies: LoopDependencies,
  signal: AbortSignal,
): Promise<RunEnd> {
  agent.tell(`${limit} Do not call tools. Answer now from what you have gathered; say what is missing.`);
  const { stopReason, message } = await nextAnswer(agent, 'none', dependencies, signal);
  if (stopReason === 'refusal') return refused(agent, message);
  agent.append(message);
  return { status: 'limit_reached', text: textOf(message) || lastText(agent), error: limit };
}

function userText(text: string): UserMessage {
  return { role: 'user', content: [{ type: 'text', text }] };
}
