import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ModelError, type ModelEvent, type Provider } from '../../../src/agent/model/provider.ts';
import { type RetryEvent, streamWithRetry } from '../../../src/agent/model/retry.ts';
import { createFakeClock, type FakeClock } from '../../support/fakeClock.ts';
import { type Fault, faults, type ScriptedModel, startScriptedModel } from '../../support/scriptedModel.ts';
import { errorOf, key, never, providerFor, requestOf, user } from './fixture.ts';

let model: ScriptedModel;
let clock: FakeClock;
beforeEach(async () => {
  model = await startScriptedModel({ script: () => ({ blocks: [{ type: 'text', text: 'whole' }] }) });
  clock = createFakeClock();
});
afterEach(() => model.close());

const stallMs = 60_000;

type Run = { readonly events: (ModelEvent | RetryEvent)[]; readonly delays: number[] };

type RunChanges = {
  readonly provider?: Provider;
  readonly maxRetries?: number;
  readonly random?: () => number;
  readonly signal?: AbortSignal;
  /** Told of each event, signs of life among them. */
  readonly heard?: () => void;
};

/** Streams to the end, letting every wait pass at once. */
async function run(changes: RunChanges = {}): Promise<Run> {
  const { provider = providerFor(model.url, key), random = () => 0.5, signal = never, maxRetries } = changes;
  const options = { clock, random, stallMs, ...(maxRetries !== undefined && { maxRetries }) };
  const outcome: Run = { events: [], delays: [] };
  for await (const event of streamWithRetry(provider, requestOf([user('hello')]), options, signal)) {
    changes.heard?.();
    if (event.type !== 'alive') outcome.events.push(event);
    if (event.type !== 'retry') continue;
    outcome.delays.push(event.delayMs);
    setImmediate(() => clock.advance(event.delayMs));
  }
  return outcome;
}

const whole = { type: 'block-end', block: { type: 'text', text: 'whole' } };

describe('streamWithRetry', () => {
  it('passes an answer on and asks once', async () => {
    const { events } = await run();
    expect(events.map((event) => event.type)).toEqual(['text-delta', 'block-end', 'message-end']);
    expect(model.requests).toHaveLength(1);
    expect(clock.sleeping()).toEqual([]);
  });

  it('tries again after 529 three times over, backing off', async () => {
    model.failNext(faults.overloaded(), faults.overloaded(), faults.overloaded());
    const { events, delays } = await run();
    expect(delays).toEqual([250, 500, 1000]);
    expect(events.filter((event) => event.type === 'retry').map((event) => event.attempt)).toEqual([1, 2, 3]);
    expect(events).toContainEqual(whole);
    expect(model.requests).toHaveLength(4);
  });

  it('spreads delays over the whole range, up to 30 s', async () => {
    model.failNext(...Array.from({ length: 8 }, () => faults.server()));
    expect((await run({ random: () => 1 })).delays).toEqual([500, 1000, 2000, 4000, 8000, 16000, 30000, 30000]);
    model.failNext(faults.server());
    expect((await run({ random: () => 0 })).delays).toEqual([0]);
  });

  it('waits as long as the server asks', async () => {
    model.failNext(faults.rateLimit({ 'retry-after': '7' }), faults.rateLimit({ 'retry-after-ms': '120' }));
    expect((await run()).delays).toEqual([7000, 120]);
  });

  it('fails at once when the server asks for more than five minutes', async () => {
    model.failNext(faults.rateLimit({ 'retry-after': '1200' }));
    const error = await errorOf(run());
    expect(error).toMatchObject({ kind: 'rate_limit', retryAfterMs: 1_200_000 });
    expect(error.message).toContain('20 minutes');
    expect(model.requests).toHaveLength(1);
  });

  it('gives up after the last retry with the last error', async () => {
    model.failNext(faults.server(), faults.server(), faults.overloaded());
    expect(await errorOf(run({ maxRetries: 2 }))).toMatchObject({ kind: 'overloaded' });
    expect(model.requests).toHaveLength(3);
  });

  it.each([
    ['spend_limit', faults.spendLimit()],
    ['spend_limit', faults.lowCredit()],
    ['authentication', faults.badKey()],
    ['model_not_found', faults.unknownModel('x')],
    ['context_exceeded', faults.contextTooLong()],
    ['too_large', faults.tooLarge()],
    ['invalid_request', { type: 'status', status: 400, errorType: 'invalid_request_error', message: 'no' }],
  ] as const)('does not try again after %s', async (kind, fault) => {
    model.failNext(fault);
    expect(await errorOf(run())).toMatchObject({ kind });
    expect(model.requests).toHaveLength(1);
  });

  it.each([
    ['a cut stream', { type: 'cut', afterEvents: 4 }],
    ['a stream that ends too soon', { type: 'cut', afterEvents: 4, isClean: true }],
    ['overload in the stream', { type: 'stream-error', afterEvents: 4, errorType: 'overloaded_error' }],
    ['a garbled event', { type: 'garbage', afterEvents: 4 }],
  ] satisfies readonly (readonly [string, Fault])[])('streams anew after %s', async (_, fault) => {
    model.failNext(fault);
    const { events } = await run();
    const retry = events.findIndex((event) => event.type === 'retry');
    expect(events.slice(0, retry)).toEqual([{ type: 'text-delta', text: expect.any(String) }]);
    expect(events.slice(retry + 1).map((event) => event.type)).toEqual(['text-delta', 'block-end', 'message-end']);
  });

  it('tries again when nobody listened', async () => {
    const { url } = model;
    const gone = await startScriptedModel();
    await gone.close();
    let attempts = 0;
    const provider: Provider = {
      ...providerFor(url),
      stream: (request, signal) => {
        attempts += 1;
        return providerFor(attempts === 1 ? gone.url : url).stream(request, signal);
      },
    };
    const { events } = await run({ provider });
    expect(events[0]).toMatchObject({ type: 'retry', reason: expect.stringContaining('ECONNREFUSED') });
    expect(events).toContainEqual(whole);
  });
});

describe('streamWithRetry, the watchdog', () => {
  it.each([
    [0, 0],
    [3, 2],
  ])('gives up an attempt that is silent after %d events, and tries again', async (afterEvents, signs) => {
    model.failNext({ type: 'silence', afterEvents });
    let heard = 0;
    const running = run({ heard: () => (heard += 1) });
    await expect.poll(() => [model.requests.length, heard]).toEqual([1, signs]);
    // The last one is handed on before the next is waited for.
    await new Promise(setImmediate);
    clock.advance(stallMs);
    const { events } = await running;
    expect(events.find((event) => event.type === 'retry')?.reason).toBe(
      'Nothing came from the model for 60 s. Try again.',
    );
    expect(events).toContainEqual(whole);
    await expect.poll(() => model.requests[0]?.isAbandoned).toBe(true);
  });

  it('is content with pings', async () => {
    model.failNext({ type: 'silence', afterEvents: 2, pingMs: 5 });
    const stop = new AbortController();
    const beats: number[] = [];
    const options = { clock, random: () => 0, stallMs };
    const reading = (async () => {
      const stream = streamWithRetry(providerFor(model.url), requestOf([user('hello')]), options, stop.signal);
      for await (const event of stream) {
        expect(event.type).toBe('alive');
        clock.advance(stallMs - 1);
        if (beats.push(clock.now()) === 6) stop.abort(new Error('enough'));
      }
    })();
    await expect(reading).rejects.toThrow('enough');
    expect(model.requests).toHaveLength(1);
  });

  it('does not count the time that the reader takes', async () => {
    const types: string[] = [];
    const options = { clock, random: () => 0, stallMs };
    for await (const event of streamWithRetry(providerFor(model.url), requestOf([user('hello')]), options, never)) {
      if (event.type !== 'alive') types.push(event.type);
      clock.advance(10 * stallMs);
      await new Promise((done) => setImmediate(done));
    }
    expect(types).toEqual(['text-delta', 'block-end', 'message-end']);
  });

  it('frees itself from a provider that ignores its signal', async () => {
    const provider: Provider = {
      ...providerFor(model.url),
      async *stream() {
        await new Promise(() => {});
      },
    };
    const running = errorOf(run({ provider, maxRetries: 0 }));
    await clock.untilSleeping(stallMs);
    clock.advance(stallMs);
    expect(await running).toMatchObject({ kind: 'stalled' });
  });
});

describe('streamWithRetry, cancelling', () => {
  const reason = new Error('the user said stop');

  it('ends a wait at once', async () => {
    model.failNext(faults.rateLimit({ 'retry-after': '200' }));
    const stop = new AbortController();
    const options = { clock, random: () => 0, stallMs };
    const reading = (async () => {
      for await (const _ of streamWithRetry(providerFor(model.url), requestOf([user('x')]), options, stop.signal));
    })();
    await clock.untilSleeping(200_000);
    stop.abort(reason);
    await expect(reading).rejects.toBe(reason);
    expect(clock.sleeping()).toEqual([]);
    expect(model.requests).toHaveLength(1);
  });

  it('ends an attempt, and is no failure to retry', async () => {
    model.failNext({ type: 'silence', afterEvents: 3 });
    const stop = new AbortController();
    const running = run({ signal: stop.signal });
    await expect.poll(() => model.requests.length).toBe(1);
    stop.abort(reason);
    await expect(running).rejects.toBe(reason);
    expect(model.requests).toHaveLength(1);
  });

  it('lets the server go when the reader leaves', async () => {
    model.script(() => ({ blocks: [{ type: 'text', text: 'long '.repeat(500) }], chunkMs: 5 }));
    const options = { clock, random: () => 0, stallMs };
    for await (const event of streamWithRetry(providerFor(model.url), requestOf([user('x')]), options, never)) {
      if (event.type === 'text-delta') break;
    }
    await expect.poll(() => model.requests[0]?.isAbandoned).toBe(true);
    expect(clock.sleeping()).toEqual([]);
  });

  it('passes on what is no ModelError', async () => {
    const bug = new TypeError('a bug');
    const provider: Provider = {
      ...providerFor(model.url),
      // biome-ignore lint/correctness/useYield: it fails before it says anything
      async *stream() {
        throw bug;
      },
    };
    await expect(run({ provider })).rejects.toBe(bug);
    expect(bug).not.toBeInstanceOf(ModelError);
  });
});
