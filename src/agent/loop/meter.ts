import { addUsage, noUsage } from '../model/pricing.ts';
import type { Usage } from '../model/provider.ts';

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
