import type { AssistantBlock, CacheMark, Message, TextBlock } from '../messages/types.ts';

/** Why a model stopped, in the words of the Messages API. */
export const stopReasons = [
  'end_turn',
  'tool_use',
  'max_tokens',
  'stop_sequence',
  'pause_turn',
  'refusal',
  'model_context_window_exceeded',
] as const;
export type StopReason = (typeof stopReasons)[number];

/** Tokens as the server billed them. `inputTokens` excludes what was read from or written to the prompt cache. */
export type Usage = {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
};

/** How thorough an answer is to be, from the least on. */
export const effortLevels = ['low', 'medium', 'high', 'xhigh', 'max'] as const;
export type Effort = (typeof effortLevels)[number];

export type JsonSchema = Readonly<Record<string, unknown>>;

export type ToolSpec = {
  readonly name: string;
  readonly description: string;
  readonly input_schema: JsonSchema;
  readonly cache_control?: CacheMark;
};

export type ModelRequest = {
  readonly model: string;
  readonly maxTokens: number;
  readonly system: readonly TextBlock[];
  readonly tools: readonly ToolSpec[];
  /** `none`: the tools stay listed (a history with calls needs them, and the cache holds) but may not be called. */
  readonly toolChoice: 'auto' | 'none';
  /** Only one that the model takes. */
  readonly effort?: Effort;
  readonly messages: readonly Message[];
};

/** What arrives while a model answers. Every answer ends with exactly one `message-end`, or throws a ModelError. */
export type ModelEvent =
  /** The server shows a sign of life and nothing else (a ping, the start of a message). */
  | { readonly type: 'alive' }
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'thinking-delta'; readonly text: string }
  /** The model begins to write a call of this tool. */
  | { readonly type: 'call-start'; readonly name: string }
  /** A block is complete. `invalidInput` holds the raw text of a call's input that is not a JSON object. */
  | { readonly type: 'block-end'; readonly block: AssistantBlock; readonly invalidInput?: string }
  | { readonly type: 'message-end'; readonly stopReason: StopReason; readonly usage: Usage };

export type ModelInfo = {
  readonly id: string;
  readonly name: string;
  /** When the model was released, milliseconds since the epoch; 0 when the server does not say. */
  readonly releasedAt: number;
  /** Tokens that fit into one request; undefined when the server does not say. */
  readonly contextWindow?: number;
  readonly maxOutputTokens?: number;
  /** Left out when the server does not say; empty: it takes none. */
  readonly efforts?: readonly Effort[];
};

/** A source of model answers. It never retries: `retry.ts` is the one owner of that. */
export interface Provider {
  readonly id: 'anthropic' | 'demo';
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
  /** Input tokens of a request, counted by the server. */
  countTokens(request: ModelRequest, signal: AbortSignal): Promise<number>;
  /** @throws ModelError when the server has no list */
  listModels(signal: AbortSignal): Promise<readonly ModelInfo[]>;
}

export type ModelErrorKind =
  | 'rate_limit'
  | 'spend_limit'
  | 'overloaded'
  | 'server'
  | 'network'
  /** The stream ended before `message-end`. */
  | 'cut'
  /** No byte came for too long. */
  | 'stalled'
  | 'authentication'
  | 'model_not_found'
  | 'context_exceeded'
  | 'too_large'
  | 'invalid_request';

/** A request that got no whole answer. The message is for people and says what to do. */
export class ModelError extends Error {
  readonly kind: ModelErrorKind;
  /** What the server asks us to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  readonly status: number | undefined;

  constructor(
    kind: ModelErrorKind,
    message: string,
    detail: { retryAfterMs?: number | undefined; status?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause: detail.cause });
    this.name = 'ModelError';
    this.kind = kind;
    this.retryAfterMs = detail.retryAfterMs;
    this.status = detail.status;
  }
}
