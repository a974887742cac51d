import type { AgentEvent, EndStatus, Receipt, ToolStatus } from '../../loop/events.ts';
import type { ToolResultBlock, UserBlock } from '../../messages/types.ts';

type Stamp = { readonly time: number; readonly agent: string; readonly parent: string | null };

type EntryBody =
  | { readonly type: 'prompt'; readonly turn: number; readonly text: string; readonly by: 'user' | 'agent' }
  | { readonly type: 'turn-end'; readonly turn: number; readonly status: EndStatus; readonly error?: string }
  | {
      readonly type: 'agent-start';
      readonly name: string;
      readonly agentType: string;
      readonly description: string;
      readonly task: string;
      readonly model: string;
      readonly call: string | null;
    }
  | {
      readonly type: 'agent-end';
      readonly status: EndStatus;
      readonly report: string;
      readonly receipt: Receipt;
      readonly error?: string;
    }
  | { readonly type: 'told' | 'text' | 'thinking'; readonly text: string }
  | {
      readonly type: 'call';
      readonly call: string;
      readonly tool: string;
      readonly summary: string;
      readonly input: Readonly<Record<string, unknown>>;
    }
  | {
      readonly type: 'call-end';
      readonly call: string;
      readonly tool: string;
      readonly status: ToolStatus;
      readonly summary: string;
      readonly preview: string;
      readonly durationMs: number;
    }
  /** As the model got it. */
  | { readonly type: 'result'; readonly call: string; readonly text: string; readonly isError: boolean }
  | {
      readonly type: 'permission';
      readonly call: string;
      readonly decision: 'allow' | 'deny';
      readonly by: string;
      readonly rule?: string;
    }
  | {
      readonly type: 'edit';
      readonly call: string;
      readonly path: string;
      readonly decision: 'accept' | 'reject';
      readonly by: 'user' | 'mode';
    }
  | { readonly type: 'question'; readonly question: string; readonly text: string }
  | { readonly type: 'answer'; readonly question: string; readonly text: string | null }
  | { readonly type: 'notice'; readonly level: 'info' | 'warning' | 'error'; readonly text: string }
  | { readonly type: 'context-shortened'; readonly tokensBefore: number; readonly tokensAfter: number };

/** What an exported conversation consists of, in order; `docs/history.md` is its description for others. */
export type Entry = Stamp & EntryBody;

/** What happened, without how it was shown; none for events that say nothing to a reader. */
export function toEntries(event: AgentEvent): readonly Entry[] {
  const { time, agent, parent } = event;
  return bodiesOf(event).map((body) => ({ time, agent, parent, ...body }));
}

function bodiesOf(event: AgentEvent): readonly EntryBody[] {
  switch (event.type) {
    case 'turn-start':
      return [{ type: 'prompt', turn: event.turn, text: event.prompt, by: event.by ?? 'user' }];
    case 'turn-end': {
      const { turn, status, error } = event;
      return [{ type: 'turn-end', turn, status, ...(error !== undefined && { error }) }];
    }
    case 'agent-start': {
      if (event.parent === null) return [];
      const { name, agentType, description, prompt: task, model, call } = event;
      return [{ type: 'agent-start', name, agentType, description, task, model, call }];
    }
    case 'agent-end': {
      if (event.parent === null) return [];
      const { status, report, receipt, error } = event;
      return [{ type: 'agent-end', status, report, receipt, ...(error !== undefined && { error }) }];
    }
    case 'message-append':
      return messageBodies(event);
    case 'tool-start': {
      const { call, tool, summary, input } = event;
      return [{ type: 'call', call, tool, summary, input }];
    }
    case 'tool-end': {
      const { call, tool, status, summary, preview, durationMs } = event;
      return [{ type: 'call-end', call, tool, status, summary, preview, durationMs }];
    }
    case 'permission-decide': {
      const { call, decision, by, rule } = event;
      return [{ type: 'permission', call, decision, by, ...(rule !== undefined && { rule }) }];
    }
    case 'edit-decide': {
      const { call, path, decision, by } = event;
      return [{ type: 'edit', call, path, decision, by }];
    }
    case 'question-ask':
      return [{ type: 'question', question: event.question, text: event.text }];
    case 'question-answer':
      return [{ type: 'answer', question: event.question, text: event.answer }];
    case 'notice':
      return [{ type: 'notice', level: event.level, text: event.text }];
    case 'context-compact':
      if (event.how === 'fork') return [];
      return [{ type: 'context-shortened', tokensBefore: event.tokensBefore, tokensAfter: event.tokensAfter }];
    default:
      return [];
  }
}

function messageBodies({ message }: Extract<AgentEvent, { type: 'message-append' }>): readonly EntryBody[] {
  if (message.role === 'user') return message.content.flatMap(heard);
  return message.content.flatMap((block): readonly EntryBody[] => {
    if (block.type === 'text') return [{ type: 'text', text: block.text }];
    return block.type === 'thinking' ? [{ type: 'thinking', text: block.thinking }] : [];
  });
}

function heard(block: UserBlock): readonly EntryBody[] {
  if (block.type === 'text') return [{ type: 'told', text: block.text }];
  if (block.type !== 'tool_result') return [];
  return [{ type: 'result', call: block.tool_use_id, text: textOfResult(block), isError: block.is_error ?? false }];
}

function textOfResult({ content }: ToolResultBlock): string {
  if (typeof content === 'string') return content;
  return content.map((block) => (block.type === 'text' ? block.text : '[image]')).join('\n');
}
