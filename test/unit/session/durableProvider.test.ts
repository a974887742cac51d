import { expect, it } from 'vitest';
import type { ModelEvent, Provider } from '../../../src/agent/model/provider.ts';
import { durableProvider } from '../../../src/agent/session/crew/durableProvider.ts';
import { createDoor } from '../../support/door.ts';

it('a request goes out at once, and its answer is heard once what was before it is written', async () => {
  const events: readonly ModelEvent[] = [{ type: 'alive' }, { type: 'text-delta', text: 'hello' }];
  const door = createDoor();
  const log: string[] = [];
  const provider: Provider = {
    id: 'demo',
    async *stream() {
      log.push('sent');
      yield* events;
    },
    countTokens: async () => 0,
    listModels: async () => [],
  };
  const durable = durableProvider(provider, async () => {
    log.push('asked');
    await door.wait;
    log.push('written');
  });
  const request = { model: 'm', maxTokens: 1, system: [], tools: [], toolChoice: 'auto', messages: [] } as const;
  const hearing = (async () => {
    for await (const { type } of durable.stream(request, new AbortController().signal)) log.push(type);
  })();
  await new Promise((resolve) => setImmediate(resolve));
  expect(log).toEqual(['sent', 'asked']);
  door.open();
  await hearing;
  expect(log).toEqual(['sent', 'asked', 'written', 'alive', 'text-delta']);
});
