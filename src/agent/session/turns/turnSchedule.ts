import type { Agent } from '../../loop/agent.ts';
import type { Interruption } from '../../loop/endings.ts';
import { leadSource } from '../lead.ts';
import type { EventLog } from '../record/eventLog.ts';
import type { TurnResult } from '../session.ts';
import type { LeadTurns } from './leadTurns.ts';
import type { Naming } from './naming.ts';
import { PromptQueue, queuedPrompts } from './promptQueue.ts';

type ScheduleParts = {
  readonly events: EventLog;
  readonly lead: LeadTurns;
  readonly naming: Naming;
  /** As asked for by now: a model id or an alias. */
  readonly model: () => string;
};

type Turn = { readonly controller: AbortController; lead: Agent | undefined; ended?: Promise<TurnResult> };

/** One thing at a time for the lead: the turn that runs, the prompts that wait behind it, and the reports that wake it. */
export class TurnSchedule {
  readonly #parts: ScheduleParts;
  readonly #queue: PromptQueue;
  #isClosing = false;
  #turn: Turn | undefined;
  #last: TurnResult | undefined;

  constructor(parts: ScheduleParts) {
    const { events } = parts;
    this.#parts = parts;
    const tell = (prompts: readonly string[]) => events.emit(leadSource, { type: 'prompt-queue', prompts });
    this.#queue = new PromptQueue(tell, queuedPrompts(events.events));
  }

  get isRunning(): boolean {
    return this.#turn !== undefined;
  }

  /** Of the running turn, once it is there. */
  get lead(): Agent | undefined {
    return this.#turn?.lead;
  }

  /** Of the running turn; never rejects. */
  get ended(): Promise<TurnResult> | undefined {
    return this.#turn?.ended;
  }

  get last(): TurnResult | undefined {
    return this.#last;
  }

  /** Now, or when what runs and what waits before it has ended. Never rejects. */
  send(prompt: string): Promise<TurnResult> {
    return this.#turn ? this.#queue.add(prompt) : this.#begin(prompt);
  }

  /** @returns false when that prompt does not wait there any more */
  unqueue(index: number, prompt: string): boolean {
    return this.#queue.remove(index, prompt);
  }

  /** Another turn where the last one was interrupted; nothing while one runs. */
  goOn(): void {
    if (!this.#turn) void this.#begin(this.#parts.lead.goOnPrompt());
  }

  /** Before the next step of a running turn, else now. Never rejects. */
  async compact(): Promise<void> {
    if (this.#turn) return this.#turn.lead?.controls.askToCompact();
    const { lead, model } = this.#parts;
    await this.#occupy((turn) => lead.compact(model(), turn.controller.signal));
  }

  /** That of the running turn, or one that begins none. @throws Error for people when its model is not to be had */
  async leadNow(signal: AbortSignal): Promise<Agent> {
    return this.#turn?.lead ?? (await this.#parts.lead.resting(this.#parts.model(), signal));
  }

  /** A working lead reads it before its next step, a resting one is woken, or not if it `isQuiet`. */
  tellLead(note: string, isQuiet: boolean): void {
    const working = this.#turn?.lead;
    if (working?.isRunning) working.controls.tell(note);
    else this.#parts.lead.notes.push(note);
    if (!this.#turn && !isQuiet) this.#wake();
  }

  /** @param reason left out: the user wants it */
  stop(reason?: Interruption): void {
    this.#turn?.controller.abort(reason);
  }

  /** Nothing follows on the running turn. What waits is there again when the session is opened. */
  close(): void {
    this.#isClosing = true;
    this.#queue.leave();
  }

  reopen(): void {
    this.#isClosing = false;
  }

  #begin(prompt: string, by?: 'agent'): Promise<TurnResult> {
    const { lead, naming, model } = this.#parts;
    return this.#occupy(async (turn) => {
      const onLead = (agent: Agent) => {
        turn.lead = agent;
      };
      this.#last = await lead.run({ prompt, by, model: model(), onLead }, turn.controller.signal);
      naming.consider(prompt, model(), this.#last);
      return this.#last;
    });
  }

  /** @param work never rejects */
  #occupy(work: (turn: Turn) => Promise<TurnResult>): Promise<TurnResult> {
    const turn: Turn = { controller: new AbortController(), lead: undefined };
    this.#turn = turn;
    turn.ended = work(turn).then((result) => {
      this.#turn = undefined;
      this.#follow(result);
      return result;
    });
    return turn.ended;
  }

  /** What comes after a turn: the next prompt, or what background agents reported meanwhile. */
  #follow({ status }: TurnResult): void {
    // Whoever stops wants quiet: what waits follows the next prompt.
    if (this.#isClosing || status === 'stopped') return;
    const next = this.#queue.take();
    if (next) void this.#begin(next.prompt).then(next.resolve);
    else this.#wake();
  }

  #wake(): void {
    const note = this.#parts.lead.notes.shift();
    if (note !== undefined) void this.#begin(note, 'agent');
  }
}
