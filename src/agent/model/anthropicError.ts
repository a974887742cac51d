import type { APIError } from '@anthropic-ai/sdk';
import { ModelError, type ModelErrorKind } from './provider.ts';

export type FailureContext = {
  readonly model: string;
  /** Empty: Anthropic's own server. */
  readonly baseUrl: string;
  /** Must not appear in any error. */
  readonly key: string | undefined;
  /** Milliseconds since the epoch, for a `retry-after` date. */
  readonly now: number;
};

type Failure = {
  readonly status: number | undefined;
  readonly type: string | undefined;
  readonly code: string | undefined;
  readonly message: string;
};

/** Maps an answer of the server that is an error, inside a stream or instead of one. */
export function fromApiError(error: APIError, context: FailureContext): ModelError {
  const failure: Failure = {
    status: error.status,
    type: error.type ?? undefined,
    code: error.errorCode ?? undefined,
    message: withoutKey(error.apiMessage ?? error.message, context.key).slice(0, 500),
  };
  const kind = classify(failure);
  return new ModelError(kind, describe(kind, failure, context), {
    status: failure.status,
    retryAfterMs: retryAfterOf(error.headers, context.now),
    cause: safeCause(error, context.key),
  });
}

/** A request that reached nobody. */
export function fromConnectionError(error: Error, context: FailureContext): ModelError {
  const host = context.baseUrl || 'the model server';
  const code = codeOf(error);
  const setting = context.baseUrl ? ' and the setting “offshoot.baseUrl”' : '';
  const message = `No connection to ${host}${code ? ` (${code})` : ''}. Check the network${setting}.`;
  return new ModelError('network', message, { cause: safeCause(error, context.key) });
}

/** An answer that broke off while it came. */
export function fromBrokenStream(error: unknown, context: FailureContext): ModelError {
  if (error instanceof ModelError) return error;
  const cause = safeCause(error, context.key);
  if (error instanceof SyntaxError) {
    return new ModelError('server', 'The model server sent a garbled answer. Try again.', { cause });
  }
  return new ModelError('cut', 'The answer broke off on its way. Try again.', { cause });
}

const moneyWords = /credit|billing|spend|usage limits?\b/i;
/** A 400 may quote names from the request, so fewer words count. */
const clearMoneyWords = /credit balance|spend(ing)? limit|billing (issue|problem)|plans & billing|api usage limits/i;
const contextWords =
  /prompt is too long|context (window|length|limit|size)|exceeds? .*\bcontext\b|maximum context|too many (input |prompt )?tokens/i;

function classify(failure: Failure): ModelErrorKind {
  const { status, type, message } = failure;
  if (isAboutMoney(failure)) return 'spend_limit';
  if (status === 529 || type === 'overloaded_error') return 'overloaded';
  if (status === 429 || type === 'rate_limit_error') return 'rate_limit';
  if (status === 401 || status === 403) return 'authentication';
  if (type === 'authentication_error' || type === 'permission_error') return 'authentication';
  if (status === 413 || type === 'request_too_large') return 'too_large';
  if (status === 404 || type === 'not_found_error')
    return /model/i.test(message) ? 'model_not_found' : 'invalid_request';
  if (status === 408 || status === 409 || (status !== undefined && status >= 500)) return 'server';
  if (type === 'api_error' || type === 'timeout_error') return 'server';
  if (status === undefined && type === undefined) return 'server';
  return contextWords.test(message) ? 'context_exceeded' : 'invalid_request';
}

function isAboutMoney({ status, type, code = '', message }: Failure): boolean {
  if (type === 'billing_error' || status === 402 || /spend_limit|billing/.test(code)) return true;
  if (status === 429 || status === 403) return moneyWords.test(message);
  return status === 400 && clearMoneyWords.test(message);
}

function describe(kind: ModelErrorKind, { status, message }: Failure, { model, baseUrl }: FailureContext): string {
  switch (kind) {
    case 'authentication':
      return 'The key was refused. Run “Offshoot: Set API Key”.';
    case 'spend_limit':
      return `No credit is left or the spend limit is reached. Add credit or raise the limit, then go on. The server said: ${message}`;
    case 'rate_limit':
      return 'The rate limit of the key is reached. Wait a little, or run fewer agents (“offshoot.agents.maxConcurrent”).';
    case 'overloaded':
      return 'The model server is overloaded. Try again in a moment.';
    case 'server':
      return `The model server failed${status === undefined ? '' : ` (${status})`}. Try again in a moment. It said: ${message}`;
    case 'model_not_found':
      return `The server has no model “${model}”. Choose another one, in the composer or with “offshoot.model”.`;
    case 'context_exceeded':
      return `The conversation no longer fits into the model. Start a new chat or choose a model with a larger window. The server said: ${message}`;
    case 'too_large':
      return 'The request is too large for the server. Start a new chat, or leave out large files and images.';
    default:
      return status === 404
        ? `There is no Messages API at ${baseUrl || 'the server'}. Check the setting “offshoot.baseUrl”.`
        : `The server refused the request: ${message}`;
  }
}

/** Milliseconds, from `retry-after-ms`, or `retry-after` as seconds or a date. */
function retryAfterOf(headers: Headers | undefined, now: number): number | undefined {
  const precise = Number.parseFloat(headers?.get('retry-after-ms') ?? '');
  if (Number.isFinite(precise)) return Math.max(0, precise);
  const value = headers?.get('retry-after')?.trim();
  if (!value) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function codeOf(error: unknown): string | undefined {
  for (let depth = 0, current = error; depth < 6 && current instanceof Error; depth += 1, current = current.cause) {
    if ('code' in current && typeof current.code === 'string') return current.code;
  }
  return undefined;
}

function withoutKey(text: string, key: string | undefined): string {
  return key ? text.replaceAll(key, '…') : text;
}

/** The cause, unless it quotes the key: errors of `fetch` quote header values. */
function safeCause(error: unknown, key: string | undefined): unknown {
  if (!key) return error;
  for (let depth = 0, current = error; depth < 6 && current instanceof Error; depth += 1, current = current.cause) {
    if (`${current.message}${current.stack}${JSON.stringify(current)}`.includes(key)) return undefined;
  }
  return error;
}
