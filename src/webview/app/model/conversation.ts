import { type Signal, signal } from '@preact/signals';
import { append, createList } from './list.ts';
import type { AgentInfo, AgentNode, Conversation, Item } from './types.ts';

const noInfo: AgentInfo = {
  name: '',
  agentType: '',
  color: undefined,
  effort: undefined,
  worktree: undefined,
  description: '',
  prompt: '',
  model: '',
  modelRule: '',
  activity: 'running',
  detail: '',
  startedAt: 0,
  isBackground: false,
  retryOf: '',
  tokens: 0,
  cost: undefined,
  contextTokens: 0,
  contextWindow: 0,
  contextParts: undefined,
  end: undefined,
};

export function createConversation(session: string): Conversation {
  const lead = createAgent('lead', null);
  return {
    session,
    past: signal({ parts: [], isWhole: true, away: [] }),
    before: 0,
    lead,
    agents: new Map([['lead', lead]]),
    items: new Map(),
    agentOfCall: new Map(),
    pending: signal([]),
    askers: new Map(),
    background: signal([]),
    queue: signal([]),
    turn: signal(undefined),
    answer: '',
    isQueueTaken: false,
    asked: signal(0),
    isEmpty: signal(true),
    root: '',
    lastingSeq: -1,
    transientSeq: -1,
  };
}

export function createAgent(id: string, parent: string | null): AgentNode {
  return {
    id,
    parent,
    info: signal(noInfo),
    flow: createList(),
    recent: signal([]),
    pending: signal([]),
    groups: signal([]),
    live: signal([]),
    calls: new Map(),
    running: new Set(),
    step: { serial: 0, from: 0, drafts: [], seq: -1 },
    awaitsTask: false,
    lastTime: 0,
  };
}

export function agentOf(conversation: Conversation, id: string, parent: string | null): AgentNode {
  const known = conversation.agents.get(id);
  if (known) return known;
  const agent = createAgent(id, parent ?? 'lead');
  conversation.agents.set(id, agent);
  return agent;
}

/** The agent that a delegating call started, once it is known. */
export function agentSignal(conversation: Conversation, callItem: string): Signal<string | undefined> {
  const known = conversation.agentOfCall.get(callItem);
  if (known) return known;
  const created = signal<string | undefined>(undefined);
  conversation.agentOfCall.set(callItem, created);
  return created;
}

export function updateInfo(agent: AgentNode, change: Partial<AgentInfo>): void {
  agent.info.value = { ...agent.info.peek(), ...change };
}

/** Makes or replaces an item without placing it. */
export function setItem(conversation: Conversation, id: string, item: Item): void {
  const known = conversation.items.get(id);
  if (known) known.value = item;
  else conversation.items.set(id, signal(item));
}

export function addItem(conversation: Conversation, agent: AgentNode, id: string, item: Item): void {
  const isNew = !conversation.items.has(id);
  setItem(conversation, id, item);
  if (isNew) append(agent.flow, id);
}

export function include<Value>(list: Signal<readonly Value[]>, value: Value): void {
  if (!list.peek().includes(value)) list.value = [...list.peek(), value];
}

export function exclude<Value>(list: Signal<readonly Value[]>, value: Value): void {
  if (list.peek().includes(value)) list.value = list.peek().filter((other) => other !== value);
}
