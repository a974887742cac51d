import type { Clock } from '../host.ts';
import { ModelError, type ModelErrorKind, type ModelEvent, type ModelRequest, type Provider } from './provider.ts';

export type RetryOptions = {
  readonly clock: Clock;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** Milliseconds without any event after which an attempt is given up. */
  readonly stallMs: number;
  /** Attempts after the first; 8 by default. */
  readonly maxRetries?: number;
};

/** What the attempt streamed so far is void; the request goes out again after the delay. */
export type RetryEvent = {
  readonly type: 'retry';
  /** 1 for the first retry. */
  readonly attempt: number;
  readonly delayMs: number;
  readonly reason: string;
};

const passing: ReadonlySet<ModelErrorKind> = new Set([
  'rate_limit',
  'overloaded',
  'server',
  'network',
  'cut',
  'stalled',
]);
const firstDelayMs = 500;
const longestDelayMs = 30_000;
/** A server that asks for more is believed, and the user told. */
const longestWaitMs = 5 * 60_000;

/**
 * Streams an answer, and streams it anew when it fails for a reason that passes. The one owner of retries: full-jitter
 * exponential back-off (https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/), or as long as the
 * server asks for. An attempt that shows no sign of life for `stallMs` is one that failed; time the consumer takes
 * between events does not count.
 * @throws ModelError what cannot pass by waiting, or did not; the signal's reason, at once, when it aborts
 */
export async function* streamWithRetry(
  provider: Provider,
  request: ModelRequest,
  options: RetryOptions,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent | RetryEvent> {
  const { clock, maxRetries = 8 } = options;
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted();
    try {
      yield* watchedStream(provider, request, options, signal);
      return;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ModelError) || !passing.has(error.kind) || attempt > maxRetries) throw error;
      const delayMs = delayBefore(error, attempt, options.random);
      yield { type: 'retry', attempt, delayMs, reason: error.message };
      await clock.sleep(delayMs, signal);
    }
  }
}

function delayBefore(error: ModelError, attempt: number, random: () => number): number {
  const { retryAfterMs } = error;
  if (retryAfterMs === undefined) {
    return Math.round(random() * Math.min(longestDelayMs, firstDelayMs * 2 ** (attempt - 1)));
  }
  if (retryAfterMs <= longestWaitMs) return Math.ceil(retryAfterMs);
  const minutes = Math.ceil(retryAfterMs / 60_000);
  throw new ModelError(error.kind, `The model server asks to wait ${minutes} minutes. Go on after that.`, {
    retryAfterMs,
    status: error.status,
    cause: error,
  });
}

async function* watchedStream(
  provider: Provider,
  request: ModelRequest,
  { clock, stallMs }: RetryOptions,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const attempt = new AbortController();
  const abort = () => attempt.abort(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  const aborted = rejectOnAbort(attempt.signal);
  const events = provider.stream(request, attempt.signal)[Symbol.asyncIterator]();
  let isDone = false;
  let waitingSince: number | undefined;

  const watching = new AbortController();
  const watch = async () => {
    while (!watching.signal.aborted) {
      const silentMs = waitingSince === undefined ? 0 : clock.now() - waitingSince;
      if (silentMs >= stallMs) return attempt.abort(stalled(stallMs));
      await clock.sleep(stallMs - silentMs, watching.signal);
    }
  };

  try {
    const watcher = watch();
    watcher.catch((error: unknown) => attempt.abort(error));
    for (;;) {
      waitingSince = clock.now();
      const arrived = await Promise.race([events.next(), aborted]);
      waitingSince = undefined;
      isDone = arrived.done || arrived.value.type === 'message-end';
      if (arrived.done) return;
      yield arrived.value;
    }
  } finally {
    watching.abort();
    signal.removeEventListener('abort', abort);
    if (!isDone) attempt.abort(new ModelError('cut', 'The answer is no longer wanted.'));
    // It ends by itself; nobody waits for it or hears how.
    Promise.resolve(events.return?.()).catch(() => {});
  }
}

function stalled(stallMs: number): ModelError {
  const seconds = Math.round(stallMs / 100) / 10;
  return new ModelError('stalled', `Nothing came from the model for ${seconds} s. Try again.`);
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  const aborted = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  // Whether anyone waits for it at that moment or not.
  aborted.catch(() => {});
  return aborted;
}
