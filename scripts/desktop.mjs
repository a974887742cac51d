/** Finds a desktop VS Code that can be used instead of the npm-delivered one. */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { run } from './processes.mjs';
import { cacheFolder, root } from './setup.mjs';

export function hasDisplay() {
  if (process.env.CI) return false;
  if (process.platform !== 'linux') return true;
  return Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

/** @param {string} folder as @vscode/test-electron unpacks it */
function executableIn(folder) {
  switch (process.platform) {
    case 'darwin':
      return path.join(folder, 'Visual Studio Code.app', 'Contents', 'MacOS', 'Electron');
    case 'win32':
      return path.join(folder, 'Code.exe');
    default:
      return path.join(folder, 'code');
  }
}

/**
 * The editor named by OFFSHOOT_VSCODE, else one that @vscode/test-electron downloaded, where there is a display.
 *
 * @returns {Promise<string | undefined>}
 */
export async function findTestDesktop() {
  if (process.env.OFFSHOOT_VSCODE) return process.env.OFFSHOOT_VSCODE;
  if (!hasDisplay()) return undefined;
  const names = await readdir(cacheFolder).catch(() => []);
  return names
    .filter((name) => name.startsWith('vscode-'))
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
    .map((name) => executableIn(path.join(cacheFolder, name)))
    .find((file) => existsSync(file));
}

/** Whether `code --version` says at least what package.json asks for. */
async function isNewEnough() {
  const { code, output } = await run('code', ['--version']);
  const found = /^(\d+)\.(\d+)\./m.exec(output);
  const { engines } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  const wanted = /(\d+)\.(\d+)\./.exec(engines.vscode);
  if (code !== 0 || found === null || wanted === null) return false;
  const [major, minor] = [Number(found[1]), Number(found[2])];
  return major > Number(wanted[1]) || (major === Number(wanted[1]) && minor >= Number(wanted[2]));
}

/**
 * A desktop VS Code to work in: `code` on the search path, else a downloaded one. Not as root, which it refuses, and not
 * from inside a remote window, where `code` is another program.
 *
 * @returns {Promise<string | undefined>}
 */
export async function findDesktop() {
  if (!hasDisplay() || process.getuid?.() === 0) return undefined;
  if (!process.env.VSCODE_IPC_HOOK_CLI && (await isNewEnough())) return 'code';
  return findTestDesktop();
}
