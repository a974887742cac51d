/** What a person would see of a conversation, as plain values; two sessions that look the same give the same value. */
import { agentSignal, createConversation } from '../../../src/webview/app/model/conversation.ts';
import { valuesFrom } from '../../../src/webview/app/model/list.ts';
import { reduceAll } from '../../../src/webview/app/model/reduce.ts';
import type { AgentNode, Conversation, Item } from '../../../src/webview/app/model/types.ts';
import type { AgentEvent } from '../../../src/webview/protocol.ts';

export function conversationOf(events: readonly AgentEvent[]): Conversation {
  const conversation = createConversation(events[0]?.session ?? '');
  reduceAll(conversation, events);
  return conversation;
}

export function viewOf(conversation: Conversation) {
  const { turn, queue, pending, background } = conversation;
  return {
    turn: turn.peek(),
    background: background.peek(),
    queue: queue.peek(),
    pending: pending.peek(),
    lead: agentView(conversation, conversation.lead),
  };
}

type View = { readonly [key: string]: unknown };

function agentView(conversation: Conversation, agent: AgentNode): View {
  const ids = valuesFrom(agent.flow, 0);
  return {
    id: agent.id,
    info: agent.info.peek(),
    recent: agent.recent.peek(),
    pending: agent.pending.peek(),
    live: agent.live.peek(),
    flow: ids.map((id) => itemView(conversation, id)),
  };
}

function itemView(conversation: Conversation, id: string): unknown {
  const item = itemOf(conversation, id);
  if (item?.kind !== 'group') return { id, ...item };
  return {
    id,
    kind: 'group',
    members: item.members.map((member) => {
      const child = conversation.agents.get(agentSignal(conversation, member).peek() ?? '');
      return { call: itemOf(conversation, member), agent: child && agentView(conversation, child) };
    }),
  };
}

export function itemOf(conversation: Conversation, id: string): Item | undefined {
  return conversation.items.get(id)?.peek();
}

/** One line an item. */
export function outline(conversation: Conversation, agent: AgentNode = conversation.lead): readonly string[] {
  return valuesFrom(agent.flow, 0).map((id) => {
    const item = itemOf(conversation, id);
    if (!item) return `missing ${id}`;
    switch (item.kind) {
      case 'group':
        return `group ${item.members.map((member) => agentSignal(conversation, member).peek() ?? '?').join(' ')}`;
      case 'call':
        return `call ${item.summary} ${item.state}`;
      case 'edit':
        return `edit ${item.path} ${typeof item.decision === 'object' ? item.decision.decision : item.decision}`;
      case 'permission':
        return `permission ${typeof item.answer === 'object' ? item.answer.decision : item.answer}`;
      case 'text':
      case 'thinking':
        return `${item.kind} ${item.text}${item.isStreaming ? ' …' : ''}`;
      case 'prompt':
      case 'notice':
        return `${item.kind} ${item.text}`;
      case 'note':
        return `${item.by}${item.isInstruction ? ' instructs' : ''}: ${item.text}`;
      case 'wake':
        return `${item.name} ${item.status}: ${item.text}`;
      case 'question':
        return `question ${item.text}`;
      default:
        return item.kind;
    }
  });
}
