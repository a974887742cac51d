import { describe, expect, it } from 'vitest';
import { delegate, say, text } from '../../support/answers.ts';
import { createDoor } from '../../support/door.ts';
import type { Script } from '../../support/scriptedModel.ts';
import { ofType, type StartedSession, startSession } from '../../support/startSession.ts';

type Seen = { now: number; most: number; readonly order: string[] };
type Crowd = StartedSession & { readonly seen: Seen };

/**
 * The lead delegates all `tasks` at once; each child answers with its prompt. None does before `cap` of them are at work and
 * all the others wait for a place, so that what is seen does not depend on how fast they come.
 */
async function startCrowd(
  tasks: readonly { readonly prompt: string; readonly priority?: string }[],
  settings: Readonly<Record<string, number>> = {},
): Promise<Crowd> {
  const { 'agents.maxConcurrent': cap = 8, 'agents.maxPerTurn': most = tasks.length } = settings;
  const count = Math.min(tasks.length, most);
  const seen: Seen = { now: 0, most: 0, order: [] };
  const door = createDoor();
  let queued = 0;
  const letGo = () => {
    if (seen.now === Math.min(cap, count) && queued === Math.max(0, count - cap)) door.open();
  };
  const script: Script = async (request) => {
    if (request.tools.includes('Agent')) {
      const calls = tasks.map(({ prompt, ...more }) => delegate(prompt, { subagent_type: 'general-purpose', ...more }));
      return request.step === 0
        ? say(...calls)
        : say(text(request.lastResults.map((result) => result.text).join('\n')));
    }
    seen.order.push(request.firstText);
    seen.now += 1;
    seen.most = Math.max(seen.most, seen.now);
    letGo();
    await door.wait;
    seen.now -= 1;
    return say(text(`report ${request.firstText}`));
  };
  const started = await startSession({ script, settings });
  started.session.subscribe((event) => {
    if (event.type !== 'agent-status' || event.activity !== 'queued') return;
    queued += 1;
    letGo();
  });
  return { ...started, seen };
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => ({ prompt: `p${index}` }));

describe('scheduling', () => {
  it('lets 8 delegations under a cap of 4 run 4 at once, and returns the reports in call order', async () => {
    const tasks = numbered(8);
    const { session, events, seen } = await startCrowd(tasks, { 'agents.maxConcurrent': 4 });
    const { text: answer } = await session.send('go');
    expect(seen.most).toBe(4);
    expect([...answer.matchAll(/^report (p\d)$/gm)].map(([, prompt]) => prompt)).toEqual(
      tasks.map(({ prompt }) => prompt),
    );
    expect(ofType(events, 'agent-status').filter((event) => event.activity === 'queued')).toHaveLength(4);
  });

  it('takes the higher priority first, then the older one', async () => {
    const tasks = [
      { prompt: 'first' },
      { prompt: 'low', priority: 'low' },
      { prompt: 'normal' },
      { prompt: 'high', priority: 'high' },
      { prompt: 'normal too' },
    ];
    const { session, seen } = await startCrowd(tasks, { 'agents.maxConcurrent': 1 });
    await session.send('go');
    expect(seen.order).toEqual(['first', 'high', 'normal', 'normal too', 'low']);
  });

  it('finishes 40', async () => {
    const { session, events, seen } = await startCrowd(numbered(40));
    expect((await session.send('go')).status).toBe('completed');
    expect(seen.most).toBe(8);
    const ends = ofType(events, 'agent-end').filter((event) => event.agent !== 'lead');
    expect(ends.map((event) => event.status)).toEqual(Array(40).fill('completed'));
  });

  it('refuses more than a turn may start, in words, and starts anew with the next turn', async () => {
    const { session } = await startCrowd(numbered(3), { 'agents.maxPerTurn': 2 });
    const { text: answer } = await session.send('go');
    expect(answer).toContain('limit of 2 agents in one turn');
    expect(answer.match(/^report p/gm)).toHaveLength(2);
    expect((await session.send('again')).text.match(/^report p/gm)).toHaveLength(2);
  });

  it('lets a stopped agent leave the queue at once', async () => {
    const { session, events } = await startCrowd([{ prompt: 'first' }, { prompt: 'second' }], {
      'agents.maxConcurrent': 1,
    });
    session.subscribe((event) => {
      if (event.type === 'agent-status' && event.activity === 'queued') session.stop(event.agent);
    });
    expect((await session.send('go')).text).toContain('It had not begun.');
    expect(ofType(events, 'step-start').filter((event) => event.agent !== 'lead')).toHaveLength(1);
  });
});
