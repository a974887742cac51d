import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCrewScript, seededRandom } from '../../support/crew.ts';
import { expectDoneOnce, expectNothingMissing, readMarks, readSession, sessionsIn } from '../../support/crewChecks.ts';
import { bundleHeadless } from '../../support/headlessProgram.ts';
import { type ScriptedModel, startScriptedModel } from '../../support/scriptedModel.ts';
import { ofType } from '../../support/startSession.ts';

/** `KILLS=100` for the long run; `SEED` for one that failed. */
const kills = Number(process.env.KILLS ?? 12);
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
const atOnce = 3;
/** A slow machine does fewer, but never fewer than a few. */
const mostMs = kills > 12 ? Number.POSITIVE_INFINITY : 60_000;
const fewest = 4;

let root: string;
let program: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'offshoot-kills-'));
  program = await bundleHeadless(join(root, 'bundle'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

type Place = { readonly workspace: string; readonly state: string; readonly model: ScriptedModel };

async function withPlace<Result>(name: string, work: (place: Place) => Promise<Result>): Promise<Result> {
  const workspace = join(root, name, 'workspace');
  await mkdir(workspace, { recursive: true });
  const model = await startScriptedModel({ script: createCrewScript(3) });
  try {
    return await work({ workspace, state: join(root, name, 'state'), model });
  } finally {
    await model.close();
    await rm(join(root, name), { recursive: true, force: true });
  }
}

/** @param killAfterMs left out: it runs to its end */
async function runHeadless({ workspace, state, model }: Place, killAfterMs?: number, ...more: readonly string[]) {
  const args = ['run', '--workspace', workspace, '--state', state, '--model-url', model.url, '--answer', 'allow'];
  const startedAt = performance.now();
  const child = spawn(process.execPath, [program, ...args, '--model', 'claude-sonnet-5-5', ...more], {
    env: { ...process.env, ANTHROPIC_API_KEY: 'test-key' },
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  clearTimeout(timer);
  return { code, output, isDone: output.includes('"type":"result"'), tookMs: performance.now() - startedAt };
}

async function expectGoesOn(place: Place): Promise<void> {
  const [session] = await sessionsIn(place.state);
  // Killed before anything was asked: there is nothing to go on with.
  if (session === undefined || (await readSession(place.state, session)).events.length === 0) return;
  const { code, output } = await runHeadless(place, undefined, '--prompt', 'Go on.', '--resume', session);
  expect([code, output.slice(-2000)]).toEqual([0, expect.stringContaining('All three have reported.')]);
  const content = await readSession(place.state, session);
  expectDoneOnce(content, place.model.requests, await readMarks(place.workspace));
}

async function expectRecorded({ state, workspace, model }: Place, isDone: boolean): Promise<void> {
  const [session] = await sessionsIn(state);
  const content = session === undefined ? { events: [], problems: [] } : await readSession(state, session);
  expectNothingMissing(content, model.bodies(), await readMarks(workspace));
  if (isDone) expect(ofType(content.events, 'turn-end')).toHaveLength(1);
}

test(`a run with three agents goes on after a kill at any moment (${kills} kills, seed ${seed})`, async () => {
  const random = seededRandom(seed);
  const whole = await withPlace('whole', (place) => runHeadless(place, undefined, '--prompt', 'work'));
  expect(whole.output).toContain('All three have reported.');
  const moments = Array.from({ length: kills }, () => Math.round(random() * whole.tookMs * 1.1));
  const startedAt = performance.now();
  let next = 0;
  let killed = 0;
  const worker = async () => {
    for (let index = next++; index < moments.length; index = next++) {
      if (index >= fewest && performance.now() - startedAt > mostMs) return;
      const moment = moments[index] ?? 0;
      await withPlace(`kill-${index}`, async (place) => {
        const { isDone } = await runHeadless(place, moment, '--prompt', 'work');
        if (!isDone) killed += 1;
        try {
          await expectRecorded(place, isDone);
          await expectGoesOn(place);
        } catch (error) {
          throw new Error(`Kill ${index} after ${moment} ms, SEED=${seed}`, { cause: error });
        }
      });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  console.info(`${killed} of ${Math.min(next, kills)} runs were killed before their end, seed ${seed}`);
  expect(killed).toBeGreaterThan(0);
}, 3_600_000);
