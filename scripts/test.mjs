/**
 * Runs every tier of tests and ends with one line: `N passed, N failed` (and `, N skipped`).
 *
 *   npm test [-- TIER …]      tiers: check unit editor ui
 */
import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { run, stopChildrenOnExit } from './processes.mjs';
import { PlainError, runMain, say, step } from './progress.mjs';
import {
  artifactsFolder,
  ensureBrowser,
  ensureEditor,
  ensurePackages,
  nodePath,
  root,
  toolEnvironment,
} from './setup.mjs';

const results = path.join(artifactsFolder, 'test');
const editorResults = path.join(results, 'editor.json');

/** @typedef {{ passed: number, failed: number, skipped: number, failures?: readonly string[] }} Counts */

/**
 * Commands of a tier, run in order as programs of Node, and how its counts are read. A tier without counts is one that
 * only fails: each failed command counts as one.
 *
 * @typedef {object} Tier
 * @property {string} name
 * @property {string} title
 * @property {readonly (readonly string[])[]} commands
 * @property {() => Promise<Counts>} [read]
 */

/** @param {string} file */
const module = (file) => path.join(root, 'node_modules', file);

/**
 * @param {string} name
 * @param {readonly string[]} projects
 */
const vitest = (name, projects) => [
  module('vitest/vitest.mjs'),
  'run',
  ...projects.flatMap((project) => ['--project', project]),
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${path.join(results, `${name}.json`)}`,
];

/** @param {string} name */
async function readVitest(name) {
  const report = JSON.parse(await readFile(path.join(results, `${name}.json`), 'utf8'));
  // A file that cannot be loaded fails without a single failed test.
  const broken = report.testResults.filter(
    (/** @type {{ status: string, assertionResults: unknown[] }} */ file) =>
      file.status === 'failed' && file.assertionResults.length === 0,
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
    failures: report.testResults.flatMap(describeFailures),
  };
}

/**
 * @param {{ name: string, status: string, message: string, assertionResults: readonly { status: string, fullName: string, failureMessages: readonly string[] }[] }} file
 * @returns {readonly string[]} where, what and the head of why
 */
function describeFailures({ name, status, message, assertionResults }) {
  const where = path.relative(root, name);
  const failing = assertionResults.filter((result) => result.failureMessages.length > 0);
  if (failing.length === 0) return status === 'failed' ? [`FAILED ${where}: ${message.slice(0, 1000)}`] : [];
  return failing.map((test) => {
    const word = test.status === 'failed' ? 'FAILED' : 'passed only when tried again:';
    return `${word} ${where}: ${test.fullName}\n${test.failureMessages.join('\n').slice(0, 1500)}`;
  });
}

async function readEditor() {
  const { passed, failed, skipped, failures } = JSON.parse(await readFile(editorResults, 'utf8'));
  /** @type {(failure: { title: string, message: string }) => string} */
  const describe = ({ title, message }) => `FAILED in the editor: ${title}\n${message}`;
  return { passed, failed, skipped, failures: failures.map(describe) };
}

/** @type {readonly Tier[]} */
const tiers = [
  {
    name: 'check',
    title: 'Types, lint, unused code',
    commands: [
      [module('typescript/bin/tsc'), '-p', '.'],
      [module('@biomejs/biome/bin/biome'), 'check', '.'],
      [module('knip/bin/knip.js')],
    ],
  },
  {
    name: 'unit',
    title: 'Unit and contract tests',
    commands: [vitest('unit', ['unit', 'contract'])],
    read: () => readVitest('unit'),
  },
  {
    name: 'editor',
    title: 'Tests inside the editor',
    commands: [['test/support/editor/launch.ts']],
    read: readEditor,
  },
  {
    name: 'ui',
    title: 'The page in a browser, the packaged extension in the editor',
    commands: [vitest('ui', ['page', 'ui'])],
    read: () => readVitest('ui'),
  },
];

/**
 * @param {Tier} tier
 * @returns {Promise<Counts>} A tier that crashed, or ran no test, counts at least one failure.
 */
async function runTier(tier) {
  const env = { ...toolEnvironment(), OFFSHOOT_BUILT: '1', OFFSHOOT_RESULTS: editorResults };
  let failedCommands = 0;
  for (const command of tier.commands) {
    const { code } = await run(nodePath(), command, { cwd: root, env, isShown: true });
    if (code !== 0) failedCommands += 1;
  }
  if (tier.read === undefined) return { passed: 0, failed: failedCommands, skipped: 0 };
  const counts = await tier.read().catch(() => ({ passed: 0, failed: 0, skipped: 0 }));
  const isBroken = failedCommands > 0 || counts.passed + counts.skipped === 0;
  return isBroken && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

/** @param {readonly string[]} names */
function chosenTiers(names) {
  const unknown = names.filter((name) => !tiers.some((tier) => tier.name === name));
  if (unknown.length > 0) {
    throw new PlainError(`No tier is called ${unknown.join(', ')}. Tiers: ${tiers.map(({ name }) => name).join(' ')}`);
  }
  return names.length === 0 ? tiers : tiers.filter((tier) => names.includes(tier.name));
}

/** Builds; the tiers that need no bundle still run when that fails. */
async function tryToBuild() {
  const { build, describeSizes } = await import('./build.mjs');
  try {
    say(`[offshoot] Built: ${describeSizes(await step('Building', () => build()))}`);
    return true;
  } catch (error) {
    console.error(error instanceof PlainError ? `[offshoot] ${error.message}` : error);
    return false;
  }
}

/** @param {readonly Tier[]} chosen */
async function runAll(chosen) {
  const isBuilt = await tryToBuild();
  const lines = [`${'build'.padEnd(8)}${isBuilt ? 'ok' : 'FAILED'}`];
  const total = { passed: 0, failed: isBuilt ? 0 : 1, skipped: 0 };
  /** @type {string[]} */
  const failures = [];
  for (const tier of chosen) {
    const start = Date.now();
    say(`\n[offshoot] ${tier.title} …`);
    const counts = await runTier(tier);
    total.passed += counts.passed;
    total.failed += counts.failed;
    total.skipped += counts.skipped;
    failures.push(...(counts.failures ?? []));
    const detail =
      tier.read === undefined
        ? counts.failed === 0
          ? 'ok'
          : `${counts.failed} FAILED`
        : `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`;
    const line = `${tier.name.padEnd(8)}${detail} (${Math.round((Date.now() - start) / 1000)} s)`;
    say(`[offshoot] ${line}`);
    lines.push(line);
  }
  return { total, lines, failures };
}

await runMain(import.meta.url, async () => {
  stopChildrenOnExit();
  const chosen = chosenTiers(process.argv.slice(2));
  await ensurePackages();
  const needs = (/** @type {readonly string[]} */ ...names) => chosen.some(({ name }) => names.includes(name));
  // Units search with the editor's ripgrep.
  if (needs('unit', 'editor', 'ui')) await ensureEditor();
  if (needs('editor', 'ui')) await ensureBrowser();
  await rm(results, { recursive: true, force: true });
  await mkdir(results, { recursive: true });
  const { total, lines, failures } = await runAll(chosen);
  if (total.failed > 0) process.exitCode = 1;
  for (const failure of failures) say(`\n[offshoot] ${failure}`);
  say(`\n[offshoot] Summary\n${lines.map((line) => `  ${line}`).join('\n')}\n`);
  const skipped = total.skipped === 0 ? '' : `, ${total.skipped} skipped`;
  say(`${total.passed} passed, ${total.failed} failed${skipped}`);
});
