/**
 * The scripted model of the benchmarks: answers at once and checks nothing, so that what is measured is the agent. The one
 * of the tests is as strict as the real server and takes its time for that.
 */
import { createServer, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Repository } from './repository.ts';
import { type CallKind, finalText, nextCalls, phrase, type Speaker, scenarios, speakerOf } from './scenarios.ts';

type Block = {
  readonly type: string;
  readonly text?: string;
  readonly content?: string | readonly Block[];
  readonly is_error?: boolean;
};
export type Body = {
  readonly model: string;
  readonly system?: string | readonly Block[];
  readonly tools?: readonly { readonly name: string }[];
  readonly messages: readonly { readonly role: string; readonly content: string | readonly Block[] }[];
};

/** Times are milliseconds of one clock. */
export type LoggedRequest = {
  readonly agent: string;
  /** How many answers it holds. */
  readonly step: number;
  readonly body: Body;
  readonly bytes: number;
  /** When its first and its last byte were there. */
  readonly beganAt: number;
  readonly arrivedAt: number;
  /** What the answer asks for; undefined when it is the last one. */
  call: CallKind | undefined;
  /** When the first block of the answer was whole, when all of it was written, and when the last byte was taken. */
  firstBlockAt: number;
  writtenAt: number;
  answeredAt: number;
};

export type BenchModel = {
  readonly url: string;
  /** Those of agents that the scenario knows. */
  readonly requests: readonly LoggedRequest[];
  /** Everything else that was asked for, as `METHOD path`. */
  readonly others: readonly string[];
  close(): Promise<void>;
};

export async function startBenchModel(repository: Repository): Promise<BenchModel> {
  const requests: LoggedRequest[] = [];
  const others: string[] = [];
  const server = createServer((request, response) => {
    const beganAt = performance.now();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks);
      const arrivedAt = performance.now();
      const address = request.url?.split('?')[0];
      if (request.method === 'POST' && address === '/v1/messages') {
        const body: Body = JSON.parse(raw.toString());
        const speaker = speakerOf(textOf(body.messages[0]?.content ?? ''));
        if (speaker) {
          const step = body.messages.filter(({ role }) => role === 'assistant').length;
          const times = { beganAt, arrivedAt, firstBlockAt: 0, writtenAt: 0, answeredAt: 0 };
          const logged = { agent: speaker.agent, step, body, bytes: raw.length, call: undefined, ...times };
          requests.push(logged);
          answer(response, speaker, logged, repository).catch(() => response.destroy());
          return;
        }
      }
      others.push(`${request.method} ${address}`);
      sendList(response, address);
    });
  });
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the scripted model has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    others,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

export function textOf(content: string | readonly Block[]): string {
  if (typeof content === 'string') return content;
  return content.map((block) => block.text ?? (block.content === undefined ? '' : textOf(block.content))).join('\n');
}

function sendList(response: ServerResponse, address: string | undefined): void {
  const isList = address === '/v1/models';
  const models = ['claude-sonnet-5-5', 'claude-haiku-5-5'].map((id) => ({
    type: 'model',
    id,
    display_name: id,
    created_at: '2025-10-01T00:00:00Z',
  }));
  response.writeHead(isList ? 200 : 404, { 'content-type': 'application/json' });
  response.end(
    JSON.stringify(
      isList
        ? { data: models, has_more: false, first_id: models[0]?.id, last_id: models.at(-1)?.id }
        : { type: 'error', error: { type: 'not_found_error', message: 'not found' } },
    ),
  );
}

async function answer(
  response: ServerResponse,
  speaker: Speaker,
  logged: LoggedRequest,
  repository: Repository,
): Promise<void> {
  const { latencyMs = 0, blockPauseMs = 0 } = scenarios[speaker.scenario];
  const { body, step, bytes } = logged;
  const offered = new Set((body.tools ?? []).map(({ name }) => name));
  const calls = nextCalls(speaker, step, repository);
  logged.call = calls[0]?.kind;
  if (latencyMs > 0) await sleep(latencyMs);
  response.writeHead(200, { 'content-type': 'text/event-stream', 'request-id': `req_${speaker.agent}_${step}` });
  const usage = { input_tokens: Math.ceil(bytes / 4), cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  const send = (event: { readonly type: string } & Readonly<Record<string, unknown>>) =>
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  const message = { id: `msg_${speaker.agent}_${step}`, type: 'message', role: 'assistant', model: body.model };
  const open = { content: [], stop_reason: null, stop_sequence: null, usage: { ...usage, output_tokens: 1 } };
  send({ type: 'message_start', message: { ...message, ...open } });
  if (calls.length === 0) sendBlock(send, 0, { type: 'text', text: '' }, 'text', finalText(speaker));
  for (const [index, call] of calls.entries()) {
    if (index > 0 && blockPauseMs > 0) await sleep(blockPauseMs);
    const { name, input } = phrase(call, offered);
    const id = `toolu_${speaker.agent}_${step}_${index}`;
    sendBlock(send, index, { type: 'tool_use', id, name, input: {} }, 'partial_json', JSON.stringify(input));
    if (index === 0) logged.firstBlockAt = performance.now();
  }
  const stop = { stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null };
  send({ type: 'message_delta', delta: stop, usage: { ...usage, output_tokens: 40 } });
  send({ type: 'message_stop' });
  logged.writtenAt = performance.now();
  await new Promise<void>((done) => {
    response.once('close', done);
    response.end(done);
  });
  logged.answeredAt = performance.now();
}

const deltaChars = 40;

function sendBlock(
  send: (event: { readonly type: string } & Readonly<Record<string, unknown>>) => void,
  index: number,
  start: Readonly<Record<string, unknown>>,
  field: 'text' | 'partial_json',
  text: string,
): void {
  const type = field === 'text' ? 'text_delta' : 'input_json_delta';
  send({ type: 'content_block_start', index, content_block: start });
  for (let at = 0; at < text.length; at += deltaChars) {
    send({ type: 'content_block_delta', index, delta: { type, [field]: text.slice(at, at + deltaChars) } });
  }
  send({ type: 'content_block_stop', index });
}
