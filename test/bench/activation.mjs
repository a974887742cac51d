/**
 * Measures what a user's editor pays for Offshoot: the activation time that the editor itself reports, over several fresh
 * windows with the packaged extension installed, and the sizes of what ships.
 *
 *   npm run bench [-- --runs N] [--json]
 */
import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build } from '../../scripts/build.mjs';

import { pack } from '../../scripts/package.mjs';
import { stopChildrenOnExit } from '../../scripts/processes.mjs';
import { PlainError, runMain, say } from '../../scripts/progress.mjs';
import { ensureBrowser, setup } from '../../scripts/setup.mjs';
import { readActivationTime } from '../support/editor/activation.ts';
import { installVsix, startTestServer, temporaryFolder } from '../support/editor/server.ts';
import { openWorkbench } from '../support/editor/workbench.ts';

const goalMilliseconds = 50;

/** @param {readonly number[]} values */
function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low = Number.NaN, high = Number.NaN] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  return (low + high) / 2;
}

/**
 * @param {string} vsix
 * @param {number} runs
 */
async function measureActivations(vsix, runs) {
  const home = await temporaryFolder('bench');
  const extensionsDir = path.join(home, 'extensions');
  await installVsix(vsix, { extensionsDir, userDataDir: path.join(home, 'user-data') });
  const times = [];
  try {
    for (let index = 0; index < runs; index += 1) {
      const server = await startTestServer({ extensionsDir });
      try {
        const workbench = await openWorkbench(server, home, { size: { width: 1400, height: 4000 } });
        times.push(await readActivationTime(workbench));
        await workbench.close();
      } finally {
        await server.stop();
      }
      say(`[offshoot] start ${index + 1} of ${runs}: ${times.at(-1)} ms`);
    }
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
  return times;
}

await runMain(import.meta.url, async () => {
  stopChildrenOnExit();
  const { values } = parseArgs({ options: { runs: { type: 'string', default: '5' }, json: { type: 'boolean' } } });
  const runs = Number(values.runs);
  if (!Number.isInteger(runs) || runs < 1) throw new PlainError('--runs takes a whole number from 1 on.');
  await setup();
  await ensureBrowser();
  const sizes = await build();
  const vsix = await pack();
  const times = await measureActivations(vsix, runs);
  const result = {
    activation: { medianMs: median(times), goalMs: goalMilliseconds, runsMs: times },
    bytes: { ...sizes, vsix: (await stat(vsix)).size },
  };
  if (values.json) say(JSON.stringify(result));
  else {
    say(`\nactivation  median ${result.activation.medianMs} ms of ${runs} starts (goal: under ${goalMilliseconds} ms)`);
    for (const [name, bytes] of Object.entries(result.bytes)) say(`${name.padEnd(12)}${Math.ceil(bytes / 1000)} kB`);
  }
});
