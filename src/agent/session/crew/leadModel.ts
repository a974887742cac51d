import type { ModelCatalog, ResolvedModel } from '../../model/catalog.ts';
import { ModelError, type Provider } from '../../model/provider.ts';

/**
 * The model that a name or alias means.
 * @throws Error that lists what the server has
 */
export async function chooseLeadModel(
  provider: Provider,
  catalog: ModelCatalog,
  name: string,
  signal: AbortSignal,
): Promise<ResolvedModel> {
  const [only] = provider.id === 'demo' ? await catalog.list(signal) : [];
  const model = await catalog.resolve(only?.id ?? name, signal);
  if (model) return model;
  const known = (await catalog.list(signal)).map(({ id }) => id).join(', ');
  throw new Error(`The server has no model ${name}. Choose another: ${known || 'it lists none'}.`);
}

/** An unknown model is answered with those there are. */
export async function adviseOnModel(
  error: unknown,
  catalog: ModelCatalog,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!(error instanceof ModelError) || error.kind !== 'model_not_found') return undefined;
  const models = await catalog.list(signal).catch(() => []);
  return models.length > 0 ? `The server has: ${models.map(({ id }) => id).join(', ')}.` : undefined;
}
