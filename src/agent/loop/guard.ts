import { createHash } from 'node:crypto';
import { canonicalJson } from './canonical.ts';

/** Calls that are made to wait repeat themselves by nature; their own waiting bounds them. */
const waitingTools = new Set(['TaskOutput', 'TaskList', 'TaskGet', 'SendMessage']);

const identicalLimit = 3;
/** Refused calls in a row before the agent must answer. */
const strikeLimit = 3;
/** Steps in a row whose results were all known: first a hint, then the answer is forced. */
const staleHint = 4;
const staleLimit = 7;
const forgetLimit = 3;

export type Progress =
  | { readonly kind: 'fine' }
  | { readonly kind: 'hint'; readonly text: string }
  | { readonly kind: 'stuck'; readonly reason: string };

/**
 * Notices an agent that goes in circles: the same call three times in a row, two calls in turn (A-B-A-B), or steps that
 * bring nothing new.
 */
export class Guard {
  readonly #keys: string[] = [];
  readonly #results = new Set<string>();
  #strikes = 0;
  #staleSteps = 0;
  #hadResult = false;
  #hadNews = false;
  #forgotten = 0;

  /** @returns why the call must not run */
  admit(tool: string, input: unknown): string | undefined {
    if (waitingTools.has(tool)) return undefined;
    this.#keys.push(`${tool} ${canonicalJson(input)}`);
    if (this.#keys.length > 4) this.#keys.shift();
    const pattern = this.#pattern();
    if (pattern === undefined) return undefined;
    this.#strikes += 1;
    return `Not run: ${pattern}, and the results will be the same. Use what you have, try something else, or answer.`;
  }

  /** Takes note of a result. @param content what the model gets */
  record(tool: string, input: unknown, content: unknown): void {
    this.#hadResult = true;
    // A digest: the results themselves would keep the whole session in memory twice.
    const key = createHash('sha256')
      .update(`${tool} ${canonicalJson(input)} ${JSON.stringify(content)}`)
      .digest('base64');
    const isNews = !this.#results.has(key) && !waitingTools.has(tool);
    if (!isNews) return;
    this.#results.add(key);
    this.#hadNews = true;
    this.#strikes = 0;
  }

  /** Results left the history: what they said may be news again. Not for ever, or the whole work could go in a circle. */
  forget(): void {
    if (this.#forgotten >= forgetLimit) return;
    this.#forgotten += 1;
    this.#results.clear();
  }

  /** Call it once after each step. */
  endStep(): Progress {
    this.#staleSteps = this.#hadResult && !this.#hadNews ? this.#staleSteps + 1 : 0;
    this.#hadResult = false;
    this.#hadNews = false;
    if (this.#strikes >= strikeLimit) return { kind: 'stuck', reason: 'The agent repeated the same calls.' };
    if (this.#staleSteps >= staleLimit) {
      return { kind: 'stuck', reason: `The last ${staleLimit} steps brought nothing new.` };
    }
    if (this.#staleSteps !== staleHint) return { kind: 'fine' };
    return { kind: 'hint', text: `Your last ${staleHint} steps brought nothing new. Look elsewhere, or answer now.` };
  }

  #pattern(): string | undefined {
    const [a, b, c, d] = this.#keys.slice(-4);
    const last = this.#keys.slice(-identicalLimit);
    if (last.length === identicalLimit && new Set(last).size === 1) return 'this is the third identical call in a row';
    if (d !== undefined && a === c && b === d && a !== b) return 'these two calls alternate (A-B-A-B)';
    return undefined;
  }
}
