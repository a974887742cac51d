/** The npm-delivered VS Code as a server on this machine's loopback address. */
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { run, startProcess, stopProcess } from './processes.mjs';
import { PlainError } from './progress.mjs';
import { editorFolder, nodePath, root } from './setup.mjs';

const host = '127.0.0.1';
const startMilliseconds = 120_000;

/**
 * @typedef {object} EditorFolders
 * @property {string} userDataDir
 * @property {string} extensionsDir
 */

/**
 * @typedef {object} ServerOptions
 * @property {number} [port] 0, the default, takes a free one.
 * @property {string} [tokenFile] Holds the secret that a browser must bring; without it anyone on this machine can connect.
 * @property {Record<string, unknown>} [settings] Written as the user's settings.
 * @property {NodeJS.ProcessEnv} [env] Added to the environment of the extension host.
 * @property {string} [builtInExtensionsDir] Takes the place of the folder of the editor's own extensions.
 * @property {boolean} [isAutomated] Makes the page honour `payload` and end test runs through `codeAutomationExit`.
 */

/**
 * @typedef {object} EditorServer
 * @property {number} port
 * @property {string} userDataDir
 * @property {(folder: string, payload?: EditorPayload) => string} url
 * @property {() => string} output What the server has printed so far.
 * @property {() => Promise<void>} stop
 * @property {Promise<void>} ended
 */

/**
 * @typedef {object} EditorPayload
 * @property {string} [extensionDevelopmentPath]
 * @property {string} [extensionTestsPath]
 */

/**
 * The caller's environment without what npm and an enclosing editor put there: the editor, its terminals and the
 * commands of agents get what the user has.
 *
 * @param {NodeJS.ProcessEnv} [added]
 */
export function editorEnvironment(added = {}) {
  const own = path.join('node_modules', '.bin');
  const entries = Object.entries(process.env)
    .filter(([key]) => !/^(npm_|VSCODE_|ELECTRON_|INIT_CWD$)/.test(key))
    .map(([key, value]) => {
      if (key.toUpperCase() !== 'PATH') return [key, value];
      return [
        key,
        (value ?? '')
          .split(path.delimiter)
          .filter((part) => !part.endsWith(own))
          .join(path.delimiter),
      ];
    });
  return { ...Object.fromEntries(entries), ...added };
}

/** @param {EditorFolders} folders */
const folderArguments = (folders) => [
  '--server-data-dir',
  path.join(folders.userDataDir, 'server'),
  '--user-data-dir',
  folders.userDataDir,
  '--extensions-dir',
  folders.extensionsDir,
];

function serverMain() {
  const file = path.join(editorFolder, 'out', 'server-main.js');
  if (!existsSync(file)) throw new PlainError('The editor is not there yet. Run "node scripts/setup.mjs" first.');
  return file;
}

/**
 * @param {string} userDataDir
 * @param {Record<string, unknown>} settings
 */
export async function writeSettings(userDataDir, settings) {
  const folder = path.join(userDataDir, 'User');
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'settings.json'), JSON.stringify(settings, null, 2));
}

/**
 * @param {EditorFolders & ServerOptions} options
 * @returns {Promise<EditorServer>}
 */
export async function startEditorServer(options) {
  if (options.settings !== undefined) await writeSettings(options.userDataDir, options.settings);
  const child = startProcess(
    nodePath(),
    [
      serverMain(),
      '--host',
      host,
      '--port',
      String(options.port ?? 0),
      ...(options.tokenFile === undefined
        ? ['--without-connection-token']
        : ['--connection-token-file', options.tokenFile]),
      '--accept-server-license-terms',
      '--telemetry-level',
      'off',
      ...(options.isAutomated ? ['--enable-smoke-test-driver', '--reconnection-grace-time', '20'] : []),
      ...folderArguments(options),
      ...(options.builtInExtensionsDir === undefined ? [] : ['--builtin-extensions-dir', options.builtInExtensionsDir]),
    ],
    { cwd: root, env: editorEnvironment(options.env) },
  );
  let output = '';
  /** @type {Promise<void>} */
  const ended = new Promise((resolve) => child.once('close', () => resolve()));
  /** @type {Promise<number>} */
  const listening = new Promise((resolve) => {
    /** @param {Buffer} data */
    const collect = (data) => {
      output += data.toString();
      const port = /Extension host agent listening on (\d+)/.exec(output)?.[1];
      if (port !== undefined) resolve(Number(port));
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
  });
  const port = await Promise.race([
    listening,
    ended.then(() => undefined),
    new Promise((resolve) => setTimeout(resolve, startMilliseconds, undefined).unref()),
  ]);
  if (typeof port !== 'number') {
    await stopProcess(child);
    throw new PlainError(`The editor's server did not start:\n${output.slice(-2_000)}`);
  }
  return {
    port,
    userDataDir: options.userDataDir,
    url: (folder, payload) => editorUrl(port, folder, payload),
    output: () => output,
    stop: () => stopProcess(child),
    ended,
  };
}

/**
 * @param {number} port
 * @param {string} folder
 * @param {EditorPayload} [payload]
 */
export function editorUrl(port, folder, payload = {}) {
  const url = new URL(`http://${host}:${port}/`);
  url.searchParams.set('folder', urlPath(folder));
  const pairs = Object.entries(payload).map(([key, value]) => [
    key,
    `vscode-remote://${host}:${port}${urlPath(String(value))}`,
  ]);
  if (pairs.length > 0) url.searchParams.set('payload', JSON.stringify(pairs));
  return url.href;
}

/** @param {string} file C:\a becomes /C:/a. */
function urlPath(file) {
  const forward = path.resolve(file).replaceAll('\\', '/');
  return forward.startsWith('/') ? forward : `/${forward}`;
}

/**
 * Installs a packaged extension as a user would.
 *
 * @param {string} vsix
 * @param {EditorFolders} folders
 */
export async function installVsix(vsix, folders) {
  const { code, output } = await run(
    nodePath(),
    [serverMain(), '--install-extension', vsix, '--force', ...folderArguments(folders)],
    { env: editorEnvironment() },
  );
  if (code !== 0 || !/successfully installed/.test(output)) {
    throw new PlainError(`The editor did not install ${path.basename(vsix)}:\n${output.slice(-2_000)}`);
  }
}
