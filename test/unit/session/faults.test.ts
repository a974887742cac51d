import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import type { AgentEvent } from '../../../src/agent/loop/events.ts';
import { readJournal } from '../../../src/agent/store/journal/readJournal.ts';
import { createRememberedRules } from '../../../src/agent/store/remembered.ts';
import { call, delegate, say, text } from '../../support/answers.ts';
import type { Script } from '../../support/scriptedModel.ts';
import { ofType, startSession } from '../../support/startSession.ts';

/** Whatever changes the disk below `state` is counted, and fails as told. */
const disk = vi.hoisted(() => {
  const faults = {
    state: '',
    count: 0,
    failed: 0,
    failedAt: '',
    fails: (_count: number): string | undefined => undefined,
  };
  return {
    ...{ faults },
    touch(path: unknown): void {
      if (faults.state === '' || !String(path).startsWith(faults.state)) return;
      faults.count += 1;
      const code = faults.fails(faults.count);
      if (code === undefined) return;
      faults.failed += 1;
      faults.failedAt = String(path);
      throw Object.assign(new Error(`${code}: the disk fails`), { code });
    },
  };
});

vi.mock('node:fs/promises', async (importOriginal) => {
  const real = await importOriginal<typeof import('node:fs/promises')>();
  const failing = <Name extends 'writeFile' | 'rename' | 'mkdir' | 'appendFile' | 'link' | 'copyFile'>(name: Name) => {
    const work = real[name] as (...args: unknown[]) => Promise<unknown>;
    return async (...args: unknown[]) => {
      disk.touch(args[0]);
      return work(...args);
    };
  };
  const open = async (...args: Parameters<typeof real.open>) => {
    const handle = await real.open(...args);
    for (const name of ['write', 'writeFile', 'datasync', 'sync', 'truncate'] as const) {
      const work = (handle[name] as (...args: unknown[]) => Promise<unknown>).bind(handle);
      Object.assign(handle, {
        [name]: async (...given: unknown[]) => {
          disk.touch(args[0]);
          return work(...given);
        },
      });
    }
    return handle;
  };
  const names = ['writeFile', 'rename', 'mkdir', 'appendFile', 'link', 'copyFile'] as const;
  return { ...real, open, ...Object.fromEntries(names.map((name) => [name, failing(name)])) };
});

const long = 'x'.repeat(50_000);

/** A turn in which an agent reads much, the user allows something for good, and a file is changed. */
const script: Script = ({ tools, step, prompt }) => {
  if (!tools.includes('Agent'))
    return step === 0 ? say(call('Grep', { pattern: 'x', output_mode: 'content' })) : say(text('read'));
  if (prompt !== 'work') return say(text(`re: ${prompt}`));
  if (step === 0) return say(delegate('read', { name: 'reader', subagent_type: 'Explore' }));
  if (step === 1) return say(call('Bash', { command: 'touch made' }));
  return step === 2 ? say(call('Write', { file_path: 'b', content: 'new' })) : say(text('worked'));
};

/** @returns how many writes there were, and how many of them failed */
async function runWith(fails: (count: number) => string | undefined): Promise<{ count: number; failed: number }> {
  const { faults } = disk;
  Object.assign(faults, { state: '', count: 0, failed: 0, fails });
  let rules: ReturnType<typeof createRememberedRules> | undefined;
  const refusals: unknown[] = [];
  const started = await startSession({
    script,
    files: { a: `${long}\n${long}\n` },
    prompts: {
      async permission() {
        await rules?.add({ text: 'Bash(touch *)', scope: 'always' }).catch((error: unknown) => refusals.push(error));
        return { decision: 'allow', scope: 'always', by: 'user' };
      },
    },
  });
  const { session, state, events } = started;
  rules = createRememberedRules(state, started.workspace, () => undefined);
  await rules.add({ text: 'Bash(ls *)', scope: 'always' });
  await session.send('before');
  const path = join(state, 'sessions', `${session.id}.jsonl`);
  const before = await readFile(path, 'utf8');

  faults.state = state;
  const result = await session.send('work');
  await session.settled();
  const { count, failed } = faults;
  faults.state = '';

  expect((await session.send('after')).status).toBe('completed');
  await session.close();
  expect((await readFile(path, 'utf8')).startsWith(before)).toBe(true);
  const kept = new Set<string>();
  const problems: string[] = [];
  for await (const event of readJournal(path, { onProblem: ({ message }) => problems.push(message) }))
    kept.add(key(event));
  const isAboutDisk = (event: AgentEvent) => event.type === 'notice' && event.text.includes('cannot be saved');
  expect(session.events().filter((event) => !kept.has(key(event)) && !isAboutDisk(event))).toEqual([]);
  const texts = (await rules.read()).map((rule) => rule.text);
  expect(texts).toContain('Bash(ls *)');
  if (failed > 0) {
    const seen = [
      ...ofType(events, 'notice').filter(({ text }) => /cannot be saved|could not be kept/.test(text)),
      ...ofType(events, 'tool-end').filter(({ status }) => status === 'error'),
      ...(result.status === 'failed' ? [result] : []),
      ...refusals,
    ];
    expect([seen.length > 0, faults.failedAt]).toEqual([true, faults.failedAt]);
  }
  return { count, failed };
}

const key = ({ seq, type, time }: AgentEvent) => `${seq} ${type} ${time}`;

/** Every write in both ways with `FAULTS=all`; else some, in turns. */
it('a disk that fails at any write of a run costs nothing that was said: it is told, and written once there is room', async () => {
  const { count } = await runWith(() => undefined);
  expect(count).toBeGreaterThan(20);
  const isAll = process.env.FAULTS === 'all';
  for (let failAt = 1; failAt <= count; failAt += isAll ? 1 : 7) {
    const full = (each: number) => (each >= failAt ? 'ENOSPC' : undefined);
    const once = (each: number) => (each === failAt ? 'EIO' : undefined);
    const kinds = isAll ? [full, once] : [failAt % 2 === 0 ? full : once];
    for (const fails of kinds) {
      try {
        const { failed } = await runWith(fails);
        // Records of one tick share a write, so there may be a few less.
        if (failAt < count * 0.8) expect(failed).toBeGreaterThan(0);
      } catch (error) {
        throw new Error(`Write ${failAt} of ${count}, ${fails === full ? 'full' : 'once'}`, { cause: error });
      }
    }
  }
}, 900_000);
