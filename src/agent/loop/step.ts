import type { Clock } from '../host.ts';
import type { AssistantBlock, AssistantMessage } from '../messages/types.ts';
import type { ModelRequest, Provider, StopReason } from '../model/provider.ts';
import { streamWithRetry } from '../model/retry.ts';
import { findTool } from '../tools/tool.ts';
import type { Agent } from './agent.ts';
import { Batch, type ExecuteCall } from './batch.ts';

export type StepDependencies = {
  readonly provider: Provider;
  readonly clock: Clock;
  readonly random: () => number;
  /** Milliseconds without a byte before a request is given up and sent again. */
  readonly stallMs: number;
  readonly execute: (agent: Agent) => ExecuteCall;
};

export type Answer = {
  readonly stopReason: StopReason;
  readonly message: AssistantMessage;
  /** The calls of the message; some run already. */
  readonly batch: Batch;
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
  const { clock, random, stallMs } = dependencies;
  const step = agent.steps;
  const batch = new Batch(agent.tools, dependencies.execute(agent), signal);
  const takesCalls = request.toolChoice !== 'none';
  let blocks: AssistantBlock[] = [];
  let streamed = '';
  let isRetrying = false;

  agent.emit({ type: 'step-start', step, model: request.model });
  try {
    for await (const event of streamWithRetry(dependencies.provider, request, { clock, random, stallMs }, signal)) {
      if (isRetrying && event.type !== 'retry') {
        isRetrying = false;
        agent.emit({ type: 'agent-status', activity: 'running' });
      }
      switch (event.type) {
        case 'alive':
          break;
        case 'text-delta':
          streamed += event.text;
          agent.emit({ type: 'text-delta', step, text: event.text });
          break;
        case 'thinking-delta':
          agent.emit({ type: 'thinking-delta', step, text: event.text });
          break;
        case 'call-start':
          if (takesCalls) findTool(agent.tools, event.name)?.anticipate?.();
          break;
        case 'block-end':
          if (event.block.type !== 'tool_use') blocks.push(event.block);
          else if (takesCalls) {
            const { block, invalidInput } = event;
            blocks.push(batch.add({ block, ...(invalidInput !== undefined && { invalidInput }) }));
          }
          break;
        case 'retry':
          blocks = [];
          streamed = '';
          isRetrying = true;
          batch.restart();
          agent.emit({ type: 'step-retry', step, reason: event.reason, delayMs: event.delayMs });
          agent.emit({ type: 'agent-status', activity: 'retrying', detail: event.reason });
          break;
        case 'message-end':
          agent.countUsage(event.usage);
          agent.emit({ type: 'step-end', step, stopReason: event.stopReason });
          return { stopReason: event.stopReason, message: { role: 'assistant', content: blocks }, batch };
      }
    }
  } catch (error) {
    batch.cancel();
    if (signal.aborted) throw new StepStopped(streamed);
    throw error;
  }
  throw new Error('The provider ended an answer without message-end.');
}
