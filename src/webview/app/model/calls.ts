import type { AgentEvent } from '../../protocol.ts';
import { addItem, include, setItem } from './conversation.ts';
import { valuesFrom } from './list.ts';
import type { AgentNode, CallItem, Conversation } from './types.ts';

type Started = Extract<AgentEvent, { readonly type: 'tool-start' }>;
type Ended = Extract<AgentEvent, { readonly type: 'tool-end' }>;
type Progress = Extract<AgentEvent, { readonly type: 'tool-progress' }>;

const recentCalls = 3;
const maxProgressChars = 8000;
const delegations: ReadonlySet<string> = new Set(['Agent', 'Task']);

export function startCall(conversation: Conversation, agent: AgentNode, event: Started): void {
  const id = `${agent.id}/${agent.step.serial}/call/${event.call}`;
  agent.calls.set(event.call, id);
  agent.running.add(event.call);
  const item: CallItem = {
    kind: 'call',
    agent: agent.id,
    tool: event.tool,
    summary: event.summary,
    input: event.input,
    state: 'running',
    result: '',
    preview: '',
    progress: '',
    startedAt: event.time,
    durationMs: 0,
  };
  if (delegations.has(event.tool)) {
    setItem(conversation, id, item);
    joinGroup(conversation, agent, id);
    return;
  }
  addItem(conversation, agent, id, item);
  agent.recent.value = [...agent.recent.peek().filter((other) => other !== id), id].slice(-recentCalls);
}

/** Puts a delegation that is done again behind the one that it repeats. */
export function joinGroupBehind(conversation: Conversation, agent: AgentNode, before: string, member: string): void {
  for (const id of agent.groups.peek()) {
    const group = conversation.items.get(id);
    const value = group?.peek();
    if (!group || value?.kind !== 'group') continue;
    const at = value.members.indexOf(before);
    if (at < 0 || value.members.includes(member)) continue;
    const members = [...value.members.slice(0, at + 1), member, ...value.members.slice(at + 1)];
    group.value = { ...value, members };
  }
}

/** One group a step, wherever the model put text between its delegations. */
export function joinGroup(conversation: Conversation, agent: AgentNode, member: string): void {
  for (const id of valuesFrom(agent.flow, agent.step.from)) {
    const group = conversation.items.get(id);
    const value = group?.peek();
    if (group && value?.kind === 'group') {
      if (!value.members.includes(member)) group.value = { ...value, members: [...value.members, member] };
      return;
    }
  }
  const id = `${agent.id}/${agent.step.serial}/group`;
  addItem(conversation, agent, id, { kind: 'group', members: [member] });
  include(agent.groups, id);
}

export function addProgress(conversation: Conversation, agent: AgentNode, event: Progress): void {
  changeCall(conversation, agent, event.call, (item) =>
    item.state === 'running' ? { ...item, progress: (item.progress + event.text).slice(-maxProgressChars) } : item,
  );
}

export function endCall(conversation: Conversation, agent: AgentNode, event: Ended): void {
  if (!agent.calls.has(event.call)) startUnseen(conversation, agent, event);
  agent.running.delete(event.call);
  changeCall(conversation, agent, event.call, (item) => ({
    ...item,
    state: event.status,
    result: event.summary,
    preview: event.preview,
    progress: '',
    durationMs: event.durationMs,
  }));
}

/** Calls that were refused end without having started. */
function startUnseen(conversation: Conversation, agent: AgentNode, event: Ended): void {
  const { call, tool } = event;
  const stamp = { session: event.session, agent: event.agent, parent: event.parent, seq: event.seq, time: event.time };
  startCall(conversation, agent, { ...stamp, type: 'tool-start', step: 0, call, tool, input: {}, summary: tool });
}

/** Calls that still run when their agent ends will not end any more. */
export function cancelCalls(conversation: Conversation, agent: AgentNode): void {
  for (const call of agent.running) {
    changeCall(conversation, agent, call, (item) => ({ ...item, state: 'cancelled', progress: '' }));
  }
  agent.running.clear();
}

function changeCall(
  conversation: Conversation,
  agent: AgentNode,
  call: string,
  change: (item: CallItem) => CallItem,
): void {
  const id = agent.calls.get(call);
  const item = id === undefined ? undefined : conversation.items.get(id);
  const value = item?.peek();
  if (item && value?.kind === 'call') item.value = change(value);
}
