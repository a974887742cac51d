import type { ModelInfo, Provider } from '../provider.ts';

/** The server's list of models, as far as it was asked for. */
export type ModelList = {
  /** Asked for once, and again after a failure. @throws ModelError when the server has no list */
  fetch(signal: AbortSignal): Promise<readonly ModelInfo[]>;
  /** Asks where nobody has yet. Rejects only when the signal aborts. */
  learn(signal: AbortSignal): Promise<void>;
  /** undefined for a model that is not in it, or before it is there. */
  find(id: string): ModelInfo | undefined;
};

const timeoutMs = 20_000;

export function createModelList(provider: Provider): ModelList {
  let listing: Promise<readonly ModelInfo[]> | undefined;
  let known: readonly ModelInfo[] = [];
  /** Once is enough for limits: a server without a list is not asked for it again and again. */
  let isAsked = false;

  // Shared by all who ask, so it does not end with the first one's signal.
  const request = async () => {
    try {
      known = await provider.listModels(AbortSignal.timeout(timeoutMs));
      return known;
    } catch (error) {
      listing = undefined;
      throw error;
    } finally {
      isAsked = true;
    }
  };

  const fetch = (signal: AbortSignal) => {
    listing ??= request();
    return untilAborted(listing, signal);
  };

  return {
    fetch,
    async learn(signal) {
      if (isAsked) return;
      try {
        await fetch(signal);
      } catch {
        signal.throwIfAborted();
      }
    },
    find: (id) => known.find((model) => model.id === id),
  };
}

async function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted();
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
  });
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
