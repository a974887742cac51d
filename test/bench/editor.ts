/**
 * Measures what a user of the editor waits for: the activation time that the editor itself reports, a click until the sidebar
 * takes input, Enter until the first request, and how long eight agents at work keep the extension host from anything else;
 * over fresh windows with the packaged extension installed. And the sizes of what ships.
 *
 *   npm run bench:editor [-- --runs 5]
 */
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Locator } from 'playwright-core';
import { build } from '../../scripts/build.mjs';
import { pack } from '../../scripts/package.mjs';
import { stopChildrenOnExit } from '../../scripts/processes.mjs';
import { PlainError, runMain, say } from '../../scripts/progress.mjs';
import { artifactsFolder, ensureBrowser, setup } from '../../scripts/setup.mjs';
import { readActivationTime } from '../support/editor/activation.ts';
import { installVsix, startTestServer, temporaryFolder } from '../support/editor/server.ts';
import { openWorkbench, type Workbench } from '../support/editor/workbench.ts';
import { type BenchModel, startBenchModel } from './model.ts';
import { ensureRepository } from './repository.ts';
import { leadPrompt } from './scenarios.ts';
import { median } from './statistics.ts';

const goals = { activationMs: 50, readyMs: 700, longestBlockMs: 50 } as const;

type Figures = {
  /** As the editor's "Running Extensions" shows it. */
  readonly activationMs: number;
  /** From the click on the activity bar to a field that takes input. */
  readonly readyMs: number;
  readonly firstRequestMs: number;
  readonly longestBlockMs: number;
};

/** The built-in extensions start first; what they leave of the machine is not ours. */
const quietMs = 2000;
const names = ['activationMs', 'readyMs', 'firstRequestMs', 'longestBlockMs'] as const;

async function measureOnce(extensionsDir: string): Promise<Figures> {
  const repository = await ensureRepository(200);
  const model = await startBenchModel(repository);
  const probe = path.join(await temporaryFolder('probe'), 'blocks.jsonl');
  const server = await startTestServer({
    extensionsDir,
    settings: { 'offshoot.baseUrl': model.url, 'offshoot.model': 'claude-sonnet-5-5' },
    env: { ANTHROPIC_API_KEY: 'bench', OFFSHOOT_BENCH_PROBE: probe },
  });
  try {
    const workbench = await openWorkbench(server, repository.root, {
      payload: { extensionDevelopmentPath: path.join(import.meta.dirname, 'probe') },
      size: { width: 1400, height: 4000 },
    });
    try {
      await workbench.waitForIdle(quietMs);
      const figures = await measureWindow(workbench, model, probe);
      return { ...figures, activationMs: await readActivationTime(workbench) };
    } finally {
      await workbench.close();
    }
  } finally {
    await server.stop();
    await model.close();
  }
}

async function measureWindow(
  workbench: Workbench,
  model: BenchModel,
  probe: string,
): Promise<Omit<Figures, 'activationMs'>> {
  const tab = workbench.page.locator('.part.activitybar').getByRole('tab', { name: 'Offshoot' }).first();
  await tab.waitFor({ timeout: 60_000 });
  const clickedAt = performance.now();
  await tab.click();
  const field = await fieldOf(workbench);
  const readyMs = performance.now() - clickedAt;
  const frame = await workbench.sidebarFrame();

  await field.fill(leadPrompt('S3'));
  const [sentAt, startedAt] = [performance.now(), Date.now()];
  await field.press('Enter');
  await frame.locator('.turn-end').waitFor({ timeout: 60_000 });
  const endedAt = Date.now();
  const [first] = model.requests;
  if (!first) throw new Error('The model got no request.');
  return {
    readyMs,
    firstRequestMs: first.beganAt - sentAt,
    longestBlockMs: await longestBlock(probe, startedAt, endedAt),
  };
}

/** The harness of the tests looks ten times a second, which is too seldom here. */
async function fieldOf({ page }: Workbench): Promise<Locator> {
  const end = Date.now() + 60_000;
  while (Date.now() < end) {
    for (const frame of page.frames()) {
      const field = frame.getByRole('textbox', { name: 'Message' });
      if (await field.isVisible().catch(() => false)) return field;
    }
    await page.waitForTimeout(5);
  }
  throw new Error('The sidebar does not take input.');
}

async function longestBlock(probe: string, from: number, to: number): Promise<number> {
  const notes = (await readFile(probe, 'utf8')).trim().split('\n');
  const parsed = notes.map((line): { time: number; worst: number } => JSON.parse(line));
  return Math.max(...parsed.filter(({ time }) => time >= from && time <= to).map(({ worst }) => worst));
}

async function measure(vsix: string, runs: number): Promise<readonly Figures[]> {
  const home = await temporaryFolder('bench');
  const extensionsDir = path.join(home, 'extensions');
  await installVsix(vsix, { extensionsDir, userDataDir: path.join(home, 'user-data') });
  const figures: Figures[] = [];
  try {
    for (let index = 0; index < runs; index += 1) {
      const run = await measureOnce(extensionsDir);
      figures.push(run);
      say(
        `[offshoot] start ${index + 1} of ${runs}: ${names.map((name) => `${name} ${run[name].toFixed(0)}`).join(', ')}`,
      );
    }
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
  return figures;
}

await runMain(import.meta.url, async () => {
  stopChildrenOnExit();
  const { values } = parseArgs({ options: { runs: { type: 'string', default: '5' } } });
  const count = Number(values.runs);
  if (!Number.isInteger(count) || count < 1) throw new PlainError('--runs takes a whole number from 1 on.');
  await setup();
  await ensureBrowser();
  const sizes = await build();
  const vsix = await pack();
  const runs = await measure(vsix, count);
  const bytes = { ...sizes, vsix: (await stat(vsix)).size };
  say(`\n${count} starts: median (lowest–highest)`);
  for (const name of names) {
    const own = runs.map((run) => run[name]);
    const [low, high] = [Math.min(...own), Math.max(...own)].map((value) => value.toFixed(0));
    const goal = name in goals ? `   goal ${Reflect.get(goals, name)}` : '';
    say(`${name.padEnd(16)}${median(own).toFixed(0).padStart(7)} (${low}–${high})${goal}`);
  }
  for (const [name, size] of Object.entries(bytes)) say(`${name.padEnd(16)}${Math.ceil(size / 1000)} kB`);
  const folder = path.join(artifactsFolder, 'bench');
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'editor.json'), `${JSON.stringify({ goals, runs, bytes }, null, 2)}\n`);
});
