import type { Message } from '../messages/types.ts';
import type { ResolvedModel } from '../model/catalog.ts';
import { addUsage, costOf, noUsage } from '../model/pricing.ts';
import type { Usage } from '../model/provider.ts';
import { type Mode, stricterMode } from '../settings.ts';
import type { ReadLog, Tool, ToolResult } from '../tools/tool.ts';
import { Controls } from './controls.ts';
import type { EventBody, Receipt } from './events.ts';
import { Guard } from './guard.ts';
import { type Budget, type LimitKind, Limits, type ReachedLimit } from './limits.ts';

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
  readonly budget?: Budget;
  readonly history: readonly Message[];
  /** Its tokens and money count there too, and the parent's budget binds it. */
  readonly parent: Agent | undefined;
  /** Counts what an agent without a parent spends as well. */
  readonly meter?: Meter;
  /** The mode it is kept to at most; that of its parent binds it too. */
  readonly modeLimit?: Mode;
  /** What it saw of files before; left out: nothing. */
  readonly reads?: ReadLog;
  readonly emit: (body: EventBody) => void;
};

/** Remembers the versions of files. */
export function createReadLog(): ReadLog {
  const versions = new Map<string, string>();
  return {
    versionOf: (path) => versions.get(path),
    record: (path, version) => void versions.set(path, version),
  };
}

/** Counts tokens and money of an agent and all below it. */
export class Meter {
  #usage: Usage = noUsage;
  #cost: number | undefined = 0;
  readonly #parent: Meter | undefined;

  constructor(parent?: Meter) {
    this.#parent = parent;
  }

  get usage(): Usage {
    return this.#usage;
  }

  /** US dollars; undefined as soon as one answer's price was not known. */
  get cost(): number | undefined {
    return this.#cost;
  }

  add(usage: Usage, cost: number | undefined): void {
    this.#usage = addUsage(this.#usage, usage);
    this.#cost = this.#cost === undefined || cost === undefined ? undefined : this.#cost + cost;
    this.#parent?.add(usage, cost);
  }
}

/** One agent while it lives: its history, what it has read, and the facts for its receipt. */
export class Agent {
  readonly identity: AgentIdentity;
  readonly model: ResolvedModel;
  readonly system: string;
  readonly tools: readonly Tool[];
  readonly meter: Meter;
  readonly controls = new Controls();
  readonly guard = new Guard();
  readonly emit: (body: EventBody) => void;
  readonly reads: ReadLog;
  /** Tokens of the last request and its answer; 0 before the first. */
  contextTokens = 0;
  /** Model answers in the current run. */
  steps = 0;
  readonly #parent: Agent | undefined;
  readonly #modeLimit: Mode | undefined;
  readonly #maxSteps: number;
  readonly #budget: Budget;
  #limits: Limits;
  #history: Message[];
  #calls = 0;
  readonly #filesRead = new Set<string>();
  readonly #filesChanged = new Set<string>();
  readonly #commands: { command: string; exitCode: number | undefined }[] = [];

  constructor(setup: AgentSetup) {
    this.identity = setup.identity;
    this.model = setup.model;
    this.system = setup.system;
    this.tools = setup.tools;
    this.#parent = setup.parent;
    this.#modeLimit = setup.modeLimit;
    this.#maxSteps = setup.maxSteps;
    this.#budget = setup.budget ?? {};
    this.#limits = new Limits(setup.maxSteps, this.#budget, 0);
    this.meter = new Meter(setup.parent?.meter ?? setup.meter);
    this.emit = setup.emit;
    this.#history = [...setup.history];
    this.reads = setup.reads ?? createReadLog();
  }

  /** The mode that holds for it while that of the session is `mode`. */
  modeWithin(mode: Mode): Mode {
    return stricterMode(this.#parent?.modeWithin(mode) ?? mode, this.#modeLimit);
  }

  /** A run is under way. */
  isRunning = false;

  /** A run begins: steps and time are counted anew. @param now milliseconds since the epoch */
  begin(now: number): void {
    this.isRunning = true;
    this.steps = 0;
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

  /** As much again of what was used up, here or above. */
  grant(kind: LimitKind): void {
    this.#limits.grant(kind);
    if (kind !== 'steps') this.#parent?.grant(kind);
  }

  get history(): readonly Message[] {
    return this.#history;
  }

  append(message: Message): void {
    if (message.content.length === 0) return;
    this.#history.push(message);
    this.emit({ type: 'message-append', step: this.steps, message });
  }

  /** Takes a shorter history in place of the old one; the caller emits why. */
  replaceHistory(history: readonly Message[]): void {
    this.#history = [...history];
  }

  countUsage(usage: Usage): void {
    const cost = costOf(this.model.id, usage);
    this.meter.add(usage, cost);
    this.contextTokens = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens + usage.outputTokens;
    this.emit({
      type: 'usage-update',
      step: this.steps,
      usage,
      cost,
      contextTokens: this.contextTokens,
      contextWindow: this.model.contextWindow,
      total: { usage: this.meter.usage, cost: this.meter.cost },
    });
  }

  countCall(): void {
    this.#calls += 1;
  }

  countResult(result: ToolResult): void {
    for (const path of result.filesRead ?? []) this.#filesRead.add(path);
    if (result.command) this.#commands.push(result.command);
  }

  countChange(path: string): void {
    this.#filesChanged.add(path);
  }

  receipt(durationMs: number): Receipt {
    return {
      calls: this.#calls,
      steps: this.steps,
      filesRead: [...this.#filesRead],
      filesChanged: [...this.#filesChanged],
      commands: [...this.#commands],
      usage: this.meter.usage,
      cost: this.meter.cost,
      durationMs,
    };
  }
}
