import { type Effort, effortLevels, type ModelInfo, type Provider } from './provider.ts';

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

/** What an alias means where the server has no list: the newest of each family as of October 2026. */
const fallbackIds: Readonly<Record<string, string>> = {
  opus: 'claude-opus-5-5',
  sonnet: 'claude-sonnet-5-5',
  haiku: 'claude-haiku-5-5',
};
const fallbackContextWindow = 200_000;
const listTimeoutMs = 20_000;

export function createModelCatalog(provider: Provider): ModelCatalog {
  let listing: Promise<readonly ModelInfo[]> | undefined;
  let known: readonly ModelInfo[] = [];
  /** Once is enough for limits: a server without a list is not asked for it again and again. */
  let isAsked = false;

  // Shared by all who ask, so it does not end with the first one's signal.
  const fetchList = async () => {
    try {
      known = await provider.listModels(AbortSignal.timeout(listTimeoutMs));
      return known;
    } catch (error) {
      listing = undefined;
      throw error;
    } finally {
      isAsked = true;
    }
  };

  const list = (signal: AbortSignal) => {
    listing ??= fetchList();
    return untilAborted(listing, signal);
  };

  const learnLimits = async (signal: AbortSignal) => {
    if (isAsked) return;
    try {
      await list(signal);
    } catch {
      signal.throwIfAborted();
    }
  };

  const resolved = (id: string): ResolvedModel => {
    const listed = () => known.find((candidate) => candidate.id === id);
    return {
      id,
      get contextWindow() {
        return listed()?.contextWindow ?? fallbackContextWindow;
      },
      get maxOutputTokens() {
        return listed()?.maxOutputTokens ?? fallbackMaxOutput(id);
      },
      get efforts() {
        return listed()?.efforts ?? fallbackEfforts(id);
      },
      learnLimits,
    };
  };

  return {
    list,
    async resolve(nameOrAlias, signal) {
      const name = nameOrAlias.trim();
      const family = name.toLowerCase();
      const fallback = fallbackIds[family];
      if (fallback === undefined) return name === '' ? undefined : resolved(name);
      let models: readonly ModelInfo[];
      try {
        models = await list(signal);
      } catch {
        // The request that follows meets the same trouble and has better means against it.
        signal.throwIfAborted();
        return resolved(fallback);
      }
      const newest = newestOf(models.filter(({ id }) => id.toLowerCase().includes(family)));
      return newest && resolved(newest.id);
    },
  };
}

/** What every model of that age accepts as `max_tokens`, where the server does not say. */
function fallbackMaxOutput(id: string): number {
  if (/claude-3-\d/.test(id)) return 8_192;
  return /claude-3-/.test(id) ? 4_096 : 32_000;
}

/**
 * Where the server does not say: https://platform.claude.com/docs/en/build-with-claude/effort (it began with Opus 4.5; models of
 * 4.6 added `max`, later ones `xhigh`).
 */
function fallbackEfforts(id: string): readonly Effort[] | undefined {
  const [, family, major, minor = '0'] = /^claude-(opus|sonnet|haiku)-(\d{1,2})(?:-(\d{1,2}))?(?!\d)/.exec(id) ?? [];
  if (family === undefined) return /^claude-3/.test(id) ? [] : undefined;
  const version = Number(major) * 100 + Number(minor);
  if (family === 'haiku') return version < 500 ? [] : undefined;
  if (version >= 407) return effortLevels;
  if (version >= 406) return effortLevels.filter((level) => level !== 'xhigh');
  return family === 'opus' && version === 405 ? ['low', 'medium', 'high'] : [];
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
