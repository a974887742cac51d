import type { AgentEvent } from '../../protocol.ts';
import { addItem, exclude, include, setItem } from './conversation.ts';
import { replaceFrom, valuesFrom } from './list.ts';
import type { AgentNode, Conversation, Item } from './types.ts';

type Ask = Extract<
  AgentEvent,
  {
    readonly type:
      | 'permission-ask'
      | 'permission-answer'
      | 'edit-propose'
      | 'edit-decide'
      | 'question-ask'
      | 'question-answer';
  }
>;

/** What waits for the user stands in the flow of the agent that asks. */
export function reduceAsk(conversation: Conversation, agent: AgentNode, event: Ask): void {
  switch (event.type) {
    case 'permission-ask':
      open(conversation, agent, `ask:${event.ask}`, { kind: 'permission', ask: event, answer: undefined });
      break;
    case 'permission-answer':
      close(conversation, `ask:${event.ask}`, (item) =>
        item.kind === 'permission' ? { ...item, answer: event } : item,
      );
      break;
    case 'edit-propose': {
      const { edit, path, isNew, added, removed } = event;
      const call = agent.calls.get(event.call);
      const item: Item = { kind: 'edit', edit, call, path, isNew, added, removed, decision: undefined };
      if (call !== undefined) standIn(conversation, agent, call, `edit:${edit}`, item);
      open(conversation, agent, `edit:${edit}`, item);
      break;
    }
    case 'edit-decide':
      decideEdit(conversation, agent, event);
      break;
    case 'question-ask': {
      const { question, text, options } = event;
      open(conversation, agent, `question:${question}`, {
        kind: 'question',
        question,
        text,
        options,
        answer: undefined,
      });
      break;
    }
    case 'question-answer':
      close(conversation, `question:${event.question}`, (item) =>
        item.kind === 'question' ? { ...item, answer: { text: event.answer } } : item,
      );
  }
}

/** Nobody waits any more for what an agent asked before it ended. */
export function closeAsks(conversation: Conversation, agent: AgentNode): void {
  for (const id of agent.pending.peek()) {
    close(conversation, id, (item) => {
      if (item.kind === 'permission') return { ...item, answer: 'closed' };
      if (item.kind === 'edit') return { ...item, decision: 'closed' };
      if (item.kind === 'question') return { ...item, answer: { text: null } };
      return item;
    });
  }
}

function decideEdit(conversation: Conversation, agent: AgentNode, event: Extract<Ask, { type: 'edit-decide' }>): void {
  const id = `edit:${event.edit}`;
  if (!conversation.items.has(id)) {
    const { edit, path } = event;
    const call = agent.calls.get(event.call);
    const unknown = { isNew: false, added: undefined, removed: undefined };
    const item: Item = { kind: 'edit', edit, call, path, ...unknown, decision: event };
    if (call !== undefined) standIn(conversation, agent, call, id, item);
    addItem(conversation, agent, id, item);
    return;
  }
  close(conversation, id, (item) => (item.kind === 'edit' ? { ...item, decision: event } : item));
}

/** Puts an edit where its call stands; the call has nothing to say that the edit does not. */
function standIn(conversation: Conversation, agent: AgentNode, call: string, edit: string, item: Item): void {
  const step = valuesFrom(agent.flow, agent.step.from);
  if (!step.includes(call)) return;
  const swap = (ids: readonly string[]) => ids.map((id) => (id === call ? edit : id));
  setItem(conversation, edit, item);
  replaceFrom(agent.flow, agent.step.from, swap(step));
  agent.recent.value = swap(agent.recent.peek());
}

function open(conversation: Conversation, agent: AgentNode, id: string, item: Item): void {
  addItem(conversation, agent, id, item);
  conversation.askers.set(id, agent);
  include(agent.pending, id);
  include(conversation.pending, id);
}

/** An answer may come from another agent than the ask: identical asks of several agents are one. */
function close(conversation: Conversation, id: string, change: (item: Item) => Item): void {
  const item = conversation.items.get(id);
  if (!item) return;
  item.value = change(item.peek());
  exclude(conversation.pending, id);
  const asker = conversation.askers.get(id);
  if (asker) exclude(asker.pending, id);
  conversation.askers.delete(id);
}
