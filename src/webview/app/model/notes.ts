import type { AgentEvent } from '../../protocol.ts';
import { addItem, updateInfo } from './conversation.ts';
import { lastOf } from './list.ts';
import type { AgentNode, Conversation, Item } from './types.ts';

type Appended = Extract<AgentEvent, { readonly type: 'message-append' }>;

/** How the loop begins what others wrote to an agent between its steps. */
const beginnings = [
  { start: 'Message from the user:\n', by: 'user', isInstruction: false },
  { start: 'The user changed your instruction. It now reads:\n', by: 'user', isInstruction: true },
  { start: 'Message from the agent that delegated to you:\n', by: 'agent', isInstruction: false },
] as const;

const report =
  /^A background agent has ended\.\n<report agent="([^"]*)" id="([^"]*)" status="([^"]*)">\n([\s\S]*)\n<\/report>/;

/** The report of a background agent, as the agent that it is told to gets it. */
export function parseReport(text: string): Extract<Item, { readonly kind: 'wake' }> | undefined {
  const match = report.exec(text);
  if (!match) return undefined;
  const [, name = '', agent = '', status = '', words = ''] = match;
  return { kind: 'wake', name, agent, status, text: words };
}

/** What the user, the agent above or an agent below said to an agent; all else that it is sent goes without showing. */
export function addHeard(conversation: Conversation, agent: AgentNode, event: Appended): void {
  const [block] = event.message.content;
  if (event.message.role !== 'user' || block?.type !== 'text') return;
  const item = readNote(agent, block.text);
  if (!item) return;
  const last = conversation.items.get(lastOf(agent.flow) ?? '')?.peek();
  // What woke the lead is its prompt as well.
  if (item.kind === 'wake' && last?.kind === 'wake' && last.agent === item.agent) return;
  if (item.kind === 'note' && item.isInstruction) updateInfo(agent, { prompt: item.text });
  addItem(conversation, agent, `note:${event.seq}`, item);
}

function readNote(agent: AgentNode, text: string): Item | undefined {
  if (agent.awaitsTask) {
    agent.awaitsTask = false;
    // An agent that goes on has a flow before its new task.
    return agent.flow.length > 0 ? { kind: 'note', by: 'agent', isInstruction: true, text } : undefined;
  }
  for (const { start, by, isInstruction } of beginnings) {
    if (text.startsWith(start)) return { kind: 'note', by, isInstruction, text: text.slice(start.length) };
  }
  return parseReport(text);
}
