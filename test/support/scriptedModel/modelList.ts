/** A model as `GET /v1/models` lists it. */
export type ListedModel = {
  readonly id: string;
  readonly display_name: string;
  readonly created_at: string;
  readonly max_input_tokens: number | null;
  readonly max_tokens: number | null;
};

/** Newest first, as the server lists them; dates order them and are not those of real releases. */
export const defaultModels: readonly ListedModel[] = [
  model('claude-opus-5-5', 'Claude Opus 5.5', '2026-09-01', 1_000_000),
  model('claude-haiku-5-5', 'Claude Haiku 5.5', '2026-08-15', 200_000),
  model('claude-sonnet-5-5', 'Claude Sonnet 5.5', '2026-08-01', 1_000_000),
  model('claude-opus-5', 'Claude Opus 5', '2026-05-01', 200_000),
  model('claude-sonnet-5', 'Claude Sonnet 5', '2026-04-01', 200_000),
  model('claude-haiku-4-5-20251001', 'Claude Haiku 4.5', '2025-10-01', 200_000),
  model('claude-sonnet-4-5-20250929', 'Claude Sonnet 4.5', '2025-09-29', 200_000),
];

function model(id: string, name: string, date: string, window: number): ListedModel {
  return {
    id,
    display_name: name,
    created_at: `${date}T00:00:00Z`,
    max_input_tokens: window,
    max_tokens: 64_000,
  };
}

/** One page of the list. */
export function pageOf(models: readonly ListedModel[], query: URLSearchParams): object {
  const limit = Number(query.get('limit') ?? 20);
  const after = query.get('after_id');
  const start = after === null ? 0 : models.findIndex((listed) => listed.id === after) + 1;
  const page = models.slice(start, start + limit);
  return {
    data: page.map((listed) => ({
      type: 'model',
      ...listed,
      lifecycle: 'active',
      line: /opus|sonnet|haiku/.exec(listed.id)?.[0] ?? null,
      capabilities: null,
      deprecated_at: null,
      retires_at: null,
    })),
    has_more: start + limit < models.length,
    first_id: page[0]?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
  };
}
