import type { Provider } from '../../model/provider.ts';

/**
 * Hears nothing before all that was said and done until then is with the system: whatever an answer sets going, the journal
 * knows what it answers. The request does not wait for that, since writing takes less time than answering.
 */
export function durableProvider(provider: Provider, written: () => Promise<void>): Provider {
  return {
    id: provider.id,
    async *stream(request, signal) {
      let isFirst = true;
      for await (const event of provider.stream(request, signal)) {
        if (isFirst) await written();
        isFirst = false;
        yield event;
      }
    },
    countTokens: (request, signal) => provider.countTokens(request, signal),
    listModels: (signal) => provider.listModels(signal),
  };
}
