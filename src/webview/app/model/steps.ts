/**
 * What a step streams is a draft: the message that ends it takes its place, so that a replayed session looks the same as
 * one that was watched.
 */
import type { AgentEvent } from '../../protocol.ts';
import { setItem } from './conversation.ts';
import { append, lastOf, replaceFrom, valuesFrom } from './list.ts';
import type { AgentNode, Conversation } from './types.ts';

type Delta = Extract<AgentEvent, { readonly type: 'text-delta' | 'thinking-delta' }>;
type Appended = Extract<AgentEvent, { readonly type: 'message-append' }>;
type Piece = { readonly kind: 'text' | 'thinking'; text: string };

export function startStep(agent: AgentNode, seq: number): void {
  dropDrafts(agent);
  agent.step.serial = seq;
  agent.step.from = agent.flow.length;
  agent.step.seq = seq;
}

export function addDelta(conversation: Conversation, agent: AgentNode, event: Delta): void {
  const { step } = agent;
  if (event.seq < step.seq || event.text === '') return;
  const kind = event.type === 'text-delta' ? 'text' : 'thinking';
  const last = step.drafts.at(-1);
  const item = last === undefined ? undefined : conversation.items.get(last);
  const value = item?.peek();
  if (item && last === lastOf(agent.flow) && value?.kind === kind) {
    item.value = { ...value, text: value.text + event.text };
    return;
  }
  settleDrafts(conversation, agent);
  const id = pieceId(agent, kind, countOf(agent, kind));
  step.drafts.push(id);
  setItem(conversation, id, { kind, text: event.text, isStreaming: true });
  append(agent.flow, id);
}

/** Takes back what the step streamed and nothing confirmed. */
export function dropDrafts(agent: AgentNode): void {
  const { step } = agent;
  if (step.drafts.length === 0) return;
  const kept = valuesFrom(agent.flow, step.from).filter((id) => !step.drafts.includes(id));
  replaceFrom(agent.flow, step.from, kept);
  step.drafts = [];
}

/** Puts the texts of a finished answer in the order in which the model gave them, between the calls that started early. */
export function addMessage(conversation: Conversation, agent: AgentNode, event: Appended): string | undefined {
  if (event.message.role !== 'assistant') return undefined;
  const { step } = agent;
  step.seq = event.seq;
  const drafts = new Set(step.drafts);
  const lasting = valuesFrom(agent.flow, step.from).filter((id) => !drafts.has(id));
  const placed: (string | Piece)[] = [];
  let next = 0;
  for (const block of event.message.content) {
    if (block.type === 'text') addPiece(placed, 'text', block.text);
    else if (block.type === 'thinking') addPiece(placed, 'thinking', block.thinking);
    else if (block.type === 'tool_use') {
      const at = positionOfCall(conversation, agent, lasting, block.id);
      if (at >= next) {
        placed.push(...lasting.slice(next, at + 1));
        next = at + 1;
      }
    }
  }
  placed.push(...lasting.slice(next));

  const counts = { text: 0, thinking: 0 };
  let answer: string | undefined;
  const ids = placed.map((entry) => {
    if (typeof entry === 'string') return entry;
    const id = pieceId(agent, entry.kind, counts[entry.kind]++);
    setItem(conversation, id, { kind: entry.kind, text: entry.text, isStreaming: false });
    if (entry.kind === 'text') answer = entry.text;
    return id;
  });
  replaceFrom(agent.flow, step.from, ids);
  step.drafts = [];
  return answer;
}

function settleDrafts(conversation: Conversation, agent: AgentNode): void {
  const last = agent.step.drafts.at(-1);
  const item = last === undefined ? undefined : conversation.items.get(last);
  const value = item?.peek();
  if (item && (value?.kind === 'text' || value?.kind === 'thinking')) item.value = { ...value, isStreaming: false };
}

function addPiece(placed: (string | Piece)[], kind: Piece['kind'], text: string): void {
  if (text.trim() === '') return;
  const last = placed.at(-1);
  if (typeof last === 'object' && last.kind === kind) last.text += `\n\n${text}`;
  else placed.push({ kind, text });
}

function positionOfCall(
  conversation: Conversation,
  agent: AgentNode,
  lasting: readonly string[],
  call: string,
): number {
  const id = agent.calls.get(call);
  if (id === undefined) return -1;
  return lasting.findIndex((entry) => {
    if (entry === id) return true;
    const item = conversation.items.get(entry)?.peek();
    if (item?.kind === 'edit') return item.call === id;
    return item?.kind === 'group' && item.members.includes(id);
  });
}

function pieceId(agent: AgentNode, kind: Piece['kind'], index: number): string {
  return `${agent.id}/${agent.step.serial}/${kind}/${index}`;
}

function countOf(agent: AgentNode, kind: Piece['kind']): number {
  return agent.step.drafts.filter((id) => id.includes(`/${kind}/`)).length;
}
