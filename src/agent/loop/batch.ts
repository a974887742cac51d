import type { ToolResultBlock, ToolUseBlock, UserMessage } from '../messages/types.ts';
import { findTool, type Tool } from '../tools/tool.ts';
import { canonicalJson } from './canonical.ts';

/** Runs one call to its end. Never rejects: every failure is a result. */
export type ExecuteCall = (call: RequestedCall, signal: AbortSignal) => Promise<ToolResultBlock>;

/** A call as the model asked for it; `invalidInput` is the raw text of an input that is not a JSON object. */
export type RequestedCall = { readonly block: ToolUseBlock; readonly invalidInput?: string };

type StartedCall = {
  readonly id: string;
  readonly result: Promise<ToolResultBlock>;
  readonly controller: AbortController;
};

/**
 * The calls of one step. Concurrency-safe calls (reads, searches, delegations) run together and start as soon as they are
 * complete, while the message still streams; the others run alone and in order. Results stand in call order.
 *
 * When a stream dies and the step is asked again, calls that run already are kept: an identical call of the new answer
 * takes the running one's place in the history, so nothing runs twice; the rest is cancelled.
 */
export class Batch {
  readonly #execute: ExecuteCall;
  readonly #isConcurrent: (name: string) => boolean;
  readonly #signal: AbortSignal;
  readonly #calls: RequestedCall[] = [];
  readonly #running = new Map<string, StartedCall>();
  readonly #orphans = new Map<string, StartedCall[]>();

  constructor(tools: readonly Tool[], execute: ExecuteCall, signal: AbortSignal) {
    this.#execute = execute;
    this.#signal = signal;
    this.#isConcurrent = (name) => findTool(tools, name)?.isConcurrent ?? false;
  }

  /** Takes a complete call. @returns the block as it belongs into the history */
  add(call: RequestedCall): ToolUseBlock {
    const adopted = this.#adopt(call.block);
    const block = adopted ? { ...call.block, id: adopted.id } : call.block;
    const isNext = this.#calls.every(({ block: earlier }) => this.#isConcurrent(earlier.name));
    this.#calls.push({ ...call, block });
    if (!adopted && isNext && this.#isConcurrent(block.name)) this.#start({ ...call, block });
    return block;
  }

  /** The stream died: what was asked for is void, what runs may be taken over by the next answer. */
  restart(): void {
    for (const { block } of this.#calls) {
      const started = this.#running.get(block.id);
      if (!started) continue;
      const key = callKey(block);
      this.#orphans.set(key, [...(this.#orphans.get(key) ?? []), started]);
      this.#running.delete(block.id);
    }
    this.#calls.length = 0;
  }

  /** Cancels all that runs. */
  cancel(): void {
    for (const started of this.#running.values()) started.controller.abort();
    this.#cancelOrphans();
  }

  /** Takes back the last call: it was cut off and is answered without being run. */
  cutLast(): void {
    const last = this.#calls.at(-1);
    if (!last) return;
    this.#running.get(last.block.id)?.controller.abort();
    const explanation =
      'This call was cut off by the limit on output length and was not run. Send it again with a shorter input, or in parts.';
    this.#running.set(last.block.id, {
      id: last.block.id,
      controller: new AbortController(),
      result: Promise.resolve(errorResult(last.block.id, explanation)),
    });
  }

  /** Runs what is left and waits for all. An abort answers every call. */
  async finish(): Promise<UserMessage> {
    this.#cancelOrphans();
    const results: Promise<ToolResultBlock>[] = [];
    for (const call of this.#calls) {
      if (!this.#isConcurrent(call.block.name)) await Promise.all(results);
      const started = this.#running.get(call.block.id) ?? this.#start(call);
      results.push(started.result);
      if (!this.#isConcurrent(call.block.name)) await started.result;
    }
    return { role: 'user', content: await Promise.all(results) };
  }

  #start(call: RequestedCall): StartedCall {
    const controller = new AbortController();
    const signal = AbortSignal.any([this.#signal, controller.signal]);
    const started = { id: call.block.id, controller, result: this.#execute(call, signal) };
    this.#running.set(call.block.id, started);
    return started;
  }

  #adopt(block: ToolUseBlock): StartedCall | undefined {
    const started = this.#orphans.get(callKey(block))?.shift();
    if (started) this.#running.set(started.id, started);
    return started;
  }

  #cancelOrphans(): void {
    for (const started of [...this.#orphans.values()].flat()) started.controller.abort();
    this.#orphans.clear();
  }
}

export function errorResult(call: string, text: string): ToolResultBlock {
  return { type: 'tool_result', tool_use_id: call, content: text, is_error: true };
}

function callKey(block: ToolUseBlock): string {
  return `${block.name} ${canonicalJson(block.input)}`;
}
