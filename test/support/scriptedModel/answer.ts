import type { MessagesBody } from './requestSchema.ts';

/** What the model says. Thinking is signed by the server. */
export type AnswerBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly thinking: string }
  | { readonly type: 'redacted_thinking'; readonly thinking: string }
  | {
      readonly type: 'tool_use';
      readonly name: string;
      readonly input: Readonly<Record<string, unknown>>;
      readonly id?: string;
      /** Streamed instead of `input`, as it is: truncated or invalid JSON. */
      readonly rawInput?: string;
    }
  /** A block of a kind that clients need not know; streamed whole at its start. */
  | { readonly type: 'other'; readonly block: Readonly<Record<string, unknown>> };

export type AnswerUsage = {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_read_input_tokens: number;
  readonly cache_creation_input_tokens: number;
};

/** Events of a stream are counted from 1: `message_start`, `ping`, then the blocks. */
export type Fault =
  /** Answers with an error instead of a stream. `body` is sent as it is, in place of the error of type and message. */
  | {
      readonly type: 'status';
      readonly status: number;
      readonly errorType?: string;
      readonly message?: string;
      readonly details?: Readonly<Record<string, unknown>>;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    }
  /** Closes the connection; `isClean` ends the response properly, as a proxy would. */
  | { readonly type: 'cut'; readonly afterEvents?: number; readonly afterBytes?: number; readonly isClean?: boolean }
  /** Says nothing more; 0: not even the headers. With `pingMs`, only pings come from there. */
  | { readonly type: 'silence'; readonly afterEvents: number; readonly pingMs?: number }
  | { readonly type: 'garbage'; readonly afterEvents: number; readonly text?: string }
  | {
      readonly type: 'stream-error';
      readonly afterEvents: number;
      readonly errorType: string;
      readonly message?: string;
    }
  /** So many bytes at a time. */
  | { readonly type: 'drip'; readonly bytes: number; readonly everyMs: number };

export type Answer = {
  readonly blocks: readonly AnswerBlock[];
  /** Any text; by default `tool_use` when a call is among the blocks, else `end_turn`. */
  readonly stop?: string;
  /** In place of the computed numbers. */
  readonly usage?: Partial<AnswerUsage>;
  /** Before the first byte. */
  readonly delayMs?: number;
  /** Between chunks of a block. */
  readonly chunkMs?: number;
  /** Between the last event and the end of the stream. */
  readonly closeMs?: number;
  /** Characters in a chunk, 40 by default. */
  readonly chunkChars?: number;
  readonly fault?: Fault;
};

export type ResultView = {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly isError: boolean;
};

/** A request as a script sees it. */
export type ScriptedRequest = {
  readonly body: MessagesBody;
  readonly model: string;
  readonly system: string;
  /** Names of the offered tools. */
  readonly tools: readonly string[];
  /** Text of the first user message: what tells conversations apart. */
  readonly firstText: string;
  /** Text of the latest user message that answers no call: the current prompt. */
  readonly prompt: string;
  /** Answers given since `prompt`. */
  readonly step: number;
  /** Results since `prompt`, oldest first. */
  readonly results: readonly ResultView[];
  /** Results in the last message alone. */
  readonly lastResults: readonly ResultView[];
};

export type Script = (request: ScriptedRequest) => Answer | Promise<Answer>;

/** Faults as the real server shows them. */
export const faults = {
  rateLimit: (headers: Readonly<Record<string, string>> = {}): Fault => ({
    type: 'status',
    status: 429,
    errorType: 'rate_limit_error',
    message: 'This request would exceed the rate limit for your organization.',
    headers,
  }),
  spendLimit: (): Fault => ({
    type: 'status',
    status: 429,
    errorType: 'rate_limit_error',
    message: 'You have reached your specified API usage limits. You will regain access on the first of the month.',
    details: { error_code: 'enforced_spend_limit_reached' },
  }),
  lowCredit: (): Fault => ({
    type: 'status',
    status: 400,
    errorType: 'invalid_request_error',
    message: 'Your credit balance is too low to access the API. Please go to Plans & Billing to purchase credits.',
  }),
  overloaded: (): Fault => ({ type: 'status', status: 529, errorType: 'overloaded_error', message: 'Overloaded' }),
  server: (status = 500): Fault => ({
    type: 'status',
    status,
    errorType: 'api_error',
    message: 'Internal server error',
  }),
  contextTooLong: (): Fault => ({
    type: 'status',
    status: 400,
    errorType: 'invalid_request_error',
    message: 'prompt is too long: 213462 tokens > 200000 maximum',
  }),
  badKey: (): Fault => ({
    type: 'status',
    status: 401,
    errorType: 'authentication_error',
    message: 'invalid x-api-key',
  }),
  tooLarge: (): Fault => ({
    type: 'status',
    status: 413,
    errorType: 'request_too_large',
    message: 'Request exceeds the maximum size',
  }),
  unknownModel: (model: string): Fault => ({
    type: 'status',
    status: 404,
    errorType: 'not_found_error',
    message: `model: ${model}`,
  }),
} as const;
