/**
 * A model server for tests: Anthropic's Messages API over HTTP, as strict about histories as the real one, answering by a
 * script and misbehaving on cue. Agents run in parallel, so answers go by what a request says, never by its order.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Fault, Script, ScriptedRequest } from './scriptedModel/answer.ts';
import { countInput, countOutput, PromptCache } from './scriptedModel/bill.ts';
import { type Delivery, streamAnswer, wholeMessage } from './scriptedModel/deliver.ts';
import {
  ApiFault,
  checkBody,
  checkHeaders,
  invalid,
  parseJson,
  type RecordedRequest,
  readRequest,
  sendFault,
  sendJson,
} from './scriptedModel/http.ts';
import { defaultModels, type ListedModel, pageOf } from './scriptedModel/modelList.ts';
import { countTokensBodySchema, type MessagesBody, messagesBodySchema } from './scriptedModel/requestSchema.ts';
import { viewRequest } from './scriptedModel/view.ts';

export type { Answer, AnswerBlock, Fault, Script, ScriptedRequest } from './scriptedModel/answer.ts';
export { faults } from './scriptedModel/answer.ts';
export { demoScript } from './scriptedModel/demoScript.ts';
export type { RecordedRequest } from './scriptedModel/http.ts';
export type { ListedModel } from './scriptedModel/modelList.ts';
export type { MessagesBody } from './scriptedModel/requestSchema.ts';

export type ScriptedModelOptions = {
  readonly script?: Script;
  /** 0, the default: any free port. */
  readonly port?: number;
  /** Requests with another key, or none, are refused. */
  readonly apiKey?: string;
  /** `none`: the server has no list of models (404). */
  readonly models?: readonly ListedModel[] | 'none';
  /**
   * `script`: requests for a title take an answer of the script like all others. Left out: they get one that the script
   * knows nothing of, since an editor asks for it when it likes.
   */
  readonly titles?: 'script';
  /** `none`: the server does not count tokens (404). */
  readonly counting?: 'none';
};

export type ScriptedModel = {
  readonly url: string;
  /** All requests so far, in the order of their arrival. */
  readonly requests: readonly RecordedRequest[];
  /** The bodies of the well-formed `POST /v1/messages` that the script answers, in order. */
  bodies(): readonly MessagesBody[];
  /** Answers every conversation that has no queue. */
  script(script: Script): void;
  /** Answers conversations whose first user message matches, one answer a request; the first queue that matches wins. */
  queue(match: string | RegExp, ...answers: readonly (Answer | Script)[]): void;
  /** The next requests fail so, whoever they are from, and take no answer from a script or queue. */
  failNext(...faults: readonly Fault[]): void;
  close(): Promise<void>;
};

type AnswerSource = {
  readonly queues: { readonly match: string | RegExp; readonly answers: (Answer | Script)[] }[];
  readonly upcomingFaults: Fault[];
  script: Script | undefined;
};

/** Starts a server on 127.0.0.1. */
export async function startScriptedModel(options: ScriptedModelOptions = {}): Promise<ScriptedModel> {
  const requests: RecordedRequest[] = [];
  const source: AnswerSource = { queues: [], upcomingFaults: [], script: options.script };
  const respond = createResponder(source, options);

  const server = createServer((request, response) => {
    serve(request, response, requests, respond).catch(() => response.destroy());
  });
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen(options.port ?? 0, '127.0.0.1', done);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the scripted model has no port');

  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    bodies: () =>
      requests.flatMap(({ body }) => (body && (options.titles === 'script' || !asksForTitle(body)) ? [body] : [])),
    script: (script) => {
      source.script = script;
    },
    queue: (match, ...answers) => {
      source.queues.push({ match, answers: [...answers] });
    },
    failNext: (...faults) => {
      source.upcomingFaults.push(...faults);
    },
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

type Respond = (
  record: RecordedRequest,
  query: URLSearchParams,
  response: ServerResponse,
  signal: AbortSignal,
) => Promise<void>;

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  requests: RecordedRequest[],
  respond: Respond,
): Promise<void> {
  const left = new AbortController();
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const record = await readRequest(request, pathname);
  requests.push(record);
  response.on('close', () => {
    record.isAbandoned = !response.writableEnded && record.fault?.type !== 'cut';
    record.isEnded = true;
    left.abort();
  });
  try {
    await respond(record, searchParams, response, left.signal);
  } catch (error) {
    if (left.signal.aborted) return;
    if (error instanceof ApiFault) return sendFault(record, response, error.fault);
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    sendFault(record, response, invalid(`scripted model: the script failed: ${message}`).fault);
  }
}

function createResponder(source: AnswerSource, options: ScriptedModelOptions): Respond {
  const postMessages = createMessagesEndpoint(source, options.titles === 'script');
  return async (record, query, response, signal) => {
    checkHeaders(record.headers, options.apiKey);
    switch (`${record.method} ${record.path}`) {
      case 'POST /v1/messages': {
        const body = checkBody(messagesBodySchema.safeParse(parseJson(record.rawBody)));
        return postMessages(record, body, response, signal);
      }
      case 'POST /v1/messages/count_tokens': {
        if (options.counting === 'none') throw new ApiFault(404, 'not_found_error', 'Not found');
        const body = checkBody(countTokensBodySchema.safeParse(parseJson(record.rawBody)));
        return sendJson(record, response, 200, { input_tokens: countInput(body) });
      }
      case 'GET /v1/models':
        if (options.models === 'none') throw new ApiFault(404, 'not_found_error', 'Not found');
        return sendJson(record, response, 200, pageOf(options.models ?? defaultModels, query));
      default:
        throw new ApiFault(404, 'not_found_error', `Not found: ${record.method} ${record.path}`);
    }
  };
}

/** The title of every conversation, where the script is not asked for one. */
export const scriptedTitle = 'Named by the scripted model';

function asksForTitle(body: MessagesBody): boolean {
  return viewRequest(body).system.startsWith('You name conversations.');
}

function createMessagesEndpoint(source: AnswerSource, namesByScript: boolean) {
  const cache = new PromptCache();
  let messageCount = 0;
  let callCount = 0;
  const nextCallId = () => {
    callCount += 1;
    return `toolu_${String(callCount).padStart(6, '0')}`;
  };

  return async (record: RecordedRequest, body: MessagesBody, response: ServerResponse, signal: AbortSignal) => {
    const isTitle = !namesByScript && asksForTitle(body);
    const named: Answer = { blocks: [{ type: 'text', text: scriptedTitle }] };
    const answer = isTitle ? named : await takeAnswer(source, viewRequest(body));
    record.fault = answer.fault;
    if (body.tool_choice?.type === 'none' && answer.blocks.some((block) => block.type === 'tool_use')) {
      throw invalid('scripted model: the script answers with a call although tool_choice is none');
    }
    if (answer.delayMs) await sleep(answer.delayMs, undefined, { signal });
    if (answer.fault?.type === 'status') return sendFault(record, response, answer.fault);
    const usage = { ...cache.bill(body), output_tokens: countOutput(answer.blocks), ...answer.usage };
    record.usage = usage;
    record.status = 200;
    messageCount += 1;
    const id = `msg_${String(messageCount).padStart(6, '0')}`;
    const delivery: Delivery = { id, model: body.model, answer, usage, nextCallId };
    if (body.stream) return streamAnswer(response, delivery, signal);
    return sendJson(record, response, 200, wholeMessage(delivery));
  };
}

async function takeAnswer(source: AnswerSource, request: ScriptedRequest): Promise<Answer> {
  const fault = source.upcomingFaults.shift();
  if (fault) return { blocks: [{ type: 'text', text: 'An answer that is disturbed on its way.' }], fault };
  const queue = source.queues.find(({ match }) =>
    typeof match === 'string' ? request.firstText.includes(match) : match.test(request.firstText),
  );
  const next = queue ? queue.answers.shift() : source.script;
  if (next === undefined) {
    throw invalid(`scripted model: no answer left for ${JSON.stringify(request.firstText.slice(0, 80))}`);
  }
  return typeof next === 'function' ? next(request) : next;
}
