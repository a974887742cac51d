import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AgentEvent } from '../../../src/agent/index.ts';
import { readJournal } from '../../../src/agent/store/readJournal.ts';
import { allMarks, crewScript, seededRandom } from '../../support/crew.ts';
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
  const model = await startScriptedModel({ script: crewScript });
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

async function readEvents(state: string): Promise<{ session: string; events: AgentEvent[]; problems: string[] }> {
  const names = (await readdir(join(state, 'sessions')).catch(() => [])).filter((name) => name.endsWith('.jsonl'));
  const events: AgentEvent[] = [];
  const problems: string[] = [];
  for (const name of names) {
    const onProblem = ({ message }: { message: string }) => problems.push(message);
    for await (const event of readJournal(join(state, 'sessions', name), { onProblem })) events.push(event);
  }
  return { session: names[0]?.replace('.jsonl', '') ?? '', events, problems };
}

async function readMarks(workspace: string): Promise<readonly string[]> {
  return (await readFile(join(workspace, 'marks'), 'utf8').catch(() => '')).split('\n').filter(Boolean);
}

/** What a model was told, a mark that was left, and an end that was printed: each is in the journal. */
async function expectNothingMissing(place: Place, isDone: boolean): Promise<void> {
  const { events } = await readEvents(place.state);
  const written = JSON.stringify(events.filter(({ type }) => type === 'message-append'));
  for (const { messages } of place.model.bodies()) {
    for (const { content } of messages) {
      for (const block of typeof content === 'string' ? [] : content) {
        if (block.type === 'tool_result') expect(written).toContain(`"tool_use_id":"${block.tool_use_id}"`);
        else if (block.type === 'text') expect(written).toContain(JSON.stringify(block.text));
      }
    }
  }
  const commands = JSON.stringify(ofType(events, 'tool-start').map(({ input }) => input.command));
  for (const mark of await readMarks(place.workspace)) expect(commands).toContain(`echo ${mark} >>`);
  if (isDone) expect(ofType(events, 'turn-end')).toHaveLength(1);
}

async function expectGoesOn(place: Place): Promise<void> {
  const { session, events: before } = await readEvents(place.state);
  // Killed before anything was asked: there is nothing to go on with.
  if (before.length === 0) return;
  const { code, output } = await runHeadless(place, undefined, '--prompt', 'Go on.', '--resume', session);
  expect([code, output.slice(-2000)]).toEqual([0, expect.stringContaining('All three have reported.')]);
  expect(place.model.requests.filter(({ status }) => status !== undefined && status >= 400)).toEqual([]);
  const marks = await readMarks(place.workspace);
  expect(marks).toEqual([...new Set(marks)]);
  const { events, problems } = await readEvents(place.state);
  const calls = ofType(events, 'tool-start').filter(({ tool }) => tool === 'Bash');
  expect(calls.map(({ input }) => input.command).sort()).toEqual(allMarks.map((mark) => `echo ${mark} >> marks`));
  const ended = new Map(ofType(events, 'tool-end').map(({ call, status }) => [call, status]));
  for (const { call, input } of calls) {
    if (ended.get(call) === 'ok') expect(marks).toContain(String(input.command).split(' ')[1]);
    else expect(ended.get(call)).toBe('cancelled');
  }
  // The record that the kill cut short is all that may be told.
  expect(problems.filter((problem) => !problem.includes('not finished'))).toEqual([]);
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
          await expectNothingMissing(place, isDone);
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
