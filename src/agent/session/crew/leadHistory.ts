import type { Measure } from '../../context/measure.ts';
import type { AgentEvent } from '../../loop/events.ts';
import type { Message } from '../../messages/types.ts';
import type { ResolvedModel } from '../../model/catalog.ts';
import { lead } from '../lead.ts';

/** A model's thinking is signed for that model: another one is not sent it. */
export function fitHistory(
  history: readonly Message[],
  events: readonly AgentEvent[],
  model: ResolvedModel,
): readonly Message[] {
  const before = events.findLast((event) => event.type === 'agent-start' && event.agent === lead.id);
  if (before?.type !== 'agent-start' || before.model === model.id) return history;
  return history.map((message) => {
    if (message.role === 'user') return message;
    const content = message.content.filter(({ type }) => type !== 'thinking' && type !== 'redacted_thinking');
    return { role: 'assistant', content };
  });
}

/** How large the history was when last something was said about it; undefined when that was of another model. */
export function lastMeasure(
  history: readonly Message[],
  events: readonly AgentEvent[],
  model: ResolvedModel,
): Measure | undefined {
  let appended = 0;
  let found: Measure | undefined;
  for (let index = events.length - 1; index >= 0; index -= 1) {
    const event = events[index];
    if (event?.agent !== lead.id) continue;
    if (event.type === 'agent-start' && event.model !== model.id) return undefined;
    if (event.type === 'agent-start' && found) return found;
    if (found) continue;
    const messages = Math.max(0, history.length - appended);
    if (event.type === 'message-append') appended += 1;
    else if (event.type === 'usage-update') found = { tokens: event.contextTokens, messages, by: 'usage' };
    else if (event.type === 'context-compact') found = { tokens: event.tokensAfter, messages, by: 'estimate' };
  }
  return undefined;
}
