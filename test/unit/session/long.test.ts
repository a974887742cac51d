import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { AgentEvent, EventBody } from '../../../src/agent/loop/events.ts';
import { Recollection } from '../../../src/agent/session/past/recollection.ts';
import { writeLongJournal } from '../../bench/store/long.ts';
import { say, text } from '../../support/answers.ts';
import { ofType, startSession } from '../../support/startSession.ts';

const id = '20260105-000000000-aaaaaaaa';
const megabyte = 1_000_000;

describe('a session of fifty megabytes', () => {
  it('is opened in a small part of them, and goes on', async () => {
    const { state, reopen, model } = await startSession({ script: () => say(text('gone on')) });
    const { turns, events } = await writeLongJournal(state, id, 50 * megabyte);
    const script = fileURLToPath(new URL('./openLong.ts', import.meta.url));
    const flags = ['--expose-gc', '--max-old-space-size=44'];
    const child = spawnSync(process.execPath, [...flags, script, state, id], { encoding: 'utf8' });
    expect(child.stderr.slice(0, 2000)).not.toContain('Error');
    const cost = JSON.parse(child.stdout);
    expect(cost.heapUsed).toBeLessThan(36 * megabyte);
    expect(cost.snapshot).toBeLessThan(10 * megabyte);
    expect(cost.events).toBeLessThan(events / 2);

    const again = await reopen(id);
    const shown = again.events();
    expect(shown[0]).toMatchObject({ type: 'session-start' });
    // Its outline reaches far back, and says that it is one.
    expect(ofType(shown, 'turn-start').map(({ turn }) => turn)).toEqual(
      Array.from({ length: turns }, (_, index) => index + 1),
    );
    expect(ofType(shown, 'notice').map(({ text }) => text)).toEqual([expect.stringContaining('long conversation')]);
    await again.send('next');
    const sent = JSON.stringify(model.bodies().at(-1)?.messages);
    expect(sent).toContain(`summary of ${turns - (turns % 3)}`);
    expect(sent).not.toContain('prompt 1:');
    // What an agent of the first turn was told is read again when it is asked for.
    const first = ofType(shown, 'agent-start').find(({ parent }) => parent !== null);
    await again.goOn(first?.agent ?? '');
    await again.settled();
    const resumed = model
      .bodies()
      .find(({ messages }) => JSON.stringify(messages).includes('Your work was interrupted'));
    expect(resumed?.messages.length).toBeGreaterThan(20);
  }, 60_000);
});

describe('what a session remembers', () => {
  let seq = 0;
  const stamp = (body: EventBody, agent = 'lead'): AgentEvent => {
    seq += 1;
    return { ...body, session: 's', agent, parent: agent === 'lead' ? null : 'lead', seq, time: seq };
  };
  const said = (words: string): EventBody => ({
    type: 'message-append',
    step: 1,
    message: { role: 'assistant', content: [{ type: 'text', text: words }] },
  });

  it('is all, while that is little', () => {
    const memory = new Recollection();
    const events = Array.from({ length: 100 }, (_, index) => stamp(said(`${index}`)));
    for (const event of events) memory.add(event);
    expect(memory.events).toEqual(events);
  });

  it('is bounded by less than what it goes on from, and never without that', () => {
    const memory = new Recollection({ whole: 20_000, outline: 40_000 });
    memory.add(stamp({ type: 'session-start', workspace: '/w', title: 't' }));
    for (let turn = 1; turn <= 500; turn += 1) {
      memory.add(stamp({ type: 'turn-start', turn, prompt: 'p'.repeat(100) }));
      memory.add(stamp(said('lead')));
      for (let index = 0; index < 10; index += 1) memory.add(stamp(said('x'.repeat(300)), 'a1b2c3'));
    }
    memory.add(stamp({ type: 'prompt-queue', prompts: ['waits'] }));
    for (let index = 0; index < 1000; index += 1) memory.add(stamp(said('x'.repeat(300)), 'a1b2c3'));
    const { events } = memory;
    expect(JSON.stringify(events).length).toBeLessThan(150_000);
    expect(events[0]).toMatchObject({ type: 'session-start' });
    expect(ofType(events, 'turn-start').at(-1)).toMatchObject({ turn: 500 });
    expect(ofType(events, 'prompt-queue')).toMatchObject([{ prompts: ['waits'] }]);
    expect(ofType(events, 'notice')).toHaveLength(1);
    expect(events.findLast(({ agent, type }) => agent === 'lead' && type === 'message-append')).toBeDefined();
    expect(events.map((event) => event.seq)).toEqual(events.map((event) => event.seq).toSorted((a, b) => a - b));
    expect(events.at(-1)).toMatchObject({ seq });
  });

  it('is never called whole where some of it was passed over', () => {
    const memory = new Recollection({ whole: 20_000, outline: 40_000 });
    memory.add(stamp({ type: 'session-start', workspace: '/w', title: 't' }));
    for (let index = 0; index < 70; index += 1) memory.add(stamp(said('x'.repeat(200)), 'a1b2c3'));
    const first = stamp({ type: 'turn-start', turn: 9, prompt: 'p' });
    memory.markCut(first);
    for (const event of [first, ...Array.from({ length: 12 }, () => stamp(said('x'.repeat(1000)), 'a1b2c3'))])
      memory.add(event);
    expect(memory.events.length).toBeLessThan(20);
    expect(ofType(memory.events, 'notice').map((event) => event.seq)).toEqual([first.seq - 0.5]);
  });
});
