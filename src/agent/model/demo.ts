import type { Clock } from '../host.ts';
import type { ToolUseBlock } from '../messages/types.ts';
import { type Conversation, conversationOf, offers, type Reply } from './demo/conversation.ts';
import { playExplorer } from './demo/explorer.ts';
import { playLead } from './demo/lead.ts';
import { isExploreTask } from './demo/task.ts';
import { helpText } from './demo/words.ts';
import type { ModelEvent, ModelRequest, Provider } from './provider.ts';

export const demoModel = 'offline-demo';

const shortestDelta = 24;
/** A long text comes in larger pieces: none takes more than about two seconds at the usual pace. */
const mostDeltas = 120;

/**
 * A source of answers without a model, a network or randomness: an explorer whose every answer follows from the request
 * alone, and which works with the tools and agents that the request offers.
 * @param paceMs how long to wait between pieces of text, so that people can follow
 */
export function createDemoProvider({ clock, paceMs = 15 }: { clock: Clock; paceMs?: number }): Provider {
  return {
    id: 'demo',
    stream: (request, signal) => stream(request, clock, paceMs, signal),
    countTokens: async (request) => inputTokens(request),
    listModels: async () => [{ id: demoModel, name: 'Offline demo', releasedAt: 0, contextWindow: 200_000 }],
  };
}

async function* stream(
  request: ModelRequest,
  clock: Clock,
  paceMs: number,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  signal.throwIfAborted();
  yield { type: 'alive' };
  const conversation = conversationOf(request);
  const reply = play(conversation);
  for (const text of piecesOf(reply.text)) {
    if (paceMs > 0) await clock.sleep(paceMs, signal);
    signal.throwIfAborted();
    yield { type: 'text-delta', text };
  }
  yield { type: 'block-end', block: { type: 'text', text: reply.text } };
  const calls = callBlocks(conversation, reply);
  for (const block of calls) {
    signal.throwIfAborted();
    yield { type: 'block-end', block };
  }
  yield {
    type: 'message-end',
    stopReason: calls.length > 0 ? 'tool_use' : 'end_turn',
    usage: {
      inputTokens: inputTokens(request),
      outputTokens: estimate(reply.text) + estimate(JSON.stringify(reply.calls)),
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
    },
  };
}

/** Who may delegate leads, unless it was sent to explore. */
function play(conversation: Conversation): Reply {
  if (isExploreTask(conversation.prompt)) return playExplorer(conversation);
  if (offers(conversation, 'Agent')) return playLead(conversation);
  const canExplore = offers(conversation, 'Glob') || conversation.calls.length > 0;
  return canExplore ? playExplorer(conversation) : { text: helpText, calls: [] };
}

/** Ids differ between turns, steps and agents, and are the same for the same request. */
function callBlocks(conversation: Conversation, reply: Reply): readonly ToolUseBlock[] {
  const key = hash(`${conversation.messageCount}\n${conversation.prompt}`);
  return reply.calls.map(({ name, input }, index) => ({
    type: 'tool_use',
    id: `demo_${key}_${index + 1}`,
    name,
    input,
  }));
}

function hash(text: string): string {
  let value = 0x811c9dc5;
  for (const character of text) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return value.toString(36).padStart(7, '0');
}

/** Whole words, about equally long. */
function piecesOf(text: string): readonly string[] {
  const length = Math.max(shortestDelta, Math.ceil(text.length / mostDeltas));
  const pieces: string[] = [];
  let piece = '';
  for (const word of text.match(/\s*\S{1,80}|\s+/gu) ?? []) {
    piece += word;
    if (piece.length >= length) {
      pieces.push(piece);
      piece = '';
    }
  }
  return piece === '' ? pieces : [...pieces, piece];
}

function inputTokens(request: ModelRequest): number {
  const { system, tools, messages } = request;
  return estimate(JSON.stringify({ system, tools, messages }));
}

/** About four characters of Latin script to a token, one of others. */
function estimate(text: string): number {
  const others = text.match(/[^\x20-\x7e\s]/g)?.length ?? 0;
  return Math.ceil((text.length - others) / 4) + others;
}
