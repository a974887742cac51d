import { describe, expect, it } from 'vitest';
import { createSessionList, systemClock } from '../../../src/agent/index.ts';
import { say, text } from '../../support/answers.ts';
import { faults, type Script } from '../../support/scriptedModel.ts';
import { ofType, startSession } from '../../support/startSession.ts';

const signal = new AbortController().signal;

/** A session as the editor makes it. */
async function named(titles: Script, settings: Readonly<Record<string, unknown>> = {}) {
  const script: Script = (request) =>
    request.system.startsWith('You name conversations.') ? titles(request) : say(text('It is a lighthouse.'));
  const started = await startSession({ script, isNamedByModel: true, titles: 'script', settings });
  const title = () => ofType(started.session.events(), 'session-title').at(-1)?.title;
  return { ...started, title };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('a title by the model', () => {
  it('comes after the first turn, once, by the small model, in one small request that is paid', async () => {
    const { session, model, title, state } = await named(() => say(text('"The lighthouse on the hill."')));
    await session.send('what is that on the hill?');
    await until(() => title() !== undefined);
    await session.send('and now?');
    expect(title()).toBe('The lighthouse on the hill');
    const asked = model.bodies().filter(({ tools }) => !tools?.length);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.model).toMatch(/haiku/);
    expect(JSON.stringify(asked[0]?.messages)).toMatch(/on the hill\?.*lighthouse/);
    const costs = ofType(session.events(), 'usage-update').map(({ cost }) => cost ?? 0);
    expect(costs).toHaveLength(3);
    expect(session.spent.cost).toBeCloseTo(
      costs.reduce((sum, cost) => sum + cost),
      10,
    );
    const list = createSessionList(state, systemClock);
    await session.close();
    await list.update(signal);
    expect(await list.read(signal)).toMatchObject([{ title: 'The lighthouse on the hill' }]);
  });

  it('is by the model of the conversation where the small one is to be the same', async () => {
    const { session, model, title } = await named(() => say(text('A title')), { smallModel: 'inherit' });
    await session.send('what is that?');
    await until(() => title() !== undefined);
    expect(model.bodies().map((body) => body.model)).toEqual(['claude-sonnet-5-5', 'claude-sonnet-5-5']);
  });

  it('that fails changes nothing and says nothing', async () => {
    const { session, model, title, events } = await named(() => ({ blocks: [], fault: faults.server() }));
    await session.send('what is that?');
    await until(() => model.requests.filter(({ path }) => path === '/v1/messages').length === 2);
    await session.close();
    expect(title()).toBeUndefined();
    expect(ofType(events, 'notice')).toEqual([]);
  });

  it('is not waited for when the session closes', async () => {
    const { session, title } = await named(() => ({ blocks: [text('late')], delayMs: 15_000 }));
    await session.send('what is that?');
    await session.close();
    expect(title()).toBeUndefined();
  });

  it('is not asked for without the wish', async () => {
    const { session, model } = await startSession({ script: () => say(text('yes')) });
    await session.send('hello');
    await session.close();
    expect(model.bodies()).toHaveLength(1);
  });
});
