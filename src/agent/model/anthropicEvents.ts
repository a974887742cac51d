import * as z from 'zod';
import type { AssistantBlock } from '../messages/types.ts';
import { ModelError, type ModelEvent, type StopReason, stopReasons, type Usage } from './provider.ts';

const count = z.number().nullish();
const usageSchema = z.object({
  input_tokens: count,
  output_tokens: count,
  cache_read_input_tokens: count,
  cache_creation_input_tokens: count,
});

const eventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('message_start'), message: z.object({ usage: usageSchema.nullish() }) }),
  z.object({
    type: z.literal('content_block_start'),
    index: z.number(),
    content_block: z.object({
      type: z.string(),
      text: z.string().optional(),
      thinking: z.string().optional(),
      signature: z.string().optional(),
      data: z.string().optional(),
      id: z.string().optional(),
      name: z.string().optional(),
      input: z.unknown().optional(),
    }),
  }),
  z.object({
    type: z.literal('content_block_delta'),
    index: z.number(),
    delta: z.object({
      type: z.string(),
      text: z.string().optional(),
      thinking: z.string().optional(),
      signature: z.string().optional(),
      partial_json: z.string().optional(),
    }),
  }),
  z.object({ type: z.literal('content_block_stop'), index: z.number() }),
  z.object({
    type: z.literal('message_delta'),
    delta: z.object({ stop_reason: z.string().nullish() }),
    usage: usageSchema.nullish(),
  }),
  z.object({ type: z.literal('message_stop') }),
]);
const knownTypes: ReadonlySet<unknown> = new Set(eventSchema.options.map((option) => option.shape.type.value));

type RawEvent = z.output<typeof eventSchema>;
type StartedBlock = Extract<RawEvent, { type: 'content_block_start' }>['content_block'];
type Delta = Extract<RawEvent, { type: 'content_block_delta' }>['delta'];

type OpenBlock =
  | { readonly kind: 'text'; text: string }
  | { readonly kind: 'thinking'; thinking: string; signature: string }
  | { readonly kind: 'redacted'; readonly data: string }
  | { readonly kind: 'call'; readonly id: string; readonly name: string; readonly input: unknown; json: string }
  /** A kind of block that Offshoot did not ask for, such as a call of a tool of the server's own. */
  | { readonly kind: 'unknown' };

/** Turns the raw events of one answer into ModelEvents. Unknown kinds of events, blocks and deltas are passed over. */
export type AnswerAssembler = { accept(raw: unknown): Iterable<ModelEvent> };

export function createAnswerAssembler(): AnswerAssembler {
  const open = new Map<number, OpenBlock>();
  let usage: Usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
  let stop: string | undefined;
  let hasCalls = false;

  function* close(index: number): Generator<ModelEvent> {
    const block = open.get(index);
    open.delete(index);
    if (!block) return;
    hasCalls ||= block.kind === 'call';
    const event = endBlock(block);
    if (event) yield event;
  }

  function* accept(raw: unknown): Generator<ModelEvent> {
    const event = parseEvent(raw);
    switch (event?.type) {
      case 'message_start':
        usage = mergeUsage(usage, event.message.usage);
        return;
      case 'content_block_start': {
        const block = startBlock(event.content_block);
        open.set(event.index, block);
        if (block.kind === 'text' && block.text) yield { type: 'text-delta', text: block.text };
        if (block.kind === 'call') yield { type: 'call-start', name: block.name };
        if (block.kind === 'thinking' && block.thinking) yield { type: 'thinking-delta', text: block.thinking };
        return;
      }
      case 'content_block_delta':
        yield* growBlock(open.get(event.index), event.delta);
        return;
      case 'content_block_stop':
        yield* close(event.index);
        return;
      case 'message_delta':
        usage = mergeUsage(usage, event.usage);
        stop = event.delta.stop_reason ?? stop;
        return;
      case 'message_stop':
        for (const index of [...open.keys()]) yield* close(index);
        yield { type: 'message-end', stopReason: toStopReason(stop, hasCalls), usage };
    }
  }

  return { accept };
}

function parseEvent(raw: unknown): RawEvent | undefined {
  const isKnown = typeof raw === 'object' && raw !== null && 'type' in raw && knownTypes.has(raw.type);
  if (!isKnown) return undefined;
  // Compiling the schemas for speed takes longer than all the events of a short answer.
  const parsed = eventSchema.safeParse(raw, { jitless: true });
  if (parsed.success) return parsed.data;
  throw new ModelError('server', 'The model server sent a garbled answer. Try again.', { cause: parsed.error });
}

function startBlock(block: StartedBlock): OpenBlock {
  switch (block.type) {
    case 'text':
      return { kind: 'text', text: block.text ?? '' };
    case 'thinking':
      return { kind: 'thinking', thinking: block.thinking ?? '', signature: block.signature ?? '' };
    case 'redacted_thinking':
      return { kind: 'redacted', data: block.data ?? '' };
    case 'tool_use':
      return { kind: 'call', id: block.id ?? '', name: block.name ?? '', input: block.input, json: '' };
    default:
      return { kind: 'unknown' };
  }
}

function* growBlock(block: OpenBlock | undefined, delta: Delta): Generator<ModelEvent> {
  switch (block?.kind) {
    case 'text':
      if (!delta.text) return;
      block.text += delta.text;
      yield { type: 'text-delta', text: delta.text };
      return;
    case 'thinking':
      if (delta.signature) block.signature += delta.signature;
      if (!delta.thinking) return;
      block.thinking += delta.thinking;
      yield { type: 'thinking-delta', text: delta.thinking };
      return;
    case 'call':
      block.json += delta.partial_json ?? '';
  }
}

function endBlock(block: OpenBlock): ModelEvent | undefined {
  switch (block.kind) {
    case 'text':
      // The server refuses blank text blocks in a history, so none gets in.
      return block.text.trim() === '' ? undefined : ended({ type: 'text', text: block.text });
    case 'thinking':
      return ended({ type: 'thinking', thinking: block.thinking, signature: block.signature });
    case 'redacted':
      return ended({ type: 'redacted_thinking', data: block.data });
    case 'call': {
      const call = { type: 'tool_use', id: block.id, name: block.name } as const;
      const input = block.json.trim() === '' ? (toRecord(block.input) ?? {}) : toRecord(parseJson(block.json));
      if (input) return ended({ ...call, input });
      return { type: 'block-end', block: { ...call, input: {} }, invalidInput: block.json };
    }
    case 'unknown':
      return undefined;
  }
}

const ended = (block: AssistantBlock): ModelEvent => ({ type: 'block-end', block });

const recordSchema = z.record(z.string(), z.unknown());
const toRecord = (value: unknown) => recordSchema.safeParse(value).data;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Later numbers win: those of `message_delta` are totals. */
function mergeUsage(before: Usage, update: z.output<typeof usageSchema> | null | undefined): Usage {
  return {
    inputTokens: update?.input_tokens ?? before.inputTokens,
    outputTokens: update?.output_tokens ?? before.outputTokens,
    cacheReadTokens: update?.cache_read_input_tokens ?? before.cacheReadTokens,
    cacheWriteTokens: update?.cache_creation_input_tokens ?? before.cacheWriteTokens,
  };
}

/**
 * A reason that Offshoot does not know counts as `max_tokens`, the most careful one: the text is kept, nothing is run, and
 * the answer is not taken for a complete one (as `end_turn` would). A server that names none (some local ones) means the
 * obvious.
 */
function toStopReason(stop: string | undefined, hasCalls: boolean): StopReason {
  if (stop === undefined) return hasCalls ? 'tool_use' : 'end_turn';
  return stopReasons.find((known) => known === stop) ?? 'max_tokens';
}
