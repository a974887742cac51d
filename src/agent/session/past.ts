import type { AgentEvent } from '../loop/events.ts';
import { historyFromEvents } from '../store/history.ts';
import { notification } from '../subagents/conclude.ts';
import type { PastAgent } from '../subagents/pastAgents.ts';
import { frameReport } from '../subagents/report.ts';
import { type Delegation, readDelegation, toDelegation } from '../tools/agent.ts';

type Start = Extract<AgentEvent, { type: 'agent-start' }>;

/** An agent of this session from its events, as after a restart; undefined when there was none of that id or name. */
export function pastAgent(events: readonly AgentEvent[], idOrName: string): PastAgent | undefined {
  const isStart = (event: AgentEvent): event is Start => event.type === 'agent-start' && event.parent !== null;
  const last = events.findLast(
    (event): event is Start => isStart(event) && (event.agent === idOrName || event.name === idOrName),
  );
  if (!last) return undefined;
  const { agent: id, parent, name, depth, agentType: type } = last;
  // One that went on has started more than once.
  const first = events.find((event): event is Start => isStart(event) && event.agent === id) ?? last;
  const identity = { id, name, parent, depth, type };
  return { identity, history: historyFromEvents(events, id), task: taskOf(events, first), call: first.call ?? '' };
}

/** As it was asked for; where that is not there any more, what is known of it. */
function taskOf(events: readonly AgentEvent[], { call, description, prompt, agentType }: Start): Delegation {
  const asked = events.find((event) => event.type === 'tool-start' && event.call === call && event.tool === 'Agent');
  const known = { prompt, subagent_type: agentType };
  const given = asked?.type === 'tool-start' ? readDelegation(asked.input) : undefined;
  return given ? { ...given, ...known } : toDelegation({ description: description || agentType, ...known });
}

export function namesIn(events: readonly AgentEvent[]): readonly string[] {
  return events.flatMap((event) => (event.type === 'agent-start' ? [event.name] : []));
}

/**
 * Reports of agents that ended and that no agent was told of, since the editor closed in between: background agents, and those
 * that were interrupted, whose calls have no result.
 */
export function untoldReports(events: readonly AgentEvent[]): readonly string[] {
  const names = new Map<string, string>();
  const untold = new Map<string, string>();
  const detached = new Set<string>();
  for (const event of events) {
    switch (event.type) {
      case 'agent-start':
        names.set(event.agent, event.name);
        detached.delete(event.agent);
        break;
      case 'agent-detach':
        detached.add(event.agent);
        break;
      case 'agent-end': {
        const { agent: id, status, report: text, receipt, error } = event;
        if (!detached.has(id) && !event.isInterrupted) break;
        // Whoever started it was interrupted as well, and tells of it.
        if (event.parent !== 'lead' && event.isInterrupted) break;
        untold.set(id, frameReport({ name: names.get(id) ?? id, id, status, text, error, receipt }));
        break;
      }
      case 'message-append':
        for (const id of reportedIn(event)) untold.delete(id);
        break;
    }
  }
  return [...untold.values()].map(notification);
}

function reportedIn({ message }: Extract<AgentEvent, { type: 'message-append' }>): readonly string[] {
  if (message.role !== 'user') return [];
  const text = JSON.stringify(message.content).replaceAll('\\"', '"');
  const frames = text.matchAll(/id="([0-9a-f]{6})" status="(?:completed|limit_reached|stopped|failed|cached)"/g);
  return [...frames].flatMap(([, id]) => (id === undefined ? [] : [id]));
}
