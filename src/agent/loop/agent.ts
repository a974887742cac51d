import {
  type ContextSize,
  contextParts,
  contextSize,
  type FixedSizes,
  fixedSizes,
  type Measure,
} from '../context/measure.ts';
import { lastRequest } from '../context/shorten.ts';
import type { Ground } from '../gate/places/ground.ts';
import type { Message, UserBlock } from '../messages/types.ts';
import type { ResolvedModel } from '../model/catalog.ts';
import { costOf } from '../model/pricing.ts';
import type { Effort, Usage } from '../model/provider.ts';
import { type Mode, stricterMode } from '../settings.ts';
import type { ReadLog, Tool } from '../tools/tool.ts';
import { Controls } from './controls.ts';
import type { EventBody, Receipt } from './events.ts';
import { Guard } from './guard.ts';
import { type Budget, Limits, type ReachedLimit } from './limits.ts';
import { Meter } from './meter.ts';
import { createReadLog } from './readLog.ts';
import { Tally } from './tally.ts';

export type AgentIdentity = {
  /** `lead`, or six hexadecimal digits. */
  readonly id: string;
  /** What people read; unique in its session. */
  readonly name: string;
  readonly parent: string | null;
  /** 0 for the lead. */
  readonly depth: number;
  /** The name of its definition. */
  readonly type: string;
};

export type AgentSetup = {
  readonly identity: AgentIdentity;
  readonly model: ResolvedModel;
  readonly system: string;
  /** All it may call: the executor refuses everything else. */
  readonly tools: readonly Tool[];
  /** Model answers in one run before the final answer is forced. */
  readonly maxSteps: number;
  /** One that its model takes. */
  readonly effort?: Effort | undefined;
  readonly budget?: Budget;
  readonly history: readonly Message[];
  /** What is known of the history's size; left out: nothing, it is estimated. */
  readonly measure?: Measure | undefined;
  /** Its tokens and money count there too, and the parent's budget binds it. */
  readonly parent: Agent | undefined;
  /** Counts what an agent without a parent spends as well. */
  readonly meter?: Meter;
  /** Left out: it works where its session does. */
  readonly ground?: Ground | undefined;
  /** The mode it is kept to at most; that of its parent binds it too. */
  readonly modeLimit?: Mode;
  /** What it saw of files before; left out: nothing. */
  readonly reads?: ReadLog;
  readonly emit: (body: EventBody) => void;
};

const rememberedChars = 4_000;

/** One agent while it lives: who it is, its history, and how far it may go. */
export class Agent {
  readonly identity: AgentIdentity;
  readonly model: ResolvedModel;
  readonly system: string;
  readonly tools: readonly Tool[];
  readonly effort: Effort | undefined;
  readonly ground: Ground | undefined;
  readonly meter: Meter;
  readonly controls = new Controls();
  readonly guard = new Guard();
  readonly tally = new Tally();
  readonly emit: (body: EventBody) => void;
  readonly reads: ReadLog;
  /** Model answers in the current run. */
  steps = 0;
  readonly #parent: Agent | undefined;
  readonly #modeLimit: Mode | undefined;
  readonly #maxSteps: number;
  readonly #budget: Budget;
  #limits: Limits;
  #history: Message[];
  #measure: Measure | undefined;
  #fixed: FixedSizes | undefined;
  #request: readonly UserBlock[] = [];

  constructor(setup: AgentSetup) {
    this.identity = setup.identity;
    this.model = setup.model;
    this.system = setup.system;
    this.tools = setup.tools;
    this.effort = setup.effort;
    this.ground = setup.ground;
    this.#parent = setup.parent;
    this.#modeLimit = setup.modeLimit;
    this.#maxSteps = setup.maxSteps;
    this.#budget = setup.budget ?? {};
    this.#limits = new Limits(setup.maxSteps, this.#budget, 0);
    this.meter = new Meter(setup.parent?.meter ?? setup.meter);
    this.emit = (body) => setup.emit(this.#withPause(body));
    this.#history = [...setup.history];
    this.#request = lastRequest(setup.history);
    this.#measure = setup.measure;
    this.reads = setup.reads ?? createReadLog();
  }

  /** The mode that holds for it while that of the session is `mode`. */
  modeWithin(mode: Mode): Mode {
    return stricterMode(this.#parent?.modeWithin(mode) ?? mode, this.#modeLimit);
  }

  /** It was sent to the background. */
  isDetached = false;

  /** Nobody waits for it, or for one above it. */
  get isBackground(): boolean {
    return this.isDetached || (this.#parent?.isBackground ?? false);
  }

  /** A run is under way. */
  isRunning = false;

  /** A run begins: steps and time are counted anew. @param now milliseconds since the epoch */
  begin(now: number): void {
    this.isRunning = true;
    this.steps = 0;
    this.#request = lastRequest(this.#history);
    this.#limits = new Limits(this.#maxSteps, this.#budget, now);
    this.emit({ type: 'agent-status', activity: 'running' });
  }

  /** Its own limits, and the budgets of those above it. */
  reachedLimit(now: number): ReachedLimit | undefined {
    const own = { steps: this.steps, usage: this.meter.usage, cost: this.meter.cost, now };
    return this.#limits.reached(own) ?? this.#parent?.reachedBudget(now);
  }

  reachedBudget(now: number): ReachedLimit | undefined {
    const { usage, cost } = this.meter;
    return this.#limits.reachedBudget({ steps: 0, usage, cost, now }) ?? this.#parent?.reachedBudget(now);
  }

  /** Time that passed while the user thought or held it: it costs no budget of minutes. */
  excuse(ms: number): void {
    this.#limits.excuse(ms);
  }

  get history(): readonly Message[] {
    return this.#history;
  }

  append(message: Message): void {
    if (message.content.length === 0) return;
    this.#history.push(message);
    this.emit({ type: 'message-append', step: this.steps, message });
  }

  /** What it works on, word for word: what its run began with and what it was told since. */
  get request(): readonly UserBlock[] {
    return this.#request;
  }

  /** Appends something that it must not forget when its history is made shorter; of a long text, how it begins. */
  tell(text: string): void {
    const block: UserBlock = { type: 'text', text };
    const isLong = text.length > rememberedChars;
    this.#request = [...this.#request, isLong ? { ...block, text: `${text.slice(0, rememberedChars)}…` } : block];
    this.append({ role: 'user', content: [block] });
  }

  /** Takes a shorter history in place of the old one. */
  replaceHistory(
    how: 'drop' | 'summary',
    history: readonly Message[],
    tokensBefore: number,
    tokensAfter: number,
  ): void {
    this.#history = [...history];
    this.guard.forget();
    this.#measure = { tokens: tokensAfter, messages: history.length, by: 'estimate' };
    this.emit({ type: 'context-compact', by: this.#kind, how, tokensBefore, tokensAfter, history });
  }

  get #kind(): 'lead' | 'subagent' | 'background' {
    if (this.identity.parent === null) return 'lead';
    return this.isBackground ? 'background' : 'subagent';
  }

  /** Estimates of what stands before its history. */
  get fixed(): FixedSizes {
    this.#fixed ??= fixedSizes(this.system, this.tools);
    return this.#fixed;
  }

  /** Of the next request, without room for the answer. */
  contextSize(): ContextSize {
    return contextSize(this.#measure, this.fixed, this.#history);
  }

  /** @param tokens of the next request, as the server counted them */
  countRequest(tokens: number): void {
    this.#measure = { tokens, messages: this.#history.length, by: 'count' };
  }

  countUsage(usage: Usage): void {
    const tokens = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens + usage.outputTokens;
    this.#measure = { tokens, messages: this.#history.length, by: 'usage' };
    this.#bill(usage, tokens);
  }

  /** For a request that is no part of its conversation. */
  countAside(usage: Usage): void {
    this.#bill(usage, this.contextSize().tokens);
  }

  #bill(usage: Usage, contextTokens: number): void {
    const cost = costOf(this.model.id, usage);
    this.meter.add(usage, cost);
    this.emit({
      type: 'usage-update',
      step: this.steps,
      usage,
      cost,
      contextTokens,
      contextWindow: this.model.contextWindow,
      contextParts: contextParts(contextTokens, this.fixed),
      total: { usage: this.meter.usage, cost: this.meter.cost },
    });
  }

  /** Whatever it comes back to, it is still on its way to a pause. */
  #withPause(body: EventBody): EventBody {
    const isRunning = body.type === 'agent-status' && body.activity === 'running';
    return isRunning && this.controls.isPausing ? { ...body, activity: 'pausing' } : body;
  }

  receipt(durationMs: number): Receipt {
    const { usage, cost } = this.meter;
    return { ...this.tally.facts, steps: this.steps, usage, cost, durationMs };
  }
}
