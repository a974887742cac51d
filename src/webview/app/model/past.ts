/**
 * What was before the events that a page was opened with, put in front of them part by part. A part is reduced by itself and
 * joined to what is there: agents and calls that go on behind it are one with what is known of them already. So many parts
 * are shown at once and no more: one that would be too many is put away, and can be had again.
 */
import { batch } from '@preact/signals';
import type { AgentEvent } from '../../protocol.ts';
import { closeAsks } from './asks.ts';
import { cancelCalls } from './calls.ts';
import { createAgent, createConversation } from './conversation.ts';
import type { EarlierChunk } from './list.ts';
import { reduceAll } from './reduce.ts';
import type { AgentInfo, AgentNode, CallItem, Conversation, Part } from './types.ts';

const mostParts = 6;

export type Side = 'front' | 'back';

/** @param before where it ends @param side before the other parts, or behind them: where one was put away */
export function putEarlier(
  conversation: Conversation,
  part: { readonly events: readonly AgentEvent[]; readonly isFirst: boolean },
  before: number,
  side: Side,
): void {
  const older = createConversation(conversation.session);
  reduceAll(older, part.events);
  batch(() => {
    if (!part.isFirst) forgetFirstCost(older);
    if (conversation.root === '') conversation.root = older.root;
    const joined = join(conversation, older, before, side);
    const { parts, away, isWhole } = conversation.past.peek();
    const placed = { ...joined, from: part.events[0]?.seq ?? before, before };
    conversation.isEmpty.value = false;
    conversation.past.value =
      side === 'front'
        ? { parts: [placed, ...parts], away, isWhole: part.isFirst }
        : { parts: [...parts, placed], away: away.slice(0, -1), isWhole };
    shorten(conversation, side);
  });
}

/** What turns before it cost is not known. */
function forgetFirstCost(older: Conversation): void {
  for (const item of older.items.values()) {
    const value = item.peek();
    if (value.kind !== 'end') continue;
    item.value = { ...value, cost: undefined };
    return;
  }
}

function join(
  conversation: Conversation,
  older: Conversation,
  before: number,
  side: Side,
): Pick<Part, 'items' | 'agents' | 'chunks'> {
  const agents: string[] = [];
  const chunks = new Set<EarlierChunk<string>>();
  for (const node of older.agents.values()) {
    if (!conversation.agents.has(node.id)) {
      agents.push(node.id);
      conversation.agents.set(node.id, createAgent(node.id, node.parent));
    }
  }
  for (const node of older.agents.values()) {
    const known = conversation.agents.get(node.id);
    if (!known) continue;
    joinCalls(conversation, older, node, known);
    closeAsks(older, node);
    known.info.value = joinInfo(node.info.peek(), known.info.peek());
    known.lastTime = Math.max(known.lastTime, node.lastTime);
    known.groups.value = [...new Set([...node.groups.peek(), ...known.groups.peek()])];
    const own = node.flow.chunks.peek().map((chunk, index) => ({ key: `${before}:${index}`, chunk }));
    for (const chunk of own) chunks.add(chunk);
    const there = known.flow.earlier.peek();
    known.flow.earlier.value = side === 'front' ? [...own, ...there] : [...there, ...own];
  }
  joinTurn(conversation, older);
  for (const [call, agent] of older.agentOfCall)
    if (!conversation.agentOfCall.has(call)) conversation.agentOfCall.set(call, agent);
  const items = [...older.items.keys()].filter((id) => !conversation.items.has(id));
  const waiting = new Set(conversation.pending.peek());
  for (const [id, item] of older.items) {
    // What waits for the user stays where it is; else what the events from then on repeated, such as the prompt of their turn.
    if (waiting.has(id)) for (const agent of older.agents.values()) remove(agent, id);
    else if (conversation.items.has(id)) for (const agent of conversation.agents.values()) remove(agent, id);
    else conversation.items.set(id, item);
  }
  return { items, agents, chunks };
}

/** What is known of later wins; what it lacks is how the agent began. */
function joinInfo(earlier: AgentInfo, later: AgentInfo): AgentInfo {
  if (later.name !== '') return later;
  if (later.startedAt === 0 && !later.end && later.tokens === 0) return earlier;
  return { ...earlier, end: later.end ?? earlier.end, ...(later.end && { tokens: later.tokens, cost: later.cost }) };
}

/** Calls that had not ended when the part did. */
function joinCalls(conversation: Conversation, older: Conversation, node: AgentNode, known: AgentNode): void {
  for (const call of [...node.running]) {
    const id = node.calls.get(call);
    const item = id === undefined ? undefined : older.items.get(id);
    const laterId = known.calls.get(call);
    const later = laterId === undefined ? undefined : conversation.items.get(laterId)?.peek();
    const value = item?.peek();
    if (id === undefined || laterId === undefined || value?.kind !== 'call' || later?.kind !== 'call') continue;
    if (item) item.value = joinCall(value, later);
    node.running.delete(call);
    known.calls.set(call, id);
    remove(known, laterId);
    leaveGroups(conversation, known, laterId);
    conversation.items.delete(laterId);
  }
  cancelCalls(older, node);
}

function leaveGroups(conversation: Conversation, agent: AgentNode, member: string): void {
  for (const id of agent.groups.peek()) {
    const group = conversation.items.get(id);
    const value = group?.peek();
    if (group && value?.kind === 'group' && value.members.includes(member))
      group.value = { ...value, members: value.members.filter((other) => other !== member) };
  }
}

function joinCall(earlier: CallItem, { state, result, preview, progress, durationMs }: CallItem): CallItem {
  return { ...earlier, state, result, preview, progress, durationMs };
}

/** The turn that had not ended when the part did. */
function joinTurn(conversation: Conversation, older: Conversation): void {
  const turn = older.turn.peek();
  if (!turn?.isRunning) return;
  for (const item of conversation.items.values()) {
    const value = item.peek();
    if (value.kind !== 'end' || value.turn !== turn.turn) continue;
    item.value = { ...value, durationMs: value.endedAt - turn.startedAt, answer: value.answer || older.answer };
  }
}

/** Leaves a gap that nothing is drawn for, so that positions stay. */
function remove(agent: AgentNode, id: string): void {
  for (const chunk of agent.flow.chunks.peek()) {
    if (!chunk.peek().includes(id)) continue;
    chunk.value = chunk.peek().map((other) => (other === id ? `gone:${id}` : other));
    return;
  }
}

function shorten(conversation: Conversation, side: Side): void {
  const { parts, away, isWhole } = conversation.past.peek();
  if (parts.length <= mostParts) return;
  const gone = side === 'front' ? parts.at(-1) : parts[0];
  if (!gone) return;
  putAway(conversation, gone);
  conversation.past.value =
    side === 'front'
      ? { parts: parts.slice(0, -1), away: [...away, gone.before], isWhole }
      : { parts: parts.slice(1), away, isWhole: false };
}

function putAway(conversation: Conversation, part: Part): void {
  const gone = new Set(part.items);
  for (const agent of conversation.agents.values()) {
    const { earlier } = agent.flow;
    if (earlier.peek().some((chunk) => part.chunks.has(chunk)))
      earlier.value = earlier.peek().filter((chunk) => !part.chunks.has(chunk));
    if (agent.groups.peek().some((id) => gone.has(id)))
      agent.groups.value = agent.groups.peek().filter((id) => !gone.has(id));
  }
  for (const id of part.agents) {
    const agent = conversation.agents.get(id);
    // One that began in another part, or works again, is still needed.
    if (agent && agent.flow.length === 0 && agent.flow.earlier.peek().length === 0) conversation.agents.delete(id);
  }
  for (const id of gone) {
    conversation.items.delete(id);
    conversation.agentOfCall.delete(id);
  }
}
