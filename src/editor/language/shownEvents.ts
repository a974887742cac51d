import type { AgentEvent } from '../../agent/index.ts';
import type { Say } from './say.ts';

/** An event with what it says to people in their language; what agents, users and tools wrote stays. */
export function translateEvent(event: AgentEvent, say: Say): AgentEvent {
  switch (event.type) {
    case 'turn-end':
    case 'agent-end':
      return event.error === undefined ? event : { ...event, error: say(event.error) };
    case 'worktree-fail':
      return { ...event, error: say(event.error) };
    case 'step-retry':
      return { ...event, reason: say(event.reason) };
    case 'agent-start':
      return { ...event, modelRule: say(event.modelRule) };
    case 'agent-status':
      return event.detail === undefined ? event : { ...event, detail: say(event.detail) };
    case 'notice':
      return { ...event, text: say(event.text) };
    case 'tool-end':
      return { ...event, summary: say(event.summary) };
    case 'permission-ask':
      return { ...event, title: say(event.title), reason: say(event.reason) };
    case 'question-ask':
      return { ...event, text: say(event.text), options: event.options.map(say) };
    case 'question-answer':
      return event.answer === null ? event : { ...event, answer: say(event.answer) };
    default:
      return event;
  }
}
