/** Builds and packs `offshoot-<version>.vsix` at the root; holds it to its size budget. */
import { readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { build, describeSizes } from './build.mjs';
import { run } from './processes.mjs';
import { PlainError, runMain, say, step } from './progress.mjs';
import { ensurePackages, nodePath, root, toolEnvironment } from './setup.mjs';

/** Bytes. */
const budget = 3_000_000;

export function vsixPath() {
  const { name, version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  return path.join(root, `${name}-${version}.vsix`);
}

/**
 * Packs what is in dist.
 *
 * @returns {Promise<string>} the package's path
 */
export async function pack() {
  const file = vsixPath();
  const vsce = path.join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  // The packages are in the bundles, so vsce need not look for them.
  const args = [
    vsce,
    'package',
    '--no-dependencies',
    '--allow-missing-repository',
    '--no-rewrite-relative-links',
    '--out',
    file,
  ];
  const { code, output } = await run(nodePath(), args, { cwd: root, env: toolEnvironment() });
  if (code !== 0) throw new PlainError(`vsce could not make the package:\n${output.trim().slice(-3_000)}`);
  const { size } = await stat(file);
  if (size > budget) {
    throw new PlainError(
      `${path.basename(file)} has ${Math.ceil(size / 1000)} kB; its budget is ${budget / 1000} kB.\n${output.trim()}`,
    );
  }
  return file;
}

await runMain(import.meta.url, async () => {
  await ensurePackages();
  say(`[offshoot] Built: ${describeSizes(await step('Building', () => build()))}`);
  const file = await step('Packing', () => pack());
  say(`[offshoot] ${path.basename(file)}: ${Math.ceil((await stat(file)).size / 1000)} kB`);
});
