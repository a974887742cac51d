import type { Agent } from '../loop/agent.ts';
import { repairHistory } from '../messages/repair.ts';
import type { CacheMark, Message, UserBlock } from '../messages/types.ts';
import type { ModelRequest } from '../model/provider.ts';
import { toolSpecs } from './measure.ts';

const mark: CacheMark = { type: 'ephemeral' };
const maxOutputTokens = 32_000;
/** Of the window: more for the answer would leave a small model no room for the question. */
const maxOutputShare = 0.25;

/**
 * The next request of an agent: tools, system, history, in the order in which a prompt cache reads them. Marks stand on the
 * stable prefix (tools and system together) and on the last two user messages, so each request extends the cached one.
 */
export function buildRequest(
  agent: Agent,
  toolChoice: ModelRequest['toolChoice'],
  history = agent.history,
): ModelRequest {
  const { model } = agent;
  const { messages } = repairHistory(history);
  return {
    model: model.id,
    maxTokens: Math.min(maxOutputTokens, model.maxOutputTokens, Math.floor(maxOutputShare * model.contextWindow)),
    system: [{ type: 'text', text: agent.system, cache_control: mark }],
    tools: toolSpecs(agent.tools),
    toolChoice,
    ...(agent.effort && { effort: agent.effort }),
    messages: markBoundaries(messages),
  };
}

function markBoundaries(messages: readonly Message[]): readonly Message[] {
  const boundaries = new Set(messages.flatMap((message, index) => (message.role === 'user' ? [index] : [])).slice(-2));
  return messages.map((message, index) => {
    if (message.role !== 'user' || !boundaries.has(index)) return message;
    return { role: 'user', content: message.content.map((block, at) => markLast(block, at, message.content.length)) };
  });
}

function markLast(block: UserBlock, at: number, length: number): UserBlock {
  return at === length - 1 ? { ...block, cache_control: mark } : block;
}
