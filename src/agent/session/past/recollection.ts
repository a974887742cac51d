import type { AgentEvent } from '../../loop/events.ts';
import { leadSource } from '../lead.ts';
import { createOpenAsks } from './openAsks.ts';

/** Characters, about. What is older than the first is known in outline, what is older than the second only to the journal. */
const limits = { whole: 4_000_000, outline: 8_000_000 };

const cutText =
  'Of what was earlier in this long conversation only prompts, agents and the ends of turns are shown. All of it is kept: search, export and branches have it.';

/**
 * The events of a session that are kept in memory: all of them while there are few, else the latest, and an outline of
 * what was before. However long the session is, it takes the same room.
 */
export class Recollection {
  readonly #limits: typeof limits;
  #events: AgentEvent[] = [];
  #weight = 0;
  #cutAt: number;

  /** @param more other limits, for tests */
  constructor(more: Partial<typeof limits> = {}) {
    this.#limits = { ...limits, ...more };
    this.#cutAt = this.#limits.outline + this.#limits.whole / 2;
  }

  get events(): readonly AgentEvent[] {
    return this.#events;
  }

  add(event: AgentEvent): void {
    this.#events.push(event);
    this.#weight += weigh(event);
    if (this.#weight > this.#cutAt) this.#cut();
  }

  /** All that is added from this event on is whole; of what was before it, some was never added. */
  markCut(first: AgentEvent): void {
    this.#events = [...this.#events.filter((event) => !isCut(event)), cutBefore(first)];
  }

  #cut(): void {
    const kept: AgentEvent[] = [];
    const isNeeded = createNeed();
    let weight = 0;
    let isMarked = false;
    let isPast = false;
    for (const event of this.#events.toReversed()) {
      const isOutline = isPast || weight > this.#limits.whole;
      const needed = isNeeded(event, isOutline);
      if (isCut(event)) {
        // What is before it was not whole before either.
        isPast = true;
        continue;
      }
      if (isOutline && !needed && (weight > this.#limits.outline || !isLandmark(event))) continue;
      if (isOutline && !isMarked) kept.push(cutBefore(kept.at(-1) ?? event));
      isMarked ||= isOutline;
      const short = isOutline ? shorten(event) : event;
      kept.push(short);
      weight += weigh(short);
    }
    this.#events = kept.reverse();
    this.#weight = weight;
    this.#cutAt = weight + this.#limits.whole / 2;
  }
}

/** Says of events, the last first, whether a session, or what is whole of it, goes on from them. */
function createNeed(): (event: AgentEvent, isOutline: boolean) => boolean {
  const isOpenAsk = createOpenAsks();
  const found = new Set<string>();
  const isFirst = (what: string) => !found.has(what) && found.add(what) !== undefined;
  const isAtWork = (agent: string) => !found.has(`end ${agent}`);
  return (event, isOutline) => {
    if (isOpenAsk(event)) return true;
    switch (event.type) {
      case 'session-start':
        return true;
      case 'session-title':
      case 'turn-start':
      case 'prompt-queue':
        return isFirst(event.type);
      case 'agent-start':
        return event.parent === null ? isFirst('lead') : isAtWork(event.agent) && isFirst(`start ${event.agent}`);
      case 'agent-detach':
        return isAtWork(event.agent) && isFirst(`detach ${event.agent}`);
      case 'agent-end':
        if (isOutline) found.add(`end ${event.agent}`);
        return false;
      case 'usage-update':
      case 'context-compact':
        return event.parent === null && isFirst('measure');
      // What the lead has heard since it was measured, and that it heard something.
      case 'message-append':
        return event.parent === null && (!found.has('measure') || isFirst('heard'));
      default:
        return false;
    }
  };
}

/** What the outline of a conversation consists of. */
function isLandmark(event: AgentEvent): boolean {
  switch (event.type) {
    case 'turn-start':
    case 'turn-end':
    case 'notice':
      return true;
    case 'agent-start':
    case 'agent-detach':
    case 'agent-end':
      return event.parent !== null;
    default:
      return false;
  }
}

const longest = { report: 2000, list: 20 };

function shorten(event: AgentEvent): AgentEvent {
  if (event.type === 'context-compact') return { ...event, history: [] };
  if (event.type !== 'agent-end') return event;
  const { report, receipt } = event;
  const cut = <Part>(list: readonly Part[]) => list.slice(0, longest.list);
  const facts = { filesRead: cut(receipt.filesRead), filesChanged: cut(receipt.filesChanged) };
  return {
    ...event,
    report: report.length > longest.report ? `${report.slice(0, longest.report)}…` : report,
    receipt: { ...receipt, ...facts, commands: cut(receipt.commands) },
  };
}

/** Has the place of the first event that is whole, and so comes right before it. */
function cutBefore({ session, seq, time }: AgentEvent): AgentEvent {
  const stamp = { session, ...leadSource, seq: seq - 0.5, time };
  return { type: 'notice', level: 'info', text: cutText, ...stamp };
}

/** Between the outline and what is whole. */
export function isCut(event: AgentEvent): boolean {
  return event.type === 'notice' && event.text === cutText;
}

/** Characters and what surrounds them, about. */
export function weigh(value: unknown): number {
  if (typeof value === 'string') return value.length + 20;
  if (typeof value !== 'object' || value === null) return 8;
  let weight = 40;
  for (const part of Object.values(value)) weight += weigh(part);
  return weight;
}
