import { describe, expect, it } from 'vitest';
import { createModelCatalog } from '../../../src/agent/model/catalog.ts';
import { ModelError, type ModelInfo, type Provider } from '../../../src/agent/model/provider.ts';
import { startScriptedModel } from '../../support/scriptedModel.ts';
import { never, providerFor } from './fixture.ts';

type Listing = () => Promise<readonly ModelInfo[]>;

/** A provider whose list is scripted; asks are counted. */
function listing(...answers: readonly Listing[]): Provider & { readonly asks: () => number } {
  let asks = 0;
  return {
    ...providerFor('http://127.0.0.1:1'),
    asks: () => asks,
    listModels: () => {
      const answer = answers[Math.min(asks, answers.length - 1)];
      asks += 1;
      return answer ? answer() : Promise.reject(new Error('no answer'));
    },
  };
}

const model = (id: string, releasedAt = 0, rest: Partial<ModelInfo> = {}): ModelInfo => ({
  id,
  name: id,
  releasedAt,
  ...rest,
});
const notFound: Listing = async () => {
  throw new ModelError('invalid_request', 'no list', { status: 404 });
};

describe('model catalog', () => {
  it('resolves aliases to the newest that the server lists', async () => {
    const server = await startScriptedModel();
    const catalog = createModelCatalog(providerFor(server.url));
    const ids = await Promise.all(['opus', 'Sonnet', ' haiku '].map((name) => catalog.resolve(name, never)));
    await server.close();
    expect(ids).toMatchObject([
      { id: 'claude-opus-5-5', contextWindow: 1_000_000, maxOutputTokens: 64_000 },
      { id: 'claude-sonnet-5-5', contextWindow: 1_000_000, maxOutputTokens: 64_000 },
      { id: 'claude-haiku-5-5', contextWindow: 200_000, maxOutputTokens: 64_000 },
    ]);
    expect(server.requests).toHaveLength(1);
  });

  it('goes by the release, and by the version where that says nothing', async () => {
    const dated = createModelCatalog(listing(async () => [model('claude-opus-9', 1), model('claude-opus-4-1', 2)]));
    expect(await dated.resolve('opus', never)).toMatchObject({ id: 'claude-opus-4-1' });
    const undated = createModelCatalog(
      listing(async () => [model('claude-opus-4-8'), model('claude-opus-4-10'), model('claude-opus-4')]),
    );
    expect(await undated.resolve('opus', never)).toMatchObject({ id: 'claude-opus-4-10' });
  });

  it('takes a full id as it is, without the list', async () => {
    const provider = listing(notFound);
    expect(await createModelCatalog(provider).resolve('qwen3-coder', never)).toMatchObject({
      id: 'qwen3-coder',
      contextWindow: 200_000,
      maxOutputTokens: 32_000,
    });
    expect(provider.asks()).toBe(0);
  });

  it('knows the window of a full id once the list is there', async () => {
    const catalog = createModelCatalog(
      listing(async () => [model('small', 0, { contextWindow: 8_000, maxOutputTokens: 1_000 })]),
    );
    await catalog.list(never);
    expect(await catalog.resolve('small', never)).toMatchObject({
      id: 'small',
      contextWindow: 8_000,
      maxOutputTokens: 1_000,
    });
  });

  it('does not know an alias that the list has nothing for', async () => {
    const catalog = createModelCatalog(listing(async () => [model('qwen3-coder')]));
    expect(await catalog.resolve('opus', never)).toBeUndefined();
    expect(await catalog.resolve('', never)).toBeUndefined();
  });

  it('falls back to a known model where there is no list, and asks again', async () => {
    const provider = listing(notFound, async () => [model('claude-opus-6', 1)]);
    const catalog = createModelCatalog(provider);
    expect(await catalog.resolve('opus', never)).toMatchObject({ id: 'claude-opus-5-5' });
    expect(await catalog.resolve('opus', never)).toMatchObject({ id: 'claude-opus-6' });
    await catalog.list(never);
    expect(provider.asks()).toBe(2);
  });

  it('ends the wait of one who leaves, not that of the others', async () => {
    let answer = (_: readonly ModelInfo[]) => {};
    const pending = new Promise<readonly ModelInfo[]>((resolve) => {
      answer = resolve;
    });
    const catalog = createModelCatalog(listing(() => pending));
    const stop = new AbortController();
    const leaving = catalog.resolve('opus', stop.signal);
    const staying = catalog.resolve('opus', never);
    stop.abort(new Error('stop'));
    await expect(leaving).rejects.toThrow('stop');
    answer([model('claude-opus-6')]);
    expect(await staying).toMatchObject({ id: 'claude-opus-6' });
  });
});
