import type { Clock } from '../host.ts';
import type { ModelRequest, Provider } from '../model/provider.ts';
import { streamWithRetry } from '../model/retry.ts';
import type { Agent } from './agent.ts';
import { Batch, type ExecuteCall } from './batch.ts';
import { type Answer, IncomingAnswer } from './incomingAnswer.ts';

export type StepDependencies = {
  readonly provider: Provider;
  readonly clock: Clock;
  readonly random: () => number;
  /** Milliseconds without a byte before a request is given up and sent again. */
  readonly stallMs: number;
  readonly execute: (agent: Agent) => ExecuteCall;
};

/** What was streamed when a step was stopped: text that the user has seen. */
export class StepStopped extends Error {
  readonly text: string;
  constructor(text: string) {
    super('stopped');
    this.text = text;
  }
}

/**
 * One request and its answer, with calls started as they complete.
 * @throws ModelError when there is no answer to be had; StepStopped when the signal aborts
 */
export async function takeStep(
  agent: Agent,
  request: ModelRequest,
  dependencies: StepDependencies,
  signal: AbortSignal,
): Promise<Answer> {
  const { clock, random, stallMs, provider } = dependencies;
  const batch = new Batch(agent.tools, dependencies.execute(agent), signal);
  const incoming = new IncomingAnswer(agent, batch, request.toolChoice !== 'none');
  agent.emit({ type: 'step-start', step: agent.steps, model: request.model });
  try {
    for await (const event of streamWithRetry(provider, request, { clock, random, stallMs }, signal)) {
      const answer = incoming.take(event);
      if (answer) return answer;
    }
  } catch (error) {
    batch.cancel();
    if (signal.aborted) throw new StepStopped(incoming.streamed);
    throw error;
  }
  throw new Error('The provider ended an answer without message-end.');
}
