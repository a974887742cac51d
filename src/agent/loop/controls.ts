import { unlessAborted } from './unlessAborted.ts';

/** What the user and other agents do to a running agent. It takes effect between two steps, so its history stays valid. */
export class Controls {
  readonly #notes: string[] = [];
  #isToCompact = false;
  #halted: string | undefined;
  #resume: (() => void) | undefined;
  #paused: Promise<void> | undefined;
  #isHeld = false;

  get isPaused(): boolean {
    return this.#paused !== undefined;
  }

  /** It is to pause and has not come to the end of its step. */
  get isPausing(): boolean {
    return this.isPaused && !this.#isHeld;
  }

  /** The agent reads it before its next step; an agent that was about to finish goes on. */
  tell(note: string): void {
    this.#notes.push(note);
  }

  get hasNotes(): boolean {
    return this.#notes.length > 0;
  }

  takeNotes(): readonly string[] {
    return this.#notes.splice(0);
  }

  /** Its history is made shorter before its next step. */
  askToCompact(): void {
    this.#isToCompact = true;
  }

  /** @returns whether that was asked for since the last call */
  takeCompaction(): boolean {
    const isAsked = this.#isToCompact;
    this.#isToCompact = false;
    return isAsked;
  }

  /** It ends before its next step, and none of its calls is run until then. */
  halt(reason: string): void {
    this.#halted ??= reason;
  }

  /** Why it is to end. */
  get halted(): string | undefined {
    return this.#halted;
  }

  pause(): void {
    this.#paused ??= new Promise((resolve) => {
      this.#resume = resolve;
    });
  }

  resume(): void {
    this.#resume?.();
    this.#resume = undefined;
    this.#paused = undefined;
  }

  /** Resolves when the agent may go on, or the signal aborts. */
  async untilResumed(signal: AbortSignal): Promise<void> {
    if (!this.#paused || signal.aborted) return;
    this.#isHeld = true;
    await unlessAborted(this.#paused, signal);
    this.#isHeld = false;
  }
}
