import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ModelErrorKind } from '../../../src/agent/model/provider.ts';
import { type Fault, faults, type ScriptedModel, startScriptedModel } from '../../support/scriptedModel.ts';
import { errorOf, eventsOf, key, never, providerFor, requestOf, user } from './fixture.ts';

let model: ScriptedModel;
beforeEach(async () => {
  model = await startScriptedModel({ apiKey: key });
});
afterEach(() => model.close());

const ask = () => eventsOf(providerFor(model.url).stream(requestOf([user('hello')]), never));

async function failWith(fault: Fault) {
  model.failNext(fault);
  return errorOf(ask());
}

const plain = (status: number, errorType: string, message: string): Fault => ({
  type: 'status',
  status,
  errorType,
  message,
});

const cases: readonly (readonly [name: string, fault: Fault, kind: ModelErrorKind])[] = [
  ['a wrong key', faults.badKey(), 'authentication'],
  ['a key without the right', plain(403, 'permission_error', 'Your key may not use this resource.'), 'authentication'],
  ['an unknown model', faults.unknownModel('claude-sonnet-5-5'), 'model_not_found'],
  ['a place without an API', plain(404, 'not_found_error', 'Not found'), 'invalid_request'],
  ['a prompt that is too long', faults.contextTooLong(), 'context_exceeded'],
  [
    'an answer that does not fit',
    plain(400, 'invalid_request_error', 'input length and `max_tokens` exceed context limit: 198000 + 32000 > 200000'),
    'context_exceeded',
  ],
  [
    'another bad request',
    plain(400, 'invalid_request_error', 'tools.0.name: credit_card is no name'),
    'invalid_request',
  ],
  ['a huge request', faults.tooLarge(), 'too_large'],
  ['a rate limit', faults.rateLimit(), 'rate_limit'],
  ['a spend limit', faults.spendLimit(), 'spend_limit'],
  ['no credit', faults.lowCredit(), 'spend_limit'],
  ['a billing error', plain(402, 'billing_error', 'Payment needed'), 'spend_limit'],
  ['billing in a 403', plain(403, 'permission_error', 'Billing is not set up.'), 'spend_limit'],
  ['an overloaded server', faults.overloaded(), 'overloaded'],
  ['a broken server', faults.server(), 'server'],
  ['a gateway page', { type: 'status', status: 502, body: '<html>Bad gateway</html>' }, 'server'],
  ['overload in the stream', { type: 'stream-error', afterEvents: 4, errorType: 'overloaded_error' }, 'overloaded'],
  ['a failure in the stream', { type: 'stream-error', afterEvents: 4, errorType: 'api_error' }, 'server'],
  ['a rate limit in the stream', { type: 'stream-error', afterEvents: 1, errorType: 'rate_limit_error' }, 'rate_limit'],
  ['a garbled event', { type: 'garbage', afterEvents: 3 }, 'server'],
  [
    'an event of the wrong shape',
    { type: 'garbage', afterEvents: 3, text: 'event: content_block_stop\ndata: {"type":"content_block_stop"}\n\n' },
    'server',
  ],
  ['a cut connection', { type: 'cut', afterEvents: 4 }, 'cut'],
  ['a connection cut in an event', { type: 'cut', afterBytes: 500 }, 'cut'],
  ['a stream that ends too soon', { type: 'cut', afterEvents: 4, isClean: true }, 'cut'],
];

describe('anthropic provider, failing', () => {
  it.each(cases)('%s', async (_, fault, kind) => {
    const error = await failWith(fault);
    expect(error.kind).toBe(kind);
    expect(model.requests).toHaveLength(1);
    if (fault.type === 'status') expect(error.status).toBe(fault.status);
  });

  it('says what to do about a refused key and an unknown model', async () => {
    expect((await failWith(faults.badKey())).message).toBe('The key was refused. Run “Offshoot: Set API Key”.');
    expect((await failWith(faults.unknownModel('x'))).message).toContain('“claude-sonnet-5-5”');
  });

  it('is a network error when nobody listens', async () => {
    await model.close();
    const error = await errorOf(ask());
    expect(error).toMatchObject({ kind: 'network' });
    expect(error.message).toContain(`${model.url} (ECONNREFUSED)`);
  });

  it.each([
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after': '1.5' }, 1_500],
    [{ 'retry-after-ms': '250', 'retry-after': '7' }, 250],
    [{ 'retry-after': 'soon' }, undefined],
    [{}, undefined],
  ])('reads how long to wait from %j', async (headers, expected) => {
    expect((await failWith(faults.rateLimit(headers))).retryAfterMs).toBe(expected);
  });

  it('reads a date to wait for', async () => {
    const date = new Date(Date.now() + 60_000).toUTCString();
    const { retryAfterMs = 0 } = await failWith(faults.rateLimit({ 'retry-after': date }));
    expect(retryAfterMs).toBeGreaterThan(50_000);
    expect(retryAfterMs).toBeLessThanOrEqual(60_000);
  });
});

describe('anthropic provider, the key', () => {
  it('is in no error, even when the server or the network quotes it', async () => {
    const quoting = await failWith(plain(400, 'invalid_request_error', `Bad header Bearer ${key}`));
    const refused = await failWith(faults.badKey());
    await model.close();
    const unreachable = await errorOf(ask());
    for (const error of [quoting, refused, unreachable]) {
      expect(inspect(error, { depth: 12, showHidden: true })).not.toContain(key);
      expect(String(error)).not.toContain(key);
    }
  });

  it('is refused before any request when it cannot be a header', async () => {
    const provider = providerFor(model.url, 'sk-one\nsk-two');
    const error = await errorOf(eventsOf(provider.stream(requestOf([user('hello')]), never)));
    expect(error).toMatchObject({ kind: 'authentication' });
    expect(inspect(error)).not.toContain('sk-two');
    expect(model.requests).toHaveLength(0);
  });

  it('may be missing for a server of the user’s own, and then none is sent', async () => {
    const open = await startScriptedModel({ script: () => ({ blocks: [{ type: 'text', text: 'hi' }] }) });
    const provider = providerFor(open.url, '');
    await eventsOf(provider.stream(requestOf([user('hello')]), never));
    await open.close();
    expect(open.requests[0]?.headers).not.toHaveProperty('authorization');
    expect(open.requests[0]?.headers).not.toHaveProperty('x-api-key');
  });

  it('must be there for Anthropic’s own server', async () => {
    const error = await errorOf(eventsOf(providerFor('', '').stream(requestOf([user('hello')]), never)));
    expect(error.message).toBe('There is no API key yet. Run “Offshoot: Set API Key”.');
  });
});
