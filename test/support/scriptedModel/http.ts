import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { z } from 'zod';
import type { AnswerUsage, Fault } from './answer.ts';
import { checkHistory } from './checkHistory.ts';
import { type CountTokensBody, describeIssue, type MessagesBody, messagesBodySchema } from './requestSchema.ts';

export type RecordedRequest = {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawBody: string;
  /** Of a well-formed `POST /v1/messages`. */
  readonly body: MessagesBody | undefined;
  /** The client's port: the same for requests over one connection. */
  readonly clientPort: number | undefined;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** Of the answer; undefined while there is none. */
  status: number | undefined;
  /** Why it was refused. */
  error: string | undefined;
  /** How it was made to fail. */
  fault: Fault | undefined;
  /** What the answer was billed. */
  usage: AnswerUsage | undefined;
  /** The client left before the answer was complete. */
  isAbandoned: boolean;
  /** Nothing more is sent over its connection in answer to it. */
  isEnded: boolean;
};

export type StatusFault = Extract<Fault, { type: 'status' }>;

/** An error in the shape of the API. */
export class ApiFault extends Error {
  readonly fault: StatusFault;
  constructor(status: number, errorType: string, message: string) {
    super(message);
    this.fault = { type: 'status', status, errorType, message };
  }
}

export const invalid = (message: string): ApiFault => new ApiFault(400, 'invalid_request_error', message);

export async function readRequest(request: IncomingMessage, path: string): Promise<RecordedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const rawBody = Buffer.concat(chunks).toString();
  const isMessages = request.method === 'POST' && path === '/v1/messages';
  return {
    method: request.method ?? 'GET',
    path,
    headers: request.headers,
    rawBody,
    body: isMessages ? messagesBodySchema.safeParse(parseJson(rawBody)).data : undefined,
    clientPort: request.socket.remotePort,
    time: Date.now(),
    status: undefined,
    error: undefined,
    fault: undefined,
    usage: undefined,
    isAbandoned: false,
    isEnded: false,
  };
}

/** undefined for what is not JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @throws ApiFault when the body or the history in it is not acceptable */
export function checkBody<Body extends CountTokensBody>(parsed: z.ZodSafeParseResult<Body>): Body {
  if (!parsed.success) throw invalid(describeIssue(parsed.error));
  const fault = checkHistory(parsed.data);
  if (fault) throw invalid(fault);
  return parsed.data;
}

/** @throws ApiFault for a wrong key or a missing version */
export function checkHeaders(headers: IncomingHttpHeaders, apiKey: string | undefined): void {
  const given = headers.authorization?.replace(/^Bearer /, '') ?? headers['x-api-key'];
  if (apiKey !== undefined && given !== apiKey) throw new ApiFault(401, 'authentication_error', 'invalid x-api-key');
  if (headers['anthropic-version'] === undefined) throw invalid('anthropic-version: header is required');
}

export function sendJson(record: RecordedRequest, response: ServerResponse, status: number, body: object): void {
  record.status = status;
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_scripted' });
  response.end(JSON.stringify(body));
}

export function sendFault(record: RecordedRequest, response: ServerResponse, fault: StatusFault): void {
  const { status, errorType = 'api_error', message = 'scripted fault', details, headers = {} } = fault;
  record.status = status;
  record.error = message;
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const error = { type: errorType, message, ...(details && { details }) };
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_scripted', ...headers });
  response.end(fault.body ?? JSON.stringify({ type: 'error', error, request_id: 'req_scripted' }));
}
