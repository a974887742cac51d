import type Anthropic from '@anthropic-ai/sdk';
import * as z from 'zod';
import type { Message, UserBlock } from '../messages/types.ts';
import { type FailureContext, fromApiError, fromBrokenStream, fromConnectionError } from './anthropicError.ts';
import { createAnswerAssembler } from './anthropicEvents.ts';
import type { Client } from './anthropicSdk.ts';
import { createPulse, type Pulse, tapFetch } from './byteTap.ts';
import {
  type Effort,
  effortLevels,
  ModelError,
  type ModelEvent,
  type ModelInfo,
  type ModelRequest,
  type Provider,
} from './provider.ts';

type Sdk = typeof import('./anthropicSdk.ts');

export type AnthropicOptions = {
  /** Any server that speaks the Messages API; empty: the SDK's own choice. */
  readonly baseUrl: string;
  /** Asked before every request, so that a new key counts at once. */
  readonly apiKey: () => Promise<string | undefined>;
};

/** Until the headers come; from then on the watchdog of `retry.ts` watches. */
const headersTimeoutMs = 30 * 60_000;
/** For the server to close a stream that has said all. */
const closeTimeoutMs = 2_000;

/**
 * The Messages API through Anthropic's SDK, which is loaded with the first request. Never retries. A request that is aborted
 * ends by throwing the signal's reason; everything else that fails is a ModelError, and none of them holds the key.
 */
export function createAnthropicProvider(options: AnthropicOptions): Provider {
  const baseUrl = options.baseUrl.trim().replace(/\/+$/, '').replace(/\/v1$/, '');

  let loading: Promise<Sdk> | undefined;

  const connect = async (model: string, onBytes: () => void) => {
    loading ??= import('./anthropicSdk.ts');
    const [sdk, key] = await Promise.all([loading, readKey(options.apiKey, baseUrl)]);
    const context = (): FailureContext => ({ model, baseUrl, key, now: Date.now() });
    return { client: createClient(sdk, baseUrl, key, onBytes), toError: mapErrors(sdk, context) };
  };

  /** One request and one answer. */
  const ask = async <Result>(
    model: string,
    signal: AbortSignal,
    request: (client: Client) => Promise<Result>,
  ): Promise<Result> => {
    signal.throwIfAborted();
    const { client, toError } = await connect(model, () => {});
    try {
      return await request(client);
    } catch (error) {
      signal.throwIfAborted();
      throw toError(error);
    }
  };

  return {
    id: 'anthropic',
    async *stream(request, signal) {
      signal.throwIfAborted();
      const pulse = createPulse();
      const { client, toError } = await connect(request.model, pulse.beat);
      const body = { ...toParams(request), max_tokens: request.maxTokens, stream: true as const };
      const answer = await client.messages.create(body, { signal }).catch((error: unknown) => {
        signal.throwIfAborted();
        throw toError(error);
      });
      yield* readAnswer(answer, pulse, signal, toError);
    },
    countTokens: (request, signal) =>
      ask(request.model, signal, async (client) => {
        const counted = await client.messages.countTokens(toParams(request), { signal });
        return z.object({ input_tokens: z.number() }).parse(counted).input_tokens;
      }),
    listModels: (signal) =>
      ask('', signal, async (client) => {
        const models: ModelInfo[] = [];
        for await (const listed of client.models.list({ limit: 100 }, { signal })) {
          const model = toModelInfo(listed);
          if (model) models.push(model);
        }
        return models;
      }),
  };
}

/** @throws ModelError `authentication` when there is no usable key; a server of the user's own may do without one */
async function readKey(apiKey: AnthropicOptions['apiKey'], baseUrl: string): Promise<string | undefined> {
  const key = (await apiKey())?.trim() || undefined;
  if (key === undefined && baseUrl === '') {
    throw new ModelError('authentication', 'There is no API key yet. Run “Offshoot: Set API Key”.');
  }
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key)) {
    throw new ModelError('authentication', 'The key holds characters that no key has. Run “Offshoot: Set API Key”.');
  }
  return key;
}

/**
 * A client for one request. A key is always passed, if only a placeholder whose header is left out: without one the SDK
 * would look for credentials in the environment and on disk, and send them to whatever server is set.
 */
function createClient(sdk: Sdk, baseUrl: string, key: string | undefined, onBytes: () => void): Client {
  return sdk.createSdkClient({
    apiKey: key ?? 'none',
    ...(baseUrl && { baseURL: baseUrl }),
    // Other servers of this API know the older header.
    ...(baseUrl && { defaultHeaders: key === undefined ? { authorization: null } : { 'x-api-key': key } }),
    maxRetries: 0,
    timeout: headersTimeoutMs,
    fetch: tapFetch(onBytes),
    logLevel: 'off',
    openTelemetry: false,
  });
}

type ToError = (error: unknown) => ModelError;

function mapErrors(sdk: Sdk, context: () => FailureContext): ToError {
  return (error) => {
    if (error instanceof sdk.APIConnectionError) return fromConnectionError(error, context());
    if (error instanceof sdk.APIError) return fromApiError(error, context());
    return fromBrokenStream(error, context());
  };
}

async function* readAnswer(
  answer: AsyncIterable<unknown> & { readonly controller: AbortController },
  pulse: Pulse,
  signal: AbortSignal,
  toError: ToError,
): AsyncGenerator<ModelEvent> {
  const assembler = createAnswerAssembler();
  const events = answer[Symbol.asyncIterator]();
  let isWhole = false;
  try {
    let next = events.next();
    for (;;) {
      const arrived = await Promise.race([next, pulse.next()]);
      if (arrived === 'beat') {
        pulse.rest();
        yield { type: 'alive' };
        continue;
      }
      if (arrived.done) break;
      for (const event of assembler.accept(arrived.value)) {
        isWhole ||= event.type === 'message-end';
        yield event;
      }
      if (isWhole) return;
      next = events.next();
    }
  } catch (error) {
    signal.throwIfAborted();
    throw toError(error);
  } finally {
    if (isWhole) closeQuietly(events, answer.controller);
    else answer.controller.abort();
  }
  signal.throwIfAborted();
  throw new ModelError('cut', 'The answer broke off on its way. Try again.');
}

/** Reads the end of the stream, so that its connection serves the next request, but does not wait for it for long. */
function closeQuietly(events: AsyncIterator<unknown>, controller: AbortController): void {
  const timer = setTimeout(() => controller.abort(), closeTimeoutMs);
  timer.unref();
  const readOn = async () => {
    while (!(await events.next()).done);
  };
  // The answer is complete: whatever happens to its connection now is no failure.
  readOn()
    .catch(() => {})
    .finally(() => clearTimeout(timer));
}

function toParams(request: ModelRequest): Anthropic.MessageCountTokensParams {
  return {
    model: request.model,
    ...(request.system.length > 0 && { system: [...request.system] }),
    ...(request.tools.length > 0 && {
      tools: request.tools.map((tool) => ({
        ...tool,
        input_schema: { ...tool.input_schema, type: 'object' as const },
      })),
      tool_choice: { type: request.toolChoice },
    }),
    ...(showsThinkingOnlyIfAsked(request.model) && { thinking: { type: 'adaptive', display: 'summarized' } }),
    ...(request.effort && { output_config: { effort: request.effort } }),
    messages: request.messages.map(toParam),
  };
}

/**
 * From version 5 on, models think by default and return it blank; with 5.5 that holds the words between calls too, and an
 * agent at work would look silent. https://platform.claude.com/docs/en/build-with-claude/thinking#controlling-thinking-display
 */
function showsThinkingOnlyIfAsked(model: string): boolean {
  return /^claude-[a-z]+-([5-9]|[1-9]\d)(?!\d)/.test(model);
}

function toParam(message: Message): Anthropic.MessageParam {
  if (message.role === 'assistant') return { role: 'assistant', content: [...message.content] };
  return { role: 'user', content: message.content.map(toBlockParam) };
}

function toBlockParam(block: UserBlock): Anthropic.ContentBlockParam {
  if (block.type !== 'tool_result') return block;
  return { ...block, content: typeof block.content === 'string' ? block.content : [...block.content] };
}

/** As Anthropic lists a model; servers like it leave fields out or count `created` in seconds. */
const listedModelSchema = z.object({
  id: z.string().min(1),
  display_name: z.string().nullish(),
  created_at: z.string().nullish(),
  created: z.number().nullish(),
  max_input_tokens: z.number().positive().nullish(),
  max_tokens: z.number().positive().nullish(),
  lifecycle: z.string().nullish(),
  capabilities: z.looseObject({ effort: z.record(z.string(), z.unknown()).nullish() }).nullish(),
});

const supportSchema = z.object({ supported: z.literal(true) });

/** undefined when the list does not say */
function effortsOf(capability: Readonly<Record<string, unknown>> | null | undefined): readonly Effort[] | undefined {
  if (!capability) return undefined;
  if (!supportSchema.safeParse(capability).success) return [];
  return effortLevels.filter((level) => supportSchema.safeParse(capability[level]).success);
}

/** undefined for what is no model, or one that is retired */
function toModelInfo(listed: unknown): ModelInfo | undefined {
  const model = listedModelSchema.safeParse(listed).data;
  if (!model || model.lifecycle === 'retired') return undefined;
  const efforts = effortsOf(model.capabilities?.effort);
  const released = model.created_at ? Date.parse(model.created_at) : (model.created ?? 0) * 1000;
  return {
    id: model.id,
    name: model.display_name || model.id,
    releasedAt: Number.isNaN(released) ? 0 : released,
    ...(model.max_input_tokens && { contextWindow: model.max_input_tokens }),
    ...(model.max_tokens && { maxOutputTokens: model.max_tokens }),
    ...(efforts && { efforts }),
  };
}
