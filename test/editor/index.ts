/** What the editor calls to run this suite: every `*.test.mjs` beside the bundle of this file, with mocha. */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import Mocha from 'mocha';

type Failure = { readonly title: string; readonly message: string; readonly stack: string | undefined };

export async function run(): Promise<void> {
  const mocha = new Mocha({ ui: 'bdd', timeout: 60_000, color: true });
  const names = await readdir(import.meta.dirname, { recursive: true });
  for (const name of names.filter((each) => each.endsWith('.test.mjs')).sort()) {
    mocha.addFile(path.join(import.meta.dirname, name));
  }
  await mocha.loadFilesAsync();
  const failures: Failure[] = [];
  const runner = mocha.run();
  runner.on('fail', (test, error) => {
    failures.push({ title: test.fullTitle(), message: error.message, stack: error.stack });
  });
  await new Promise<void>((resolve) => runner.on('end', resolve));
  await writeResults(runner.stats, failures);
  if (failures.length > 0) throw new Error(`${failures.length} failed`);
  if ((runner.stats?.passes ?? 0) === 0) throw new Error('No test ran.');
}

async function writeResults(stats: Mocha.Stats | undefined, failures: readonly Failure[]): Promise<void> {
  const file = process.env.OFFSHOOT_RESULTS;
  if (file === undefined) return;
  await mkdir(path.dirname(file), { recursive: true });
  const counts = { passed: stats?.passes ?? 0, failed: failures.length, skipped: stats?.pending ?? 0 };
  await writeFile(file, JSON.stringify({ ...counts, failures }, null, 2));
}
