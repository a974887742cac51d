import type { Provider } from '../../model/provider.ts';

/** Sends nothing before all that was said and done so far is with the system: what a model knows, the journal knows. */
export function durableProvider(provider: Provider, written: () => Promise<void>): Provider {
  return {
    id: provider.id,
    async *stream(request, signal) {
      await written();
      yield* provider.stream(request, signal);
    },
    countTokens: (request, signal) => provider.countTokens(request, signal),
    listModels: (signal) => provider.listModels(signal),
  };
}
