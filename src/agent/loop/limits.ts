import type { Usage } from '../model/provider.ts';
import { unlessAborted } from './unlessAborted.ts';

/** What an agent and all below it may spend. */
export type Budget = {
  readonly tokens?: number;
  /** US dollars. */
  readonly usd?: number;
  readonly minutes?: number;
};

export type LimitKind = 'steps' | 'tokens' | 'usd' | 'minutes';
export type ReachedLimit = {
  readonly kind: LimitKind;
  /** For people and models. */
  readonly text: string;
  /** Those that it belongs to: of the agent itself, or of one above it. */
  readonly of: Limits;
};

type Spent = { readonly steps: number; readonly usage: Usage; readonly cost: number | undefined; readonly now: number };

/** How far an agent may go. Each limit can be granted again and again, by its first amount. */
export class Limits {
  readonly #first: { readonly steps: number } & Budget;
  readonly #startedAt: number;
  readonly #granted: Record<LimitKind, number> = { steps: 1, tokens: 1, usd: 1, minutes: 1 };
  readonly #asking = new Map<LimitKind, Promise<void>>();
  readonly #refused = new Set<LimitKind>();
  #excusedMs = 0;

  constructor(maxSteps: number, budget: Budget, startedAt: number) {
    this.#first = { steps: maxSteps, ...budget };
    this.#startedAt = startedAt;
  }

  get maxSteps(): number {
    return this.#allowed('steps');
  }

  /** The budget's limits bind all agents below as well; the steps only the agent itself. */
  reached(spent: Spent): ReachedLimit | undefined {
    if (spent.steps >= this.maxSteps) return this.#at('steps', `The limit of ${this.maxSteps} steps is reached.`);
    return this.reachedBudget(spent);
  }

  reachedBudget({ usage, cost, now }: Spent): ReachedLimit | undefined {
    const tokens = usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
    const checks: readonly (readonly [LimitKind, number, string])[] = [
      ['tokens', tokens, 'tokens'],
      ['usd', cost ?? 0, 'US dollars'],
      ['minutes', (now - this.#startedAt - this.#excusedMs) / 60_000, 'minutes'],
    ];
    for (const [kind, value, unit] of checks) {
      const allowed = this.#allowed(kind);
      if (value >= allowed) return this.#at(kind, `The budget of ${allowed} ${unit} is used up.`);
    }
    return undefined;
  }

  /** Time in which nobody worked but the user: it counts for no budget of minutes. */
  excuse(ms: number): void {
    this.#excusedMs += ms;
  }

  /**
   * Whether the agents that these limits bind may have as much again. The first of them to ask asks the user; the others wait
   * for that answer, which holds for all.
   * @returns true: look again whether the limit is still reached
   */
  async isGranted(kind: LimitKind, ask: () => Promise<boolean>, signal: AbortSignal): Promise<boolean> {
    if (this.#refused.has(kind)) return false;
    const asking = this.#asking.get(kind);
    if (asking !== undefined) {
      await unlessAborted(asking, signal);
      return !signal.aborted;
    }
    const answer = ask().then((isGranted) => {
      if (isGranted) this.#granted[kind] += 1;
      // Who was stopped while asking has not been answered: the next one asks.
      else if (!signal.aborted) this.#refused.add(kind);
    });
    this.#asking.set(kind, answer);
    try {
      await answer;
    } finally {
      this.#asking.delete(kind);
    }
    return !this.#refused.has(kind) && !signal.aborted;
  }

  #at(kind: LimitKind, text: string): ReachedLimit {
    return { kind, text, of: this };
  }

  #allowed(kind: LimitKind): number {
    const first = this.#first[kind];
    return first === undefined ? Number.POSITIVE_INFINITY : first * this.#granted[kind];
  }
}
