import type { AgentEvent } from '../../../agent/index.ts';

type EndStatus = Extract<AgentEvent, { type: 'agent-end' }>['status'];
type Activity = Extract<AgentEvent, { type: 'agent-status' }>['activity'];

/** A subagent as commands offer it. */
export type AgentSummary = {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly description: string;
  /** Its task as the lead wrote it. */
  readonly prompt: string;
  readonly isBackground: boolean;
  readonly state: Activity | EndStatus;
  readonly hasEnded: boolean;
};

/** The subagents of one conversation, from its events; the newest first. */
export function createAgentList(): { add(event: AgentEvent): void; read(): readonly AgentSummary[] } {
  const agents = new Map<string, AgentSummary>();
  const change = (id: string, changes: Partial<AgentSummary>) => {
    const known = agents.get(id);
    if (known) agents.set(id, { ...known, ...changes });
  };
  return {
    add(event) {
      switch (event.type) {
        case 'agent-start': {
          if (event.parent === null) return;
          const { agent: id, name, agentType: type, description, prompt } = event;
          agents.delete(id);
          const fresh = { isBackground: false, state: 'running', hasEnded: false } as const;
          agents.set(id, { id, name, type, description, prompt, ...fresh });
          return;
        }
        case 'agent-status':
          return change(event.agent, { state: event.activity });
        case 'agent-detach':
          return change(event.agent, { isBackground: true });
        case 'agent-end':
          return change(event.agent, { state: event.status, hasEnded: true });
      }
    },
    read: () => [...agents.values()].reverse(),
  };
}
