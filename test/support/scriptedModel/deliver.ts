import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, AnswerBlock, AnswerUsage, Fault } from './answer.ts';
import { redact, sign } from './signature.ts';

export type Delivery = {
  readonly id: string;
  readonly model: string;
  readonly answer: Answer;
  readonly usage: AnswerUsage;
  /** A new id for a call. */
  readonly nextCallId: () => string;
};

type StreamEvent = { readonly type: string; readonly [field: string]: unknown };

export const stopOf = (answer: Answer): string =>
  answer.stop ?? (answer.blocks.some((block) => block.type === 'tool_use') ? 'tool_use' : 'end_turn');

/** The whole message, for a request without `stream`. */
export function wholeMessage({ id, model, answer, usage, nextCallId }: Delivery): object {
  return {
    id,
    type: 'message',
    role: 'assistant',
    model,
    content: answer.blocks.map((block) => finishedBlock(block, nextCallId)),
    stop_reason: stopOf(answer),
    stop_sequence: null,
    usage,
  };
}

function finishedBlock(block: AnswerBlock, nextCallId: () => string): object {
  switch (block.type) {
    case 'text':
      return block;
    case 'thinking':
      return { ...block, signature: sign(block.thinking) };
    case 'redacted_thinking':
      return { type: block.type, data: redact(block.thinking) };
    case 'tool_use':
      return { type: block.type, id: block.id ?? nextCallId(), name: block.name, input: block.input };
    case 'other':
      return block.block;
  }
}

/** The events of an answer in the order of the real stream. */
function* eventsOf({ id, model, answer, usage, nextCallId }: Delivery): Generator<StreamEvent> {
  const head = { id, type: 'message', role: 'assistant', model, content: [], stop_reason: null, stop_sequence: null };
  yield { type: 'message_start', message: { ...head, usage: { ...usage, output_tokens: 1 } } };
  yield { type: 'ping' };
  for (const [index, block] of answer.blocks.entries()) {
    yield { type: 'content_block_start', index, content_block: startedBlock(block, nextCallId) };
    for (const delta of deltasOf(block, answer.chunkChars ?? 40)) yield { type: 'content_block_delta', index, delta };
    yield { type: 'content_block_stop', index };
  }
  yield { type: 'message_delta', delta: { stop_reason: stopOf(answer), stop_sequence: null }, usage };
  yield { type: 'message_stop' };
}

function startedBlock(block: AnswerBlock, nextCallId: () => string): object {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: '' };
    case 'thinking':
      return { type: 'thinking', thinking: '', signature: '' };
    case 'tool_use':
      return { type: 'tool_use', id: block.id ?? nextCallId(), name: block.name, input: {} };
    default:
      return finishedBlock(block, nextCallId);
  }
}

function* deltasOf(block: AnswerBlock, size: number): Generator<object> {
  if (block.type === 'text') for (const text of chunks(block.text, size)) yield { type: 'text_delta', text };
  if (block.type === 'thinking') {
    for (const thinking of chunks(block.thinking, size)) yield { type: 'thinking_delta', thinking };
    yield { type: 'signature_delta', signature: sign(block.thinking) };
  }
  if (block.type === 'tool_use') {
    yield { type: 'input_json_delta', partial_json: '' };
    const json = block.rawInput ?? (Object.keys(block.input).length > 0 ? JSON.stringify(block.input) : '');
    for (const partial_json of chunks(json, size)) yield { type: 'input_json_delta', partial_json };
  }
}

function* chunks(text: string, size: number): Generator<string> {
  for (let start = 0; start < text.length; start += size) yield text.slice(start, start + size);
}

const encode = (event: StreamEvent): string => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

/** Streams an answer with its fault. Ends when all is sent or the client has left. */
export async function streamAnswer(response: ServerResponse, delivery: Delivery, signal: AbortSignal): Promise<void> {
  const { fault, chunkMs = 0 } = delivery.answer;
  const send = byteSender(response, fault, signal);
  if (fault?.type === 'silence' && fault.afterEvents === 0) return silence(response, fault, signal);
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'request-id': `req_${delivery.id}`,
  });
  let sent = 0;
  for (const event of eventsOf(delivery)) {
    if (chunkMs > 0 && event.type === 'content_block_delta') await sleep(chunkMs, undefined, { signal });
    if (!(await send(encode(event)))) return;
    sent += 1;
    if (fault && 'afterEvents' in fault && fault.afterEvents === sent && (await strike(response, fault, signal)))
      return;
  }
  if (delivery.answer.closeMs) await sleep(delivery.answer.closeMs, undefined, { signal });
  response.end();
}

/** @returns whether the stream is over with it */
async function strike(response: ServerResponse, fault: Fault, signal: AbortSignal): Promise<boolean> {
  switch (fault.type) {
    case 'cut':
      // What was written is still corked; it should arrive before the end does.
      await sleep(10, undefined, { signal });
      if (fault.isClean) response.end();
      else response.destroy();
      return true;
    case 'silence':
      await silence(response, fault, signal);
      return true;
    case 'garbage':
      response.write(fault.text ?? 'event: content_block_delta\ndata: {"type":"content_block_de\u0000 not json\n\n');
      return false;
    case 'stream-error': {
      const error = { type: fault.errorType, message: fault.message ?? 'Overloaded' };
      response.end(encode({ type: 'error', error }));
      return true;
    }
    default:
      return false;
  }
}

async function silence(
  response: ServerResponse,
  fault: Extract<Fault, { type: 'silence' }>,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    await sleep(fault.pingMs ?? 60_000, undefined, { signal });
    if (fault.pingMs !== undefined) response.write(encode({ type: 'ping' }));
  }
}

/** Writes text, whole or as the fault says. False: the connection was cut. */
function byteSender(response: ServerResponse, fault: Fault | undefined, signal: AbortSignal) {
  let sent = 0;
  return async (text: string): Promise<boolean> => {
    const bytes = Buffer.from(text);
    if (fault?.type === 'drip') {
      for (let start = 0; start < bytes.length; start += fault.bytes) {
        await sleep(fault.everyMs, undefined, { signal });
        response.write(bytes.subarray(start, start + fault.bytes));
      }
      return true;
    }
    const limit = fault?.type === 'cut' ? (fault.afterBytes ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
    if (sent + bytes.length > limit) {
      response.write(bytes.subarray(0, limit - sent));
      await sleep(10, undefined, { signal });
      response.destroy();
      return false;
    }
    sent += bytes.length;
    response.write(bytes);
    return true;
  };
}
