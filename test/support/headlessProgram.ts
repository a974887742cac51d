/** The command line as it ships, bundled for tests that start it as a process of its own. */
import { join } from 'node:path';
import { build } from 'esbuild';

const source = join(import.meta.dirname, '../../src/headless.ts');

/** @returns the program's path */
export async function bundleHeadless(outdir: string): Promise<string> {
  await build({
    entryPoints: [source],
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    external: ['vscode'],
    outdir,
    outExtension: { '.js': '.mjs' },
    banner: { js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);` },
  });
  return join(outdir, 'headless.mjs');
}
