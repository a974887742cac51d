import type { AgentIdentity } from '../loop/agent.ts';
import type { EventSource } from '../loop/events.ts';

export const lead: AgentIdentity = { id: 'lead', name: 'lead', parent: null, depth: 0, type: 'lead' };

/** Of what the lead says and does, and of what concerns the whole conversation. */
export const leadSource: EventSource = { agent: lead.id, parent: lead.parent };
