import type { AssistantBlock, Message, ToolResultBlock, UserBlock } from './types.ts';
import { toolUses } from './types.ts';

export type RepairedHistory = {
  readonly messages: readonly Message[];
  /** What was mended, for a log; empty when nothing was. */
  readonly repairs: readonly string[];
};

/** What a call is answered with whose result was never recorded. */
export const interruptedResult = 'interrupted: outcome unknown, check before running it again';

/**
 * Makes any history acceptable to a server that is strict about the Messages API: roles alternate and start with the user;
 * every call is answered in the message behind it, in call order and before anything else, and only once; nothing is empty;
 * thinking opens a message, never ends it, and has a signature. Blocks that stay are the same objects.
 * A history that needs no repair is returned as it is.
 */
export function repairHistory(messages: readonly Message[]): RepairedHistory {
  const repairs: string[] = [];
  const cleaned = messages.map((message, index) => cleanMessage(message, index, repairs));
  const callsOnce = dropRepeatedCalls(cleaned, repairs);
  const opened = callsOnce.map((message, index) => mendThinking(message, index, repairs));
  const arranged = arrange(opened, takeResults(opened, repairs), repairs);
  const result = arranged.map((message, index) => original(message, messages[index]));
  const isUnchanged =
    result.length === messages.length && result.every((message, index) => message === messages[index]);
  if (isUnchanged) return { messages, repairs: [] };
  return {
    messages: result,
    repairs: repairs.length > 0 ? repairs : ['tool results were put in the order of their calls'],
  };
}

function cleanMessage(message: Message, index: number, repairs: string[]): Message {
  if (message.role === 'user') {
    const content = message.content.map(cleanResult);
    if (content.some((block, place) => block !== message.content[place])) {
      repairs.push(`message ${index + 1}: empty text in a result dropped`);
    }
    return { role: 'user', content: keep(content, hasContent, 'empty block', index, repairs) };
  }
  const content = keep(message.content, hasContent, 'empty block', index, repairs);
  return { role: 'assistant', content: keep(content, isSigned, 'unfinished thinking', index, repairs) };
}

function keep<Block>(
  blocks: readonly Block[],
  isKept: (block: Block, place: number) => boolean,
  what: string,
  index: number,
  repairs: string[],
): readonly Block[] {
  const kept = blocks.filter(isKept);
  if (kept.length < blocks.length)
    repairs.push(`message ${index + 1}: ${what} dropped (${blocks.length - kept.length})`);
  return kept;
}

function hasContent(block: UserBlock | AssistantBlock): boolean {
  return block.type !== 'text' || block.text.trim() !== '';
}

function isSigned(block: AssistantBlock): boolean {
  if (block.type === 'thinking') return block.signature !== '';
  return block.type !== 'redacted_thinking' || block.data !== '';
}

function isThinking(block: AssistantBlock): boolean {
  return block.type === 'thinking' || block.type === 'redacted_thinking';
}

function cleanResult(block: UserBlock): UserBlock {
  if (block.type !== 'tool_result' || typeof block.content === 'string') return block;
  const content = block.content.filter(hasContent);
  if (content.length === block.content.length && content.length > 0) return block;
  return { ...block, content: content.length > 0 ? content : '' };
}

/** Ids of calls are unique in a history; a second call under one id could never be told from the first. */
function dropRepeatedCalls(messages: readonly Message[], repairs: string[]): readonly Message[] {
  const seen = new Set<string>();
  return messages.map((message, index) => {
    if (message.role === 'user') return message;
    const isFirst = (block: AssistantBlock) =>
      block.type !== 'tool_use' || (!seen.has(block.id) && Boolean(seen.add(block.id)));
    return { role: 'assistant', content: keep(message.content, isFirst, 'repeated call', index, repairs) };
  });
}

/** Servers refuse thinking that does not open its message, and a message that ends with it. */
function mendThinking(message: Message, index: number, repairs: string[]): Message {
  if (message.role === 'user') return message;
  const { content } = message;
  const opens = content[0] !== undefined && isThinking(content[0]);
  const end = opens ? content.findLastIndex((block) => !isThinking(block)) + 1 : content.length;
  const isKept = (block: AssistantBlock, place: number) => !isThinking(block) || (opens && place < end);
  return { role: 'assistant', content: keep(content, isKept, 'thinking without an answer', index, repairs) };
}

type FoundResult = { readonly block: ToolResultBlock; readonly index: number };

/** The first result behind each call. All others answer nothing. */
function takeResults(messages: readonly Message[], repairs: string[]): ReadonlyMap<string, FoundResult> {
  const asked = new Set<string>();
  const results = new Map<string, FoundResult>();
  messages.forEach((message, index) => {
    for (const call of toolUses(message)) asked.add(call.id);
    for (const block of message.content) {
      if (block.type !== 'tool_result') continue;
      const what = results.has(block.tool_use_id) ? 'second result' : 'result without a call';
      if (asked.has(block.tool_use_id) && !results.has(block.tool_use_id))
        results.set(block.tool_use_id, { block, index });
      else repairs.push(`message ${index + 1}: ${what} dropped (${block.tool_use_id})`);
    }
  });
  return results;
}

type Draft =
  | { readonly role: 'user'; readonly content: UserBlock[] }
  | { readonly role: 'assistant'; readonly content: AssistantBlock[] };

function arrange(
  messages: readonly Message[],
  results: ReadonlyMap<string, FoundResult>,
  repairs: string[],
): readonly Message[] {
  const drafts: Draft[] = [];
  messages.forEach((message, index) => {
    if (message.role === 'user') {
      const content = message.content.filter((block) => block.type !== 'tool_result');
      const last = drafts.at(-1);
      if (last?.role === 'user') last.content.push(...content);
      else if (content.length > 0) drafts.push({ role: 'user', content });
      return;
    }
    if (message.content.length === 0) {
      repairs.push(`message ${index + 1}: dropped, it is empty`);
      return;
    }
    addAssistant(drafts, message.content, index, repairs);
    const answers = toolUses(message).map((call) => {
      const found = results.get(call.id);
      if (!found) repairs.push(`message ${index + 1}: missing result added (${call.id})`);
      return found?.block ?? missingResult(call.id);
    });
    if (answers.length > 0) drafts.push({ role: 'user', content: answers });
  });
  if (drafts.length !== messages.length)
    repairs.push('messages were dropped, joined or added, so that the roles alternate');
  return drafts;
}

function addAssistant(drafts: Draft[], content: readonly AssistantBlock[], index: number, repairs: string[]): void {
  const last = drafts.at(-1);
  if (!last) {
    repairs.push('a first message was added, the history began with an answer');
    drafts.push({
      role: 'user',
      content: [{ type: 'text', text: '[The beginning of this conversation is missing.]' }],
    });
  } else if (last.role === 'assistant') {
    if (!content.some(isThinking)) {
      last.content.push(...content);
      return;
    }
    // Joined to other text, signed thinking would no longer open its message.
    repairs.push(`message ${index + 1}: separated from the answer before it`);
    drafts.push({ role: 'user', content: [{ type: 'text', text: '[Continue.]' }] });
  }
  drafts.push({ role: 'assistant', content: [...content] });
}

function missingResult(call: string): ToolResultBlock {
  return { type: 'tool_result', tool_use_id: call, content: interruptedResult, is_error: true };
}

/** The message as it was given, when it holds the same blocks. */
function original(message: Message, given: Message | undefined): Message {
  const isSame =
    given?.role === message.role &&
    given.content.length === message.content.length &&
    given.content.every((block, index) => block === message.content[index]);
  return given && isSame ? given : message;
}
