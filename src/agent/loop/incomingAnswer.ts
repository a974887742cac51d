import type { AssistantBlock, AssistantMessage } from '../messages/types.ts';
import type { ModelEvent, StopReason } from '../model/provider.ts';
import type { RetryEvent } from '../model/retry.ts';
import { findTool } from '../tools/tool.ts';
import type { Agent } from './agent.ts';
import type { Batch } from './batch.ts';

export type Answer = {
  readonly stopReason: StopReason;
  readonly message: AssistantMessage;
  /** The calls of the message; some run already. */
  readonly batch: Batch;
};

/** The answer of a step while it streams: what has come is told, and its calls begin as they complete. */
export class IncomingAnswer {
  readonly #agent: Agent;
  readonly #batch: Batch;
  readonly #takesCalls: boolean;
  readonly #step: number;
  #blocks: AssistantBlock[] = [];
  #streamed = '';
  #isRetrying = false;

  constructor(agent: Agent, batch: Batch, takesCalls: boolean) {
    this.#agent = agent;
    this.#batch = batch;
    this.#takesCalls = takesCalls;
    this.#step = agent.steps;
  }

  /** The text that the user has seen. */
  get streamed(): string {
    return this.#streamed;
  }

  /** @returns the answer, once it is whole */
  take(event: ModelEvent | RetryEvent): Answer | undefined {
    const agent = this.#agent;
    const step = this.#step;
    if (this.#isRetrying && event.type !== 'retry') {
      this.#isRetrying = false;
      agent.emit({ type: 'agent-status', activity: 'running' });
    }
    switch (event.type) {
      case 'alive':
        break;
      case 'text-delta':
        this.#streamed += event.text;
        agent.emit({ type: 'text-delta', step, text: event.text });
        break;
      case 'thinking-delta':
        agent.emit({ type: 'thinking-delta', step, text: event.text });
        break;
      case 'call-start':
        if (this.#takesCalls) findTool(agent.tools, event.name)?.anticipate?.();
        break;
      case 'block-end':
        this.#add(event);
        break;
      case 'retry':
        this.#restart(event);
        break;
      case 'message-end':
        agent.countUsage(event.usage);
        agent.emit({ type: 'step-end', step, stopReason: event.stopReason });
        return {
          stopReason: event.stopReason,
          message: { role: 'assistant', content: this.#blocks },
          batch: this.#batch,
        };
    }
    return undefined;
  }

  #add({ block, invalidInput }: Extract<ModelEvent, { type: 'block-end' }>): void {
    if (block.type !== 'tool_use') this.#blocks.push(block);
    else if (this.#takesCalls)
      this.#blocks.push(this.#batch.add({ block, ...(invalidInput !== undefined && { invalidInput }) }));
  }

  /** What has come counts for nothing: the request is sent again. */
  #restart({ reason, delayMs }: RetryEvent): void {
    this.#blocks = [];
    this.#streamed = '';
    this.#isRetrying = true;
    this.#batch.restart();
    this.#agent.emit({ type: 'step-retry', step: this.#step, reason, delayMs });
    this.#agent.emit({ type: 'agent-status', activity: 'retrying', detail: reason });
  }
}
