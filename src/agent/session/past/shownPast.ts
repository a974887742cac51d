import type { AgentEvent } from '../../loop/events.ts';
import { lead } from '../lead.ts';
import { createOpenAsks } from './openAsks.ts';
import { isCut } from './recollection.ts';

/** What a transcript begins with. */
export type ShownPast = {
  readonly events: readonly AgentEvent[];
  /** The `seq` of the first event that is shown: what was before is read by `readEarlier`. undefined: nothing was. */
  readonly before: number | undefined;
};

/**
 * Of the events that a session keeps in memory those that are whole, from a turn's beginning on where there is one, and of
 * the outline what the later ones need: who still works, what the turn is about, what waits for the user.
 * @param agent whose transcript it is; left out: that of the conversation
 * @param beginning of the agent, where `lacksBeginning`
 */
export function shownPast(
  events: readonly AgentEvent[],
  agent = lead.id,
  beginning: readonly AgentEvent[] = [],
): ShownPast {
  const cut = events.findLastIndex(isCut);
  if (cut < 0) return { events, before: undefined };
  const start = beginningFrom(events, cut + 1, agent);
  const rest = events.slice(start);
  const first = rest[0];
  if (!first || !hadPast(events, start, agent))
    return { events: events.filter((event) => !isCut(event)), before: undefined };
  const known = [...beginning, ...events.slice(0, start)].toSorted((left, right) => left.seq - right.seq);
  return { events: [...needed(known, rest, agent), ...rest], before: first.seq };
}

/** The agent began so long ago that only the journal knows. */
export function lacksBeginning(events: readonly AgentEvent[], agent: string): boolean {
  return events.some(isCut) && !events.some((event) => event.type === 'agent-start' && event.agent === agent);
}

/** Where a reader can begin: at a turn, else at a step. */
function beginningFrom(events: readonly AgentEvent[], from: number, agent: string): number {
  const find = (type: AgentEvent['type']) =>
    events.findIndex((event, index) => index >= from && event.type === type && event.agent === agent);
  const turn = find(agent === lead.id ? 'turn-start' : 'agent-start');
  if (turn >= 0) return turn;
  const step = find('step-start');
  return step >= 0 ? step : from;
}

/** A subagent that began behind the cut has all of its transcript there. */
function hadPast(events: readonly AgentEvent[], start: number, agent: string): boolean {
  const first = events.findIndex((event) => event.type === 'agent-start' && event.agent === agent);
  return agent === lead.id || first < start;
}

function needed(before: readonly AgentEvent[], rest: readonly AgentEvent[], agent: string): readonly AgentEvent[] {
  const ended = new Set<string>();
  const found = new Set<string>();
  const isFirst = (what: string) => !found.has(what) && found.add(what) !== undefined;
  const isOpenAsk = createOpenAsks();
  for (const event of rest.toReversed()) isOpenAsk(event);
  const hasTurn = rest.some(({ type }) => type === 'turn-start');
  const isNeeded = (event: AgentEvent) => {
    if (isOpenAsk(event)) return true;
    const isOwn = event.agent === agent;
    switch (event.type) {
      case 'session-start':
        return true;
      case 'prompt-queue':
        return isFirst(event.type);
      case 'turn-start':
        return !hasTurn && isFirst(event.type);
      case 'usage-update':
        return isOwn && isFirst(event.type);
      case 'agent-end':
        ended.add(event.agent);
        return isOwn && isFirst(event.type);
      case 'agent-start':
      case 'agent-detach':
        return (isOwn || event.parent === null || !ended.has(event.agent)) && isFirst(`${event.type} ${event.agent}`);
      default:
        return false;
    }
  };
  const kept = before.toReversed().filter(isNeeded).reverse();
  return kept.map((event) => (event.type === 'session-start' ? withoutBranch(event) : event));
}

/** Where it branched off is said at its beginning, which is not there. */
function withoutBranch({ from: _, ...event }: Extract<AgentEvent, { type: 'session-start' }>): AgentEvent {
  return event;
}
