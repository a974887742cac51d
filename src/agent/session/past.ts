import type { AgentEvent } from '../loop/events.ts';
import { historyFromEvents } from '../store/history.ts';
import { notification } from '../subagents/conclude.ts';
import type { PastAgent } from '../subagents/delegate.ts';
import { frameReport } from '../subagents/report.ts';

type Start = Extract<AgentEvent, { type: 'agent-start' }>;

/** An agent of this session from its events, as after a restart; undefined when there was none of that id or name. */
export function pastAgent(events: readonly AgentEvent[], idOrName: string): PastAgent | undefined {
  const start = events.findLast(
    (event): event is Start =>
      event.type === 'agent-start' && event.parent !== null && (event.agent === idOrName || event.name === idOrName),
  );
  if (!start) return undefined;
  const { agent: id, parent, name, depth, agentType: type } = start;
  return { identity: { id, name, parent, depth, type }, history: historyFromEvents(events, id) };
}

export function namesIn(events: readonly AgentEvent[]): readonly string[] {
  return events.flatMap((event) => (event.type === 'agent-start' ? [event.name] : []));
}

/** Reports of background agents that ended and that no agent was told of, e.g. since the editor closed in between. */
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
        if (!detached.has(id)) break;
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
