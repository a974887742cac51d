import type { AgentEvent } from '../../loop/events.ts';
import { noUsage } from '../../model/pricing.ts';
import type { TurnResult } from '../session.ts';

type Waiting = { readonly prompt: string; readonly resolve: (result: TurnResult) => void };

/** What waited when the session was written last. */
export function queuedPrompts(events: readonly AgentEvent[]): readonly string[] {
  const last = events.findLast((event) => event.type === 'prompt-queue');
  return last?.type === 'prompt-queue' ? last.prompts : [];
}

const stopped: TurnResult = { status: 'stopped', text: '', usage: noUsage, cost: 0 };

/** Prompts that wait for the running turn, in order; every change is told. */
export class PromptQueue {
  readonly #waiting: Waiting[] = [];
  readonly #tell: (prompts: readonly string[]) => void;

  /** @param waiting from before a restart */
  constructor(tell: (prompts: readonly string[]) => void, waiting: readonly string[]) {
    this.#tell = tell;
    this.#waiting.push(...waiting.map((prompt) => ({ prompt, resolve: () => undefined })));
  }

  /** @returns the result of the prompt's turn; `stopped` when it is taken back before */
  add(prompt: string): Promise<TurnResult> {
    const result = new Promise<TurnResult>((resolve) => this.#waiting.push({ prompt, resolve }));
    this.#changed();
    return result;
  }

  take(): Waiting | undefined {
    const next = this.#waiting.shift();
    if (next) this.#changed();
    return next;
  }

  /** @returns false when no such prompt waits there, e.g. since its turn has begun */
  remove(index: number, prompt: string): boolean {
    if (this.#waiting[index]?.prompt !== prompt) return false;
    for (const { resolve } of this.#waiting.splice(index, 1)) resolve(stopped);
    this.#changed();
    return true;
  }

  /** Nobody waits any more for what is queued; it stays as it was told last. */
  leave(): void {
    for (const { resolve } of this.#waiting.splice(0)) resolve(stopped);
  }

  #changed(): void {
    this.#tell(this.#waiting.map(({ prompt }) => prompt));
  }
}
