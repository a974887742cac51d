/** Shorter forms of a history. None of them asks a model, and none leaves a call without its result. */
import { estimateTokens } from '../messages/tokens.ts';
import { type Message, textOf, toolUses, type UserBlock } from '../messages/types.ts';
import { goneResult } from './drop.ts';

const cutOverChars = 400;
const firstRequestChars = 4_000;
const leftOut = '<left-out>Older parts of this conversation were left out here to make room.</left-out>';
const firstTag = 'first-request';
const firstPattern = new RegExp(`^<${firstTag}>\\n([\\s\\S]*)\\n</${firstTag}>$`);
const summaryStart = '<summary of="the conversation so far">';
const summaryEnd = '</summary>';

/** What the agent works on, word for word: the texts and images of the last message that is more than results. */
export function lastRequest(history: readonly Message[]): readonly UserBlock[] {
  for (const message of history.toReversed()) {
    if (message.role !== 'user') continue;
    const blocks = message.content.filter((block) => block.type !== 'tool_result');
    if (blocks.length > 0) return blocks;
  }
  return [];
}

/** What there was before the request, when nothing was done about it yet. */
export function beforeRequest(history: readonly Message[]): readonly Message[] {
  const isNews = ({ role, content }: Message) => role === 'user' && content.every(({ type }) => type !== 'tool_result');
  const end = history.findLastIndex((message) => !isNews(message)) + 1;
  return end === 0 ? history : history.slice(0, end);
}

/** A summary in the place of a history; the request and a last step that is not too large stay as they are. */
export function withSummary(
  history: readonly Message[],
  request: readonly UserBlock[],
  summary: string,
  maxStepTokens: number,
): readonly Message[] {
  const step = lastStep(history);
  const tail = estimateTokens(step) <= maxStepTokens ? step : [];
  const text = `${summaryStart}\n${summary}\n${summaryEnd}`;
  return [headOf(history, text, holds(tail, request) ? [] : request), ...tail];
}

/** The end of a history, as much of it as fits; of a last step whose results do not fit, their beginnings. */
export function keepEnd(
  history: readonly Message[],
  request: readonly UserBlock[],
  maxTokens: number,
): readonly Message[] {
  if (estimateTokens(history) <= maxTokens) return history;
  const { summary } = partsOf(history);
  const text = summary ? `${summary}\n\n${leftOut}` : leftOut;
  const left = maxTokens - estimateTokens([headOf(history, text, request)]);
  const step = cutResults(lastStep(history), left);
  const end = endWithin(history, left);
  const last = estimateTokens(step) <= left ? step : [];
  const tail = end.length >= last.length ? end : last;
  return [headOf(history, text, holds(tail, request) ? [] : request), ...tail];
}

/** The longest end that begins with an answer, so that every result in it has its call. */
function endWithin(history: readonly Message[], maxTokens: number): readonly Message[] {
  let from = history.length;
  let tokens = 0;
  for (let index = history.length - 1; index >= 0; index -= 1) {
    const message = history[index];
    if (!message) break;
    tokens += estimateTokens([message]);
    if (tokens > maxTokens) break;
    if (message.role === 'assistant') from = index;
  }
  return history.slice(from);
}

/** The last answer and what came behind it, where that continues it; empty when a new request follows a finished answer. */
function lastStep(history: readonly Message[]): readonly Message[] {
  const index = history.findLastIndex(({ role }) => role === 'assistant');
  const answer = history[index];
  if (!answer) return [];
  return toolUses(answer).length > 0 || index === history.length - 1 ? history.slice(index) : [];
}

function cutResults(step: readonly Message[], maxTokens: number): readonly Message[] {
  const tokens = estimateTokens(step);
  if (tokens <= maxTokens) return step;
  const share = Math.max(0.01, (0.8 * maxTokens) / tokens);
  return step.map((message) => {
    if (message.role === 'assistant') return message;
    return { role: 'user', content: message.content.map((block) => cutResult(block, share)) };
  });
}

function cutResult(block: UserBlock, share: number): UserBlock {
  if (block.type !== 'tool_result') return block;
  if (typeof block.content !== 'string') return { ...block, content: goneResult };
  const chars = Math.floor(block.content.length * share);
  return chars < cutOverChars && block.content.length <= cutOverChars
    ? block
    : { ...block, content: `${block.content.slice(0, chars)}\n[The rest was left out to make room.]` };
}

function holds(messages: readonly Message[], request: readonly UserBlock[]): boolean {
  const [first] = request;
  return (
    first !== undefined && messages.some(({ role, content }) => role === 'user' && content.some((b) => b === first))
  );
}

const requestNote = 'The request in hand follows, word for word; some of it may be done, as far as the above says so.';

/** What a shortened history begins with: the first request, what is known of the part that is gone, and the request in hand. */
function headOf(history: readonly Message[], text: string, request: readonly UserBlock[]): Message {
  const { first } = partsOf(history);
  const isSame = first === '' || request.some((block) => block.type === 'text' && block.text === first);
  const opening: UserBlock = { type: 'text', text: `<${firstTag}>\n${clip(first)}\n</${firstTag}>` };
  const body: UserBlock = { type: 'text', text: request.length === 0 ? text : `${text}\n\n${requestNote}` };
  return { role: 'user', content: [...(isSame ? [] : [opening]), body, ...request] };
}

/** Reads the first message, which may be a head of this kind. */
function partsOf(history: readonly Message[]): { readonly first: string; readonly summary: string | undefined } {
  const opening = history.find(({ role }) => role === 'user');
  if (!opening) return { first: '', summary: undefined };
  const texts = opening.content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const at = texts.findIndex((text) => text.startsWith(summaryStart) || text.startsWith(leftOut));
  const body = texts[at];
  if (body === undefined) return { first: textOf(opening), summary: undefined };
  const isSummary = body.startsWith(summaryStart);
  const summary = isSummary ? body.slice(0, body.lastIndexOf(summaryEnd) + summaryEnd.length) : undefined;
  const tagged = texts[at - 1]?.match(firstPattern)?.[1];
  return { first: tagged ?? (body.endsWith(requestNote) ? (texts[at + 1] ?? '') : ''), summary };
}

function clip(text: string): string {
  return text.length > firstRequestChars ? `${text.slice(0, firstRequestChars)}…` : text;
}

/** Adds a text to what the agent reads next. */
export function withText(history: readonly Message[], text: string): readonly Message[] {
  if (text === '') return history;
  const block: UserBlock = { type: 'text', text };
  const last = history.at(-1);
  if (last?.role !== 'user') return [...history, { role: 'user', content: [block] }];
  return [...history.slice(0, -1), { role: 'user', content: [...last.content, block] }];
}
