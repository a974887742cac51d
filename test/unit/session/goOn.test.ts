import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { askForLease, systemClock, whoHolds } from '../../../src/agent/index.ts';
import { call, delegate, say, text } from '../../support/answers.ts';
import type { Script } from '../../support/scriptedModel.ts';
import { ofType, startSession } from '../../support/startSession.ts';

const script: Script = ({ step, prompt, tools, body, firstText }) => {
  const heard = JSON.stringify(body.messages);
  if (!tools.includes('Agent')) {
    if (firstText !== 'dig') return say(text('nothing to do'));
    if (heard.includes('Your work was interrupted')) return say(text('dug to the end'));
    return step === 0 ? say(call('Read', { file_path: 'a' })) : say(text('dug'));
  }
  if (prompt === 'start' && step === 0) return say(delegate('dig', { name: 'digger', subagent_type: 'Explore' }));
  if (heard.includes('dug to the end')) return say(text('the digger is through'));
  return say(text(`re: ${prompt.slice(0, 40)}`));
};

/** A session whose journal ends behind the first line that has all these words. */
async function interrupted(words: readonly string[], answers = script) {
  const started = await startSession({ script: answers, files: { a: 'x' } });
  await started.session.send('start');
  await started.session.close();
  const path = join(started.state, 'sessions', `${started.session.id}.jsonl`);
  const lines = (await readFile(path, 'utf8')).split('\n');
  const end = lines.findIndex((line) => words.every((word) => line.includes(word)));
  await writeFile(path, `${lines.slice(0, end + 1).join('\n')}\n`);
  return { ...started, path, again: await started.reopen(started.session.id) };
}

const idOf = (events: Parameters<typeof ofType>[0]) =>
  ofType(events, 'agent-start').find(({ name }) => name === 'digger')?.agent ?? '';

describe('after a restart', () => {
  it('an interrupted agent is marked so, and goes on with its history, in the background', async () => {
    const { again, model } = await interrupted(['"tool-start"', '"Read"']);
    const id = idOf(again.events());
    expect(ofType(again.events(), 'agent-end')).toMatchObject([
      { agent: id, isInterrupted: true },
      { agent: 'lead', isInterrupted: true },
    ]);
    await again.goOn(id);
    await again.settled();
    expect(
      ofType(again.events(), 'agent-end')
        .filter(({ agent }) => agent === id)
        .at(-1),
    ).toMatchObject({
      status: 'completed',
      report: 'dug to the end',
    });
    const asked = model.bodies().find(({ messages }) => JSON.stringify(messages).includes('Your work was interrupted'));
    expect(JSON.stringify(asked?.messages)).toContain('interrupted: outcome unknown');
    expect(ofType(again.events(), 'turn-end').at(-1)).toMatchObject({ status: 'completed' });
    expect(ofType(again.events(), 'tool-start').filter(({ tool }) => tool === 'Read')).toHaveLength(1);
  });

  it('an agent of the earlier run is tried again, with a new history', async () => {
    const { again } = await interrupted(['"tool-start"', '"Read"']);
    const id = idOf(again.events());
    await again.retry(id);
    await again.settled();
    const starts = ofType(again.events(), 'agent-start').filter(({ parent }) => parent !== null);
    expect(starts.map(({ name, prompt, agentType }) => ({ name, prompt, agentType }))).toEqual([
      { name: 'digger', prompt: 'dig', agentType: 'Explore' },
      { name: 'digger-2', prompt: 'dig', agentType: 'Explore' },
    ]);
    expect(ofType(again.events(), 'agent-end').at(-2)).toMatchObject({ report: 'dug', status: 'completed' });
  });

  it('the lead goes on, and hears of the agent that was interrupted with it', async () => {
    const { again, model } = await interrupted(['"tool-start"', '"Read"']);
    await again.goOn('lead');
    await again.settled();
    const sent = JSON.stringify(model.bodies().at(-1)?.messages);
    expect(sent).toContain('Go on where you were interrupted');
    expect(sent).toContain(idOf(again.events()));
    expect(sent).toContain('outcome unknown');
  });

  it('the lead hears of an agent that had ended while another of its call was still at work', async () => {
    const side: Script = ({ step, prompt, tools, firstText, body }) => {
      if (!tools.includes('Agent')) {
        const isSlow = firstText === 'slow' && step === 0;
        return isSlow ? say(call('Read', { file_path: 'a' })) : say(text(`${firstText} is through`));
      }
      if (prompt === 'start' && step === 0)
        return say(delegate('quick', { name: 'quick' }), delegate('slow', { name: 'slow' }));
      return say(text(JSON.stringify(body.messages).includes('quick is through') ? 'heard' : 'not heard'));
    };
    const { again } = await interrupted(['"agent-end"', 'quick is through'], side);
    await again.goOn('lead');
    expect((await again.settled())?.text).toBe('heard');
    await again.close();
  });

  it('the lead gets the prompt again that it had not got', async () => {
    const { again, model } = await interrupted(['"turn-start"']);
    await again.goOn('lead');
    await again.settled();
    expect(JSON.stringify(model.bodies().at(-1)?.messages[0])).toContain('start');
    expect(ofType(again.events(), 'turn-start').map(({ prompt }) => prompt)).toEqual(['start', 'start']);
  });

  it('agents that worked when the conversation was closed are marked as interrupted, not as stopped by the user', async () => {
    const slow: Script = ({ tools, step }) => {
      if (!tools.includes('Agent')) return { blocks: [text('x'.repeat(500))], chunkMs: 50 };
      return step === 0 ? say(delegate('dig', { name: 'digger' })) : say(text('ok'));
    };
    const { session, reopen } = await startSession({ script: slow });
    void session.send('start');
    await new Promise<void>((resolve) => {
      session.subscribe((event) => {
        if (event.type === 'text-delta' && event.agent !== 'lead') resolve();
      });
    });
    await session.close();
    const again = await reopen(session.id);
    const ends = ofType(again.events(), 'agent-end');
    expect(ends.map(({ isInterrupted, error }) => ({ isInterrupted, error }))).toEqual(
      [1, 2].map(() => ({ isInterrupted: true, error: expect.stringMatching(/^Interrupted: /) })),
    );
    expect(ofType(again.events(), 'turn-end')).toMatchObject([{ status: 'stopped', isInterrupted: true }]);
  });

  it('an agent that is unknown or at work cannot go on', async () => {
    const { again } = await interrupted(['"tool-start"', '"Read"']);
    await expect(again.goOn('abcdef')).rejects.toThrow(/no agent abcdef/);
  });

  it('prompts that waited are there again and follow the next turn', async () => {
    const slow: Script = ({ prompt }) => ({ blocks: [text(`re: ${prompt}`)], delayMs: prompt === 'one' ? 300 : 0 });
    const { session, reopen } = await startSession({ script: slow });
    void session.send('one');
    void session.send('two');
    await session.close();
    const again = await reopen(session.id);
    expect(ofType(again.events(), 'prompt-queue').at(-1)?.prompts).toEqual(['two']);
    await again.send('three');
    await again.settled();
    expect(ofType(again.events(), 'turn-start').map(({ prompt }) => prompt)).toEqual(['one', 'three', 'two']);
    expect(ofType(again.events(), 'prompt-queue').at(-1)?.prompts).toEqual([]);
  });
});

describe('a session that another window asks for', () => {
  it('is given up, and what it wrote is read by the one that asked', async () => {
    const { session, reopen, state } = await startSession({ script });
    await session.send('hello');
    const lock = join(state, 'sessions', `${session.id}.jsonl.lock`);
    expect(await whoHolds(lock, systemClock)).toBe('here');
    const other = await reopen(session.id);
    expect(await other.isBehind()).toBe(false);
    expect(await askForLease(lock, systemClock, AbortSignal.timeout(10_000))).toBe(true);
    const taken = await reopen(session.id);
    await taken.claim();
    expect((await taken.send('mine')).status).toBe('completed');
    // The others notice before they write over it.
    expect([await session.isBehind(), await other.isBehind()]).toEqual([true, true]);
    await taken.close();
    expect(await session.send('mine too')).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/went on in another/),
    });
  });
});
