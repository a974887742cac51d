import {
  createAnthropicProvider,
  createDemoProvider,
  createModelCatalog,
  type ModelCatalog,
  type Provider,
  type Settings,
  systemClock,
} from '../../agent/index.ts';
import type { EditorSettings } from './settings.ts';

const aliases: readonly string[] = ['opus', 'sonnet', 'haiku'];
const listTimeoutMs = 15_000;
/** Between pieces of the demo's text, so that people can follow. */
const demoPaceMs = 15;

/** The source of model answers that the settings name. */
export type Providers = {
  current(): Provider;
  /** One for all that use a provider, so that the list is asked for once. */
  catalogOf(provider: Provider): ModelCatalog;
  /** Whether answers can be had: a key, an own server, or the demo. */
  isReady(): Promise<boolean>;
  /** Model ids and aliases to choose from. @throws ModelError when the server has no list */
  listModels(provider: Provider): Promise<readonly string[]>;
};

export function createProviders(settings: EditorSettings, apiKey: () => Promise<string | undefined>): Providers {
  let latest: { readonly key: string; readonly provider: Provider } | undefined;
  const make = (id: Settings['provider'], baseUrl: string) =>
    id === 'demo'
      ? createDemoProvider({ clock: systemClock, paceMs: demoPaceMs })
      : createAnthropicProvider({ baseUrl, apiKey });

  const catalogs = new WeakMap<Provider, ModelCatalog>();
  const catalogOf = (provider: Provider) => {
    const catalog = catalogs.get(provider) ?? createModelCatalog(provider);
    catalogs.set(provider, catalog);
    return catalog;
  };

  return {
    catalogOf,
    current() {
      const { provider, baseUrl } = settings.read();
      const key = `${provider} ${baseUrl}`;
      if (latest?.key !== key) latest = { key, provider: make(provider, baseUrl) };
      return latest.provider;
    },
    async isReady() {
      const { provider, baseUrl } = settings.read();
      return provider === 'demo' || baseUrl !== '' || (await apiKey()) !== undefined;
    },
    async listModels(provider) {
      const listed = await catalogOf(provider).list(AbortSignal.timeout(listTimeoutMs));
      const ids = listed.map(({ id }) => id);
      return provider.id === 'demo' ? ids : [...aliases, ...ids];
    },
  };
}
