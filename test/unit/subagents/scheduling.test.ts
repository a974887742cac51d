import { describe, expect, it } from 'vitest';
import { delegate, say, text } from '../../support/answers.ts';
import type { Script } from '../../support/scriptedModel.ts';
import { ofType, startSession } from '../../support/startSession.ts';

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** The lead delegates all `tasks` at once; each child answers with its prompt. Counts how many work at the same time. */
function crowd(tasks: readonly { readonly prompt: string; readonly priority?: string }[]) {
  const seen = { now: 0, most: 0, order: [] as string[] };
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
    await pause(60);
    seen.now -= 1;
    return say(text(`report ${request.firstText}`));
  };
  return { seen, script };
}

describe('scheduling', () => {
  it('lets 8 delegations under a cap of 4 run 4 at once, and returns the reports in call order', async () => {
    const tasks = Array.from({ length: 8 }, (_, index) => ({ prompt: `p${index}` }));
    const { seen, script } = crowd(tasks);
    const { session, events } = await startSession({ script, settings: { 'agents.maxConcurrent': 4 } });
    const { text: answer } = await session.send('go');
    expect(seen.most).toBe(4);
    expect([...answer.matchAll(/^report (p\d)$/gm)].map(([, prompt]) => prompt)).toEqual(
      tasks.map(({ prompt }) => prompt),
    );
    expect(ofType(events, 'agent-status').filter((event) => event.activity === 'queued').length).toBeGreaterThanOrEqual(
      4,
    );
  });

  it('takes the higher priority first, then the older one', async () => {
    const tasks = [
      { prompt: 'first' },
      { prompt: 'low', priority: 'low' },
      { prompt: 'normal' },
      { prompt: 'high', priority: 'high' },
      { prompt: 'normal too' },
    ];
    const { seen, script } = crowd(tasks);
    const { session } = await startSession({ script, settings: { 'agents.maxConcurrent': 1 } });
    await session.send('go');
    expect(seen.order).toEqual(['first', 'high', 'normal', 'normal too', 'low']);
  });

  it('finishes 40', async () => {
    const { seen, script } = crowd(Array.from({ length: 40 }, (_, index) => ({ prompt: `p${index}` })));
    const { session, events } = await startSession({ script });
    expect((await session.send('go')).status).toBe('completed');
    expect(seen.most).toBe(8);
    const ends = ofType(events, 'agent-end').filter((event) => event.agent !== 'lead');
    expect(ends.map((event) => event.status)).toEqual(Array(40).fill('completed'));
  });

  it('refuses more than a turn may start, in words, and starts anew with the next turn', async () => {
    const { script } = crowd(Array.from({ length: 3 }, (_, index) => ({ prompt: `p${index}` })));
    const { session } = await startSession({ script, settings: { 'agents.maxPerTurn': 2 } });
    const { text: answer } = await session.send('go');
    expect(answer).toContain('limit of 2 agents in one turn');
    expect(answer.match(/^report p/gm)).toHaveLength(2);
    expect((await session.send('again')).text.match(/^report p/gm)).toHaveLength(2);
  });

  it('lets a stopped agent leave the queue at once', async () => {
    const { script } = crowd([{ prompt: 'first' }, { prompt: 'second' }]);
    const { session, events } = await startSession({ script, settings: { 'agents.maxConcurrent': 1 } });
    session.subscribe((event) => {
      if (event.type === 'agent-status' && event.activity === 'queued') session.stop(event.agent);
    });
    expect((await session.send('go')).text).toContain('It had not begun.');
    expect(ofType(events, 'step-start').filter((event) => event.agent !== 'lead')).toHaveLength(1);
  });
});
