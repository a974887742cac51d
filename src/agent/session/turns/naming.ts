import type { AgentEvent } from '../../loop/events.ts';
import type { Meter } from '../../loop/meter.ts';
import { addUsage } from '../../model/pricing.ts';
import { leadSource } from '../lead.ts';
import type { EventLog } from '../record/eventLog.ts';
import type { SessionDependencies, TurnResult } from '../session.ts';
import { askForTitle, type ModelTitle } from './title.ts';

const timeoutMs = 20_000;

type NamingParts = Pick<SessionDependencies, 'provider' | 'settings' | 'log' | 'isNamedByModel'> & {
  readonly catalog: NonNullable<SessionDependencies['catalog']>;
  readonly events: EventLog;
  readonly meter: Meter;
};

/** Has the small model name a conversation after its first turn, once. A failure changes nothing. */
export class Naming {
  readonly #parts: NamingParts;
  readonly #ending = new AbortController();
  #asking: Promise<void> = Promise.resolve();

  constructor(parts: NamingParts) {
    this.#parts = parts;
  }

  /** After a turn on that model. Does not wait. */
  consider(prompt: string, model: string, { status, text }: TurnResult): void {
    const { isNamedByModel, provider, events } = this.#parts;
    if (!isNamedByModel || provider.id === 'demo' || status !== 'completed') return;
    const last = events.events.findLast(({ type }) => type === 'turn-start');
    if (last?.type === 'turn-start' && last.turn === 1) this.#asking = this.#ask(prompt, model, text);
  }

  /** Gives up what is not there yet. */
  async close(): Promise<void> {
    this.#ending.abort();
    await this.#asking;
  }

  /** Never rejects. */
  async #ask(prompt: string, model: string, answer: string): Promise<void> {
    const { settings, log, events } = this.#parts;
    const signal = AbortSignal.any([this.#ending.signal, AbortSignal.timeout(timeoutMs)]);
    try {
      const small = settings().smallModel;
      const name = small === '' || small === 'inherit' ? model : small;
      const named = await askForTitle(this.#parts, name, { prompt, answer }, signal);
      if (!named || this.#ending.signal.aborted) return;
      this.#count(named);
      if (named.title !== '') events.emit(leadSource, { type: 'session-title', title: named.title });
    } catch (error) {
      if (!signal.aborted) log(`The conversation was not named: ${error instanceof Error ? error.message : error}`);
    }
  }

  /** It takes no room in the lead's context. */
  #count({ usage, cost }: ModelTitle): void {
    const { events, meter } = this.#parts;
    meter.add(usage, cost);
    const last = events.events.findLast(
      (event): event is Extract<AgentEvent, { type: 'usage-update' }> =>
        event.type === 'usage-update' && event.agent === leadSource.agent,
    );
    if (!last) return;
    const { contextTokens, contextWindow, contextParts, total } = last;
    const sum = total.cost === undefined || cost === undefined ? undefined : total.cost + cost;
    events.emit(leadSource, {
      type: 'usage-update',
      step: 0,
      usage,
      cost,
      contextTokens,
      contextWindow,
      ...(contextParts && { contextParts }),
      total: { usage: addUsage(total.usage, usage), cost: sum },
    });
  }
}
