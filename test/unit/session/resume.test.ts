import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listSessions } from '../../../src/agent/index.ts';
import { call, say, text } from '../../support/answers.ts';
import type { Script } from '../../support/scriptedModel.ts';
import { ofType, startSession } from '../../support/startSession.ts';

const script: Script = ({ step, prompt }) =>
  step === 0 && prompt === 'first' ? say(call('Read', { file_path: 'a' })) : say(text(`re: ${prompt}`));

describe('a session', () => {
  it('is there again after a restart, with its whole history', async () => {
    const { session, model, state, reopen } = await startSession({ script, files: { a: 'x' } });
    await session.send('first');
    const before = session.events();
    await session.close();
    expect(await listSessions(state)).toMatchObject([{ id: session.id, title: 'first' }]);

    const again = await reopen(session.id);
    expect(again.events()).toEqual(before);
    await again.send('second');
    const sent = JSON.stringify(model.bodies().at(-1)?.messages);
    expect(sent).toContain('first');
    expect(sent).toContain('re: first');
    expect(again.events().map((event) => event.seq)).toEqual(
      [...again.events()].map((event) => event.seq).sort((a, b) => a - b),
    );
  });

  it('changes nothing on disk when it is only opened', async () => {
    const { session, state, reopen } = await startSession({ script, files: { a: 'x' } });
    await session.send('first');
    await session.close();
    const path = join(state, 'sessions', `${session.id}.jsonl`);
    const before = await readFile(path, 'utf8');
    await (await reopen(session.id)).close();
    expect(await readFile(path, 'utf8')).toBe(before);
    expect(await readdir(join(state, 'sessions'))).toEqual([`${session.id}.jsonl`]);
  });

  it('goes on wherever its journal was cut, against a strict server', async () => {
    const { session, model, state, reopen } = await startSession({ script, files: { a: 'x' } });
    await session.send('first');
    await session.close();
    const path = join(state, 'sessions', `${session.id}.jsonl`);
    const whole = await readFile(path);
    const lines = whole.toString().split('\n').slice(0, -1);
    let end = 0;
    for (const line of lines) {
      end += Buffer.byteLength(line) + 1;
      for (const cut of [end, end - 5]) {
        await writeFile(path, whole);
        await truncate(path, cut);
        const again = await reopen(session.id);
        const open = ofType(again.events(), 'tool-start').length - ofType(again.events(), 'tool-end').length;
        expect(open).toBe(0);
        expect((await again.send('second')).status).toBe('completed');
        expect(JSON.stringify(model.bodies().at(-1)?.messages.at(-1))).toContain('second');
        await again.close();
      }
    }
  });

  it('that was interrupted says so and runs nothing again by itself', async () => {
    const { session, state, reopen } = await startSession({ script, files: { a: 'x' } });
    await session.send('first');
    await session.close();
    const path = join(state, 'sessions', `${session.id}.jsonl`);
    const lines = (await readFile(path, 'utf8')).split('\n');
    const start = lines.findIndex((line) => line.includes('"type":"tool-start"'));
    await writeFile(path, `${lines.slice(0, start + 1).join('\n')}\n`);
    const again = await reopen(session.id);
    expect(ofType(again.events(), 'tool-end')).toMatchObject([{ summary: 'interrupted, outcome unknown' }]);
    expect(ofType(again.events(), 'turn-end')).toMatchObject([{ status: 'stopped' }]);
    await again.send('second');
    const shown = again.events();
    await again.close();
    expect((await reopen(session.id)).events()).toEqual(shown);
  });

  it('shows someone who comes in mid-stream all that was streamed, once', async () => {
    const long: Script = () => ({ blocks: [text('word '.repeat(100))], chunkMs: 10 });
    const { session } = await startSession({ script: long });
    let live = '';
    let joined: { text: string; live: string } | undefined;
    session.subscribe((event) => {
      if (event.type !== 'text-delta') return;
      live += event.text;
      const shown = ofType(session.snapshot().events, 'text-delta');
      if (live.length > 200) joined ??= { text: shown.map((delta) => delta.text).join(''), live };
    });
    await session.send('go');
    expect(joined?.text).toBe(joined?.live);
    expect(ofType(session.snapshot().events, 'text-delta')).toEqual([]);
    expect(session.snapshot().seq).toBe(session.events().at(-1)?.seq);
  });

  it('has one writer', async () => {
    const { session, reopen } = await startSession({ script, files: { a: 'x' } });
    await session.send('first');
    const second = await reopen(session.id);
    const { status, error } = await second.send('second');
    expect({ status, error }).toMatchObject({ status: 'failed', error: expect.stringContaining('another window') });
  }, 20_000);

  it('refuses an id that is not there', async () => {
    const { reopen } = await startSession();
    await expect(reopen('20260101-000000000-abcdef01')).rejects.toThrow(/no session/);
    await expect(reopen('../../etc/passwd')).rejects.toThrow(/no id/);
  });
});
