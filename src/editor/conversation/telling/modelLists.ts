import type { Provider } from '../../../agent/index.ts';
import type { Providers } from '../../settings/providers.ts';

const aliases: readonly string[] = ['opus', 'sonnet', 'haiku'];

/** The models to choose from, asked for once a provider. */
export type ModelLists = {
  /** What is known by now. */
  known(provider: Provider): readonly string[];
  /** Asks the server, once. */
  ask(provider: Provider): void;
};

export function createModelLists(
  providers: Pick<Providers, 'listModels'>,
  onChange: () => void,
  warn: (text: string) => void,
): ModelLists {
  const lists = new Map<Provider, readonly string[]>();
  return {
    known: (provider) => lists.get(provider) ?? aliases,
    ask(provider) {
      if (lists.has(provider)) return;
      lists.set(provider, aliases);
      providers.listModels(provider).then(
        (models) => {
          lists.set(provider, models);
          onChange();
        },
        (error) => warn(`The models could not be listed: ${error instanceof Error ? error.message : error}`),
      );
    },
  };
}
