import type { Usage } from '../model/provider.ts';

/** What an agent and all below it may spend. */
export type Budget = {
  readonly tokens?: number;
  /** US dollars. */
  readonly usd?: number;
  readonly minutes?: number;
};

export type LimitKind = 'steps' | 'tokens' | 'usd' | 'minutes';
export type ReachedLimit = { readonly kind: LimitKind /** For people and models. */; readonly text: string };

type Spent = { readonly steps: number; readonly usage: Usage; readonly cost: number | undefined; readonly now: number };

/** How far an agent may go. Each limit can be granted once more, by its first amount. */
export class Limits {
  readonly #first: { readonly steps: number } & Budget;
  readonly #startedAt: number;
  readonly #granted: Record<LimitKind, number> = { steps: 1, tokens: 1, usd: 1, minutes: 1 };

  constructor(maxSteps: number, budget: Budget, startedAt: number) {
    this.#first = { steps: maxSteps, ...budget };
    this.#startedAt = startedAt;
  }

  get maxSteps(): number {
    return this.#allowed('steps');
  }

  /** The budget's limits bind all agents below as well; the steps only the agent itself. */
  reached(spent: Spent): ReachedLimit | undefined {
    if (spent.steps >= this.maxSteps) return { kind: 'steps', text: `The limit of ${this.maxSteps} steps is reached.` };
    return this.reachedBudget(spent);
  }

  reachedBudget({ usage, cost, now }: Spent): ReachedLimit | undefined {
    const tokens = usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
    const checks: readonly (readonly [LimitKind, number, string])[] = [
      ['tokens', tokens, 'tokens'],
      ['usd', cost ?? 0, 'US dollars'],
      ['minutes', (now - this.#startedAt) / 60_000, 'minutes'],
    ];
    for (const [kind, value, unit] of checks) {
      const allowed = this.#allowed(kind);
      if (value >= allowed) return { kind, text: `The budget of ${allowed} ${unit} is used up.` };
    }
    return undefined;
  }

  /** As much again as at first. */
  grant(kind: LimitKind): void {
    this.#granted[kind] += 1;
  }

  #allowed(kind: LimitKind): number {
    const first = this.#first[kind];
    return first === undefined ? Number.POSITIVE_INFINITY : first * this.#granted[kind];
  }
}
