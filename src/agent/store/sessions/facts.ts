import * as z from 'zod';
import type { AgentEvent } from '../../loop/events.ts';

/** What a list says of a session, as its journal tells it. */
export const sessionFactsSchema = z.object({
  /** The beginning of its first prompt, or what the model made of it. */
  title: z.string(),
  workspace: z.string(),
  /** Milliseconds since the epoch; 0 when nothing is known yet. */
  startedAt: z.number(),
  /** When something happened last that this list follows. */
  updatedAt: z.number(),
  /** Ids of its subagents. */
  agents: z.array(z.string()),
  /** US dollars, of the requests whose price is known. */
  usd: z.number(),
  /** There are requests whose price is not known. */
  hasUnpriced: z.boolean(),
  turns: z.number(),
  /** How its last turn ended. `open`: it has not; `interrupted`: nobody ended it; `empty`: there was none. */
  status: z.enum(['empty', 'open', 'completed', 'limit_reached', 'stopped', 'failed', 'interrupted']),
  /** Where its beginning was copied from. */
  from: z.object({ session: z.string(), turn: z.number(), title: z.string() }).optional(),
});
export type SessionFacts = z.output<typeof sessionFactsSchema>;

export const noFacts: SessionFacts = {
  title: '',
  workspace: '',
  startedAt: 0,
  updatedAt: 0,
  agents: [],
  usd: 0,
  hasUnpriced: false,
  turns: 0,
  status: 'empty',
};

/** Events of other types change no facts. */
export const factTypes: ReadonlySet<string> = new Set([
  'session-start',
  'session-title',
  'turn-start',
  'turn-end',
  'agent-start',
  'usage-update',
] satisfies AgentEvent['type'][]);

/** @param session whose journal it is; what was copied from another was paid there */
export function addFact(facts: SessionFacts, event: AgentEvent, session: string): SessionFacts {
  const seen = { ...facts, updatedAt: Math.max(facts.updatedAt, event.time) };
  switch (event.type) {
    case 'session-start': {
      const { title, workspace, from } = event;
      return { ...seen, title, workspace, startedAt: event.time, ...(from && { from }) };
    }
    case 'session-title':
      return { ...seen, title: event.title };
    case 'turn-start':
      return { ...seen, turns: seen.turns + 1, status: 'open' };
    case 'turn-end':
      return { ...seen, status: event.isInterrupted ? 'interrupted' : toStatus(event.status) };
    case 'agent-start':
      if (event.parent === null || seen.agents.includes(event.agent)) return seen;
      return { ...seen, agents: [...seen.agents, event.agent] };
    case 'usage-update':
      if (event.session !== session) return seen;
      return event.cost === undefined ? { ...seen, hasUnpriced: true } : { ...seen, usd: seen.usd + event.cost };
    default:
      return facts;
  }
}

function toStatus(status: Extract<AgentEvent, { type: 'turn-end' }>['status']): SessionFacts['status'] {
  return status === 'cached' ? 'completed' : status;
}
