import { createModelList, type ModelList } from './catalog/modelList.ts';
import { fallbackContextWindow, fallbackEfforts, fallbackIds, fallbackMaxOutput } from './catalog/unlisted.ts';
import type { Effort, ModelInfo, Provider } from './provider.ts';

/** The limits are those of the server's list as soon as that is known; until then what any model of the kind has. */
export type ResolvedModel = {
  readonly id: string;
  /** Tokens that fit into one request. */
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
  /** Those it takes; undefined when nobody knows. */
  readonly efforts: readonly Effort[] | undefined;
  /** Asks for the list that says the limits, where it was not asked for yet. Rejects only when the signal aborts. */
  readonly learnLimits: (signal: AbortSignal) => Promise<void>;
};

export interface ModelCatalog {
  /** The server's models; asked for once, and again after a failure. @throws ModelError when the server has no list */
  list(signal: AbortSignal): Promise<readonly ModelInfo[]>;
  /**
   * A full id is taken as it is, at once. An alias (`opus`, `sonnet`, `haiku`) means the newest listed model of that family,
   * or a known one when there is no list to be had; undefined when the list has none of the family.
   */
  resolve(nameOrAlias: string, signal: AbortSignal): Promise<ResolvedModel | undefined>;
}

export function createModelCatalog(provider: Provider): ModelCatalog {
  const list = createModelList(provider);
  return {
    list: list.fetch,
    async resolve(nameOrAlias, signal) {
      const name = nameOrAlias.trim();
      const family = name.toLowerCase();
      const fallback = fallbackIds[family];
      if (fallback === undefined) return name === '' ? undefined : toResolved(name, list);
      let models: readonly ModelInfo[];
      try {
        models = await list.fetch(signal);
      } catch {
        // The request that follows meets the same trouble and has better means against it.
        signal.throwIfAborted();
        return toResolved(fallback, list);
      }
      const newest = newestOf(models.filter(({ id }) => id.toLowerCase().includes(family)));
      return newest && toResolved(newest.id, list);
    },
  };
}

function toResolved(id: string, list: ModelList): ResolvedModel {
  return {
    id,
    get contextWindow() {
      return list.find(id)?.contextWindow ?? fallbackContextWindow;
    },
    get maxOutputTokens() {
      return list.find(id)?.maxOutputTokens ?? fallbackMaxOutput(id);
    },
    get efforts() {
      return list.find(id)?.efforts ?? fallbackEfforts(id);
    },
    learnLimits: list.learn,
  };
}

function newestOf(models: readonly ModelInfo[]): ModelInfo | undefined {
  return models.toSorted((left, right) => right.releasedAt - left.releasedAt || compareVersions(right.id, left.id))[0];
}

function compareVersions(left: string, right: string): number {
  const [ours, theirs] = [left, right].map((id) => (id.match(/\d+/g) ?? []).map(Number));
  for (let index = 0; index < Math.max(ours?.length ?? 0, theirs?.length ?? 0); index += 1) {
    const difference = (ours?.[index] ?? 0) - (theirs?.[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
