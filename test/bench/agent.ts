/**
 * Measures the headless agent beside a bare loop, run by run, on generated repositories and a scripted model. Every figure is
 * the harness's own cost.
 *
 *   npm run bench [-- --quick] [--scenario S1,S3] [--size 200,5000] [--runs 5] [--check] [--save-baseline]
 *                 [--program FILE] another build of the headless agent in place of one made now
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildHost } from '../../scripts/build.mjs';
import { PlainError, runMain, say } from '../../scripts/progress.mjs';
import { artifactsFolder } from '../../scripts/setup.mjs';
import { findRipgrep } from '../../src/agent/node/search/ripgrep.ts';
import { testRipgrep } from '../support/ripgrep.ts';
import { compare, type Finding, readBaseline, saveBaseline } from './baseline.ts';
import { figuresOf } from './figures.ts';
import { startBenchModel } from './model.ts';
import { machineBusyMs, runMeasured } from './process.ts';
import { ensureRepository, type Repository } from './repository.ts';
import { leadPrompt, type ScenarioName, scenarioNames } from './scenarios.ts';
import { type Cell, type Round, summarise } from './summary.ts';
import { renderTables } from './table.ts';

const folder = path.join(artifactsFolder, 'bench');
const runLimitMs = 180_000;
/** Processors in use by others up to which a round counts as calm. */
const calmNoise = 0.3;

type CellName = readonly [ScenarioName, number];

const full: readonly CellName[] = [
  ['S1', 200],
  ['S1', 5000],
  ['S1', 50_000],
  ['S2', 5000],
  ['S3', 5000],
  ['S4', 5000],
  ['S5', 5000],
  ['S6', 200],
  ['S7', 200],
];
const quick: readonly CellName[] = [
  ['S1', 200],
  ['S3', 200],
  ['S4', 200],
];

type Setup = { readonly program: string; readonly ripgrepFolder: string; readonly home: string };

function chooseCells(values: { scenario?: string; size?: string; quick?: boolean }): readonly CellName[] {
  const known = values.quick ? quick : full;
  const names = values.scenario?.split(',').map((name) => {
    const found = scenarioNames.find((each) => each === name);
    if (!found) throw new PlainError(`There is no scenario ${name}. There are ${scenarioNames.join(', ')}.`);
    return found;
  });
  const sizes = values.size?.split(',').map(Number);
  if (sizes?.some((size) => !Number.isInteger(size) || size < 25)) {
    throw new PlainError('--size takes whole numbers from 25 on, with commas between.');
  }
  if (sizes) return (names ?? ['S1', 'S3']).flatMap((name) => sizes.map((size) => [name, size] as const));
  if (!names) return known;
  return names.flatMap((name) => {
    const own = known.filter(([scenario]) => scenario === name);
    return own.length > 0 ? own : [[name, 200] as const];
  });
}

async function once(who: 'ours' | 'bare', scenario: ScenarioName, repository: Repository, setup: Setup) {
  const model = await startBenchModel(repository);
  const state = await mkdtemp(path.join(setup.home, 'state-'));
  const prompt = leadPrompt(scenario);
  const options = [
    '--provider',
    'anthropic',
    '--model-url',
    model.url,
    '--model',
    'claude-sonnet-5-5',
    '--state',
    state,
  ];
  const command =
    who === 'ours'
      ? [process.execPath, setup.program, 'run', '--workspace', repository.root, '--prompt', prompt, ...options]
      : [process.execPath, path.join(import.meta.dirname, 'bareLoop.mjs'), model.url, prompt];
  const env = { PATH: `${setup.ripgrepFolder}:/usr/local/bin:/usr/bin:/bin`, HOME: setup.home, LANG: 'C.UTF-8' };
  const [busy, own, since] = [machineBusyMs(), process.cpuUsage(), performance.now()];
  try {
    const measured = await runMeasured(command, { cwd: repository.root, env, limitMs: runLimitMs });
    const { user, system } = process.cpuUsage(own);
    const others = machineBusyMs() - busy - (measured.cpuMs ?? 0) - (user + system) / 1000;
    return { figures: figuresOf(scenario, model, measured), noise: others / (performance.now() - since) };
  } finally {
    await model.close();
    await rm(state, { recursive: true, force: true });
  }
}

/**
 * One run of each in turn, so that a change of the machine's pace meets both. Where others keep the machine busy there are up
 * to twice as many rounds, and the calmest count.
 */
async function measure([scenario, size]: CellName, count: number, setup: Setup): Promise<readonly Round[]> {
  const repository = await ensureRepository(size);
  const rounds: Round[] = [];
  const isCalm = ({ noise }: Round) => noise <= calmNoise;
  for (let index = -1; index < 2 * count && rounds.filter(isCalm).length < count; index += 1) {
    const isOursFirst = index % 2 === 0;
    const first = await once(isOursFirst ? 'ours' : 'bare', scenario, repository, setup);
    const second = await once(isOursFirst ? 'bare' : 'ours', scenario, repository, setup);
    const [ours, bare] = isOursFirst ? [first, second] : [second, first];
    const round = { ours: ours.figures, bare: bare.figures, noise: Math.max(ours.noise, bare.noise) };
    if (index >= 0) rounds.push(round);
    const [mine, theirs] = [round.ours, round.bare].map(({ wallMs }) => (wallMs / 1000).toFixed(2));
    const which = index < 0 ? 'warm-up' : `round ${index + 1}`;
    say(`[offshoot] ${scenario} ${size} ${which}: ours ${mine} s, bare ${theirs} s, noise ${round.noise.toFixed(1)}`);
  }
  return rounds.toSorted((left, right) => left.noise - right.noise).slice(0, count);
}

/** What got worse in a cell. Times are measured once more before they count: a machine has bad moments. */
async function check(
  name: CellName,
  count: number,
  setup: Setup,
): Promise<{ cell: Cell; findings: readonly Finding[] }> {
  const baseline = await readBaseline();
  const rounds = await measure(name, count, setup);
  const cell = summarise(...name, rounds);
  const findings = compare(cell, baseline);
  if (!findings.some(({ isTiming }) => isTiming)) return { cell, findings };
  const again = summarise(...name, [...rounds, ...(await measure(name, 2 * count, setup))]);
  return { cell: again, findings: compare(again, baseline) };
}

async function prepare(program: string | undefined): Promise<Setup> {
  const ripgrep = await findRipgrep(testRipgrep());
  if (ripgrep === undefined) throw new PlainError('There is no ripgrep. Run "node scripts/setup.mjs", or install it.');
  const output = path.join(folder, 'program');
  if (program === undefined) await buildHost(output);
  return {
    program: path.resolve(program ?? path.join(output, 'headless.js')),
    ripgrepFolder: path.dirname(ripgrep),
    home: await mkdtemp(path.join(os.tmpdir(), 'offshoot-bench-home-')),
  };
}

const reportFile = path.join(folder, 'agent.json');

async function writeReport(cells: readonly Cell[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(reportFile, `${JSON.stringify({ machine: describeMachine(), cells }, null, 2)}\n`);
}

function describeMachine() {
  const [processor] = os.cpus();
  return {
    processors: os.cpus().length,
    model: processor?.model.trim(),
    node: process.version,
    system: `${os.type()} ${os.release()}`,
  };
}

await runMain(import.meta.url, async () => {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      'save-baseline': { type: 'boolean', default: false },
      scenario: { type: 'string' },
      size: { type: 'string' },
      runs: { type: 'string' },
      program: { type: 'string' },
    },
  });
  const count = Number(values.runs ?? (values.quick ? 3 : 5));
  if (!Number.isInteger(count) || count < 1) throw new PlainError('--runs takes a whole number from 1 on.');
  const names = chooseCells(values);
  const setup = await prepare(values.program);
  const cells: Cell[] = [];
  const findings: Finding[] = [];
  try {
    for (const name of names) {
      if (values.check) {
        const checked = await check(name, count, setup);
        cells.push(checked.cell);
        findings.push(...checked.findings);
      } else cells.push(summarise(...name, await measure(name, count, setup)));
      await writeReport(cells);
      if (values['save-baseline']) await saveBaseline(cells);
    }
  } finally {
    await rm(setup.home, { recursive: true, force: true });
  }
  say(`\n${renderTables(cells)}`);
  say(`\nAll figures: ${path.relative(process.cwd(), reportFile)}`);
  if (findings.length > 0) {
    throw new PlainError(`Worse than the baseline:\n${findings.map(({ text }) => `  ${text}`).join('\n')}`);
  }
  if (values.check) say('[offshoot] Nothing is worse than the baseline.');
});
