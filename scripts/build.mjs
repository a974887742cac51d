/**
 * Bundles everything that ships: the host side as ES modules in chunks (`dist/extension.js`, `dist/headless.js`), the page
 * as one script and one style sheet. Holds the result to its size budget.
 *
 *   node scripts/build.mjs [--watch] [--tests]
 */
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { usedCodicons } from './codicons.mjs';
import { PlainError, runMain, say } from './progress.mjs';
import { artifactsFolder, cacheFolder, ensurePackages, root } from './setup.mjs';

/** Bytes. The page's font is apart: it counts in the package. */
const budget = { host: 1_200_000, page: 300_000 };

const dist = path.join(root, 'dist');
/** Where the tests that run inside the editor are bundled to. */
export const editorTestsFolder = path.join(cacheFolder, 'editor-tests');

/** CommonJS packages call `require` for Node's own modules and ask for their folder; an ES module has neither. */
const requireBanner = `import{createRequire as offshootCreateRequire}from'node:module';const require=offshootCreateRequire(import.meta.url),__dirname=import.meta.dirname;`;

/** @type {import('esbuild').BuildOptions} */
const common = {
  absWorkingDir: root,
  bundle: true,
  metafile: true,
  sourcemap: 'linked',
  sourcesContent: false,
  legalComments: 'external',
  logLevel: 'warning',
};

/** @type {import('esbuild').BuildOptions} */
const hostBase = {
  ...common,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  splitting: true,
  banner: { js: requireBanner },
};

/** @type {import('esbuild').BuildOptions} */
const hostOptions = {
  ...hostBase,
  entryPoints: {
    extension: 'src/extension.ts',
    headless: 'src/headless.ts',
    // A thread of its own, so it is loaded by address.
    scanWorker: 'src/agent/node/search/scanWorker.ts',
    indexWorker: 'src/agent/store/index/worker.ts',
    pageWorker: 'src/agent/node/web/pageWorker.ts',
  },
  external: ['vscode'],
  // 430 kB that no page needs.
  alias: { '@mixmark-io/domino': './scripts/absent.mjs', 'cssomnom/parse': './scripts/absent.mjs' },
  outdir: 'dist',
  chunkNames: 'chunks/[name]-[hash]',
  minify: true,
};

/** @type {import('esbuild').BuildOptions} */
const pageOptions = {
  ...common,
  entryPoints: { page: 'src/webview/app/main.tsx', query: 'src/webview/app/query/main.tsx' },
  platform: 'browser',
  target: 'es2022',
  format: 'iife',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  define: { 'process.env.NODE_ENV': '"production"' },
  loader: { '.ttf': 'file' },
  plugins: [usedCodicons(path.join(root, 'src/webview/app'))],
  assetNames: '[name]',
  outdir: 'dist',
  minify: true,
};

/**
 * SQLite's code, which the thread of the index loads.
 *
 * @param {string} outdir
 */
async function copySqlite(outdir) {
  await mkdir(outdir, { recursive: true });
  await copyFile(path.join(root, 'node_modules/sql.js/dist/sql-wasm.wasm'), path.join(outdir, 'sql-wasm.wasm'));
}

async function editorTestOptions() {
  const names = await readdir(path.join(root, 'test/editor'), { recursive: true });
  const tests = names.filter((name) => name.endsWith('.test.ts')).map((name) => path.join('test/editor', name));
  const entryPoints = ['test/editor/index.ts', ...tests];
  /** @type {import('esbuild').BuildOptions} */
  const options = {
    ...hostBase,
    entryPoints,
    external: ['vscode', 'mocha'],
    outbase: 'test/editor',
    outdir: editorTestsFolder,
    outExtension: { '.js': '.mjs' },
    sourcemap: 'inline',
  };
  return options;
}

/** @typedef {import('esbuild').Metafile} Metafile */

/**
 * Everything that an output can load, now or later.
 *
 * @param {Metafile} metafile
 * @param {string} entry
 */
function reachable(metafile, entry) {
  const seen = new Set([entry]);
  for (const file of seen) {
    for (const imported of metafile.outputs[file]?.imports ?? []) {
      if (!imported.external) seen.add(imported.path);
    }
  }
  return [...seen];
}

/**
 * @param {Metafile} metafile
 * @param {readonly string[]} files
 */
const totalBytes = (metafile, files) => files.reduce((sum, file) => sum + (metafile.outputs[file]?.bytes ?? 0), 0);

/**
 * The packages and folders that take most of these outputs.
 *
 * @param {Metafile} metafile
 * @param {readonly string[]} files
 */
function largestInputs(metafile, files) {
  /** @type {Map<string, number>} */
  const sizes = new Map();
  for (const file of files) {
    for (const [input, { bytesInOutput }] of Object.entries(metafile.outputs[file]?.inputs ?? {})) {
      const name = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? path.dirname(input);
      sizes.set(name, (sizes.get(name) ?? 0) + bytesInOutput);
    }
  }
  return [...sizes].sort(([, a], [, b]) => b - a).slice(0, 8);
}

/** @param {number} bytes */
const kilobytes = (bytes) => `${Math.ceil(bytes / 1000)} kB`;

/**
 * @param {string} name
 * @param {Metafile} metafile
 * @param {readonly string[]} files
 * @param {number} limit
 */
function holdToBudget(name, metafile, files, limit) {
  const bytes = totalBytes(metafile, files);
  if (bytes > limit) {
    const inputs = largestInputs(metafile, files).map(([input, size]) => `  ${kilobytes(size).padStart(8)}  ${input}`);
    throw new PlainError(
      `The ${name} bundle has ${kilobytes(bytes)}; its budget is ${kilobytes(limit)}. Largest inputs:\n${inputs.join('\n')}`,
    );
  }
  return bytes;
}

/** @typedef {{ extension: number, activation: number, headless: number, page: number }} BundleSizes */

/**
 * Builds once for production.
 *
 * @returns {Promise<BundleSizes>} bytes: all that the extension can load, what it loads at once, the headless program, the page
 */
export async function build() {
  const esbuild = await import('esbuild');
  await rm(dist, { recursive: true, force: true });
  const results = await Promise.all([esbuild.build(hostOptions), esbuild.build(pageOptions)])
    .catch(() => {
      throw new PlainError('The build failed; the messages above say where.');
    })
    // Its service would stay as long as this process does.
    .finally(() => esbuild.stop());
  await copySqlite(dist);
  const [host, page] = results.map((result) => result.metafile);
  if (host === undefined || page === undefined) throw new Error('esbuild gave no metafile');
  await mkdir(artifactsFolder, { recursive: true });
  await writeFile(path.join(artifactsFolder, 'metafile-host.json'), JSON.stringify(host));
  await writeFile(path.join(artifactsFolder, 'metafile-page.json'), JSON.stringify(page));
  const extensionFiles = reachable(host, 'dist/extension.js');
  return {
    extension: holdToBudget('host', host, extensionFiles, budget.host),
    activation: totalBytes(host, reachableAtOnce(host, 'dist/extension.js')),
    headless: totalBytes(host, reachable(host, 'dist/headless.js')),
    page: holdToBudget('page', page, ['dist/page.js', 'dist/page.css'], budget.page),
  };
}

/**
 * @param {Metafile} metafile
 * @param {string} entry
 */
function reachableAtOnce(metafile, entry) {
  const seen = new Set([entry]);
  for (const file of seen) {
    for (const imported of metafile.outputs[file]?.imports ?? []) {
      if (!imported.external && imported.kind === 'import-statement') seen.add(imported.path);
    }
  }
  return [...seen];
}

/**
 * Builds the host side alone, as it ships, into another folder.
 *
 * @param {string} outdir
 */
export async function buildHost(outdir) {
  const esbuild = await import('esbuild');
  await rm(outdir, { recursive: true, force: true });
  await esbuild.build({ ...hostOptions, outdir }).finally(() => esbuild.stop());
  await copySqlite(path.resolve(root, outdir));
}

/** Bundles test/editor for the extension host. */
export async function buildEditorTests() {
  const esbuild = await import('esbuild');
  if (!existsSync(path.join(root, 'test/editor/index.ts'))) throw new PlainError('test/editor/index.ts is missing.');
  await rm(editorTestsFolder, { recursive: true, force: true });
  await esbuild.build(await editorTestOptions()).catch(() => {
    throw new PlainError('The editor tests could not be bundled; the messages above say why.');
  });
}

/** @param {BundleSizes} sizes */
export function describeSizes(sizes) {
  return (
    `extension ${kilobytes(sizes.extension)} (${kilobytes(sizes.activation)} at activation), ` +
    `headless ${kilobytes(sizes.headless)}, page ${kilobytes(sizes.page)}`
  );
}

async function watch() {
  const esbuild = await import('esbuild');
  await rm(dist, { recursive: true, force: true });
  await copySqlite(dist);
  for (const options of [hostOptions, pageOptions]) {
    const context = await esbuild.context({ ...options, minify: false, sourcesContent: true, logLevel: 'info' });
    await context.watch();
  }
  say('[offshoot] Watching; Ctrl-C ends it.');
}

await runMain(import.meta.url, async () => {
  await ensurePackages();
  if (process.argv.includes('--watch')) return watch();
  say(`[offshoot] Built: ${describeSizes(await build())}`);
  if (process.argv.includes('--tests')) await buildEditorTests();
});
