/**
 * Opens a real VS Code with Offshoot on a folder.
 *
 *   npm start [-- DIR]
 */
import { randomBytes } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { findDesktop, hasDisplay } from './desktop.mjs';
import { installVsix, startEditorServer, writeSettings } from './editorServer.mjs';
import { run, startProcess, stopChildrenOnExit } from './processes.mjs';
import { PlainError, runMain, say, step } from './progress.mjs';
import { cacheFolder, ensureEditor, ensurePackages, root } from './setup.mjs';

/** Settings, extensions and the address live on from start to start. */
const home = path.join(cacheFolder, 'start');
const folders = { userDataDir: path.join(home, 'user-data'), extensionsDir: path.join(home, 'extensions') };

/** Written once; from then on they are the user's. The editor's own chat would stand beside Offshoot's. */
const firstSettings = {
  // Whoever names a folder on the command line trusts it; `openServer` says so.
  'security.workspace.trust.enabled': false,
  'workbench.startupEditor': 'none',
  'chat.disableAIFeatures': true,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'remote.autoForwardPorts': false,
  'extensions.autoCheckUpdates': false,
  'diffEditor.codeLens': true,
  // The settings of this editor lie within this repository.
  'git.openRepositoryInParentFolders': 'never',
};

/** @param {readonly string[]} args */
function folderToOpen(args) {
  const [given, ...rest] = args.filter((argument) => argument !== '--');
  if (rest.length > 0) throw new PlainError('One folder at a time: npm start -- DIR');
  // npm runs scripts at the package's root; the user's own place is in INIT_CWD.
  const folder = given === undefined ? root : path.resolve(process.env.INIT_CWD ?? process.cwd(), given);
  if (!existsSync(folder) || !statSync(folder).isDirectory()) {
    throw new PlainError(`${folder} is not a folder. Name one that exists: npm start -- DIR`);
  }
  return folder;
}

/**
 * The port of the last time, if it is free: what the editor keeps in the browser belongs to the address.
 *
 * @returns {Promise<number>}
 */
async function choosePort() {
  const file = path.join(home, 'port');
  const last = Number(await readFile(file, 'utf8').catch(() => '0'));
  const port = (await freePort(last)) ?? (await freePort(0));
  if (port === undefined) throw new PlainError('No free port on 127.0.0.1.');
  await writeFile(file, String(port));
  return port;
}

/**
 * @param {number} wanted
 * @returns {Promise<number | undefined>}
 */
function freePort(wanted) {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', () => resolve(undefined));
    server.listen(wanted, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : undefined));
    });
  });
}

/** The editor runs commands with the user's rights, so a browser must show that it was sent by this program. */
async function connectionToken() {
  const file = path.join(home, 'token');
  if (!existsSync(file)) await writeFile(file, randomBytes(20).toString('hex'), { mode: 0o600 });
  return { file, token: await readFile(file, 'utf8') };
}

/** @param {string} url */
async function openBrowser(url) {
  if (!hasDisplay()) return;
  const [command, ...args] =
    process.platform === 'darwin' ? ['open'] : process.platform === 'win32' ? ['cmd', '/c', 'start', ''] : ['xdg-open'];
  const { code } = await run(command ?? 'xdg-open', [
    ...args,
    process.platform === 'win32' ? url.replaceAll('&', '^&') : url,
  ]);
  if (code !== 0) say('[offshoot] No browser could be opened; open the address yourself.');
}

/**
 * @param {string} desktop
 * @param {string} folder
 */
async function openDesktop(desktop, folder) {
  say(`[offshoot] Opening ${desktop} on ${folder}. Click the Offshoot icon in the activity bar.`);
  say('[offshoot] Close the window or press Ctrl-C here to end.');
  const child = startProcess(desktop, ['--new-window', '--wait', `--extensionDevelopmentPath=${root}`, folder]);
  const code = await new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('close', resolve);
  });
  if (code !== 0) throw new PlainError(`${desktop} ended with code ${code}.`);
}

/** @param {string} folder */
async function openServer(folder) {
  await ensureEditor();
  const { pack } = await import('./package.mjs');
  const vsix = await step('Packing Offshoot', () => pack());
  await mkdir(home, { recursive: true });
  await step('Installing Offshoot into the editor', () => installVsix(vsix, folders));
  if (!existsSync(path.join(folders.userDataDir, 'User', 'settings.json'))) {
    await writeSettings(folders.userDataDir, firstSettings);
  }
  const { file, token } = await connectionToken();
  const port = await choosePort();
  const server = await step('Starting the editor', () => startEditorServer({ ...folders, port, tokenFile: file }));
  const url = new URL(server.url(folder));
  url.searchParams.set('tkn', token);
  say(`\n[offshoot] VS Code with Offshoot is ready on ${folder}. Open this address in a browser:\n\n  ${url.href}\n`);
  say('[offshoot] This editor is for trying Offshoot: it trusts the folders that you open it on.');
  say('[offshoot] Click the Offshoot icon in the activity bar at the left. Ctrl-C here ends the editor.');
  await openBrowser(url.href);
  await server.ended;
  throw new PlainError(`The editor's server has ended:\n${server.output().slice(-2_000)}`);
}

await runMain(import.meta.url, async () => {
  stopChildrenOnExit();
  const folder = folderToOpen(process.argv.slice(2));
  await ensurePackages();
  const { build, describeSizes } = await import('./build.mjs');
  say(`[offshoot] Built: ${describeSizes(await step('Building Offshoot', () => build()))}`);
  const desktop = await findDesktop();
  await (desktop === undefined ? openServer(folder) : openDesktop(desktop, folder));
});
