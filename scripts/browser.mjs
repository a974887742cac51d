/** Finds a Chromium or Chrome for the tests; installs Debian's where that needs no question. */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { run } from './processes.mjs';
import { PlainError, step } from './progress.mjs';

const commandNames = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
  'microsoft-edge',
];

/** @returns {string[]} */
function wellKnownPlaces() {
  const onPath = (process.env.PATH ?? '')
    .split(path.delimiter)
    .flatMap((folder) => commandNames.map((name) => path.join(folder, name)));
  switch (process.platform) {
    case 'darwin':
      return [
        '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
        '/Applications/Chromium.app/Contents/MacOS/Chromium',
        '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
        ...onPath,
      ];
    case 'win32':
      return ['ProgramFiles', 'ProgramFiles(x86)', 'LocalAppData'].flatMap((name) => {
        const base = process.env[name];
        if (base === undefined) return [];
        return ['Google\\Chrome\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe'].map((rest) =>
          path.join(base, rest),
        );
      });
    default:
      return [...onPath, '/snap/bin/chromium', '/opt/google/chrome/chrome'];
  }
}

/** Browsers that Playwright downloaded for another project, newest first. */
async function playwrightBrowsers() {
  const home = os.homedir();
  const folder =
    process.env.PLAYWRIGHT_BROWSERS_PATH ??
    (process.platform === 'darwin'
      ? path.join(home, 'Library/Caches/ms-playwright')
      : process.platform === 'win32'
        ? path.join(home, 'AppData\\Local\\ms-playwright')
        : path.join(home, '.cache/ms-playwright'));
  const versions = await readdir(folder).catch(() => []);
  const executables = [
    'chrome-linux/chrome',
    'chrome-linux64/chrome',
    'chrome-mac/Chromium.app/Contents/MacOS/Chromium',
    'chrome-win/chrome.exe',
    'chrome-win64/chrome.exe',
  ];
  return versions
    .filter((name) => /^chromium-\d+$/.test(name))
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
    .flatMap((name) => executables.map((executable) => path.join(folder, name, executable)));
}

/**
 * Ubuntu has a `chromium-browser` that only tells people to install a snap, so a candidate must answer.
 *
 * @param {string} executable
 */
async function canStart(executable) {
  if (process.platform === 'win32') return true;
  const { code, output } = await run(executable, ['--version']);
  return code === 0 && /\d+\.\d+\.\d+/.test(output);
}

/** @returns {Promise<string | undefined>} */
export async function findBrowser() {
  const chosen = process.env.CHROME_PATH;
  if (chosen !== undefined && chosen !== '') {
    if (existsSync(chosen)) return chosen;
    throw new PlainError(`CHROME_PATH names ${chosen}, which does not exist. Correct it or unset it.`);
  }
  for (const candidate of [...wellKnownPlaces(), ...(await playwrightBrowsers())]) {
    if (existsSync(candidate) && (await canStart(candidate))) return candidate;
  }
  return undefined;
}

async function isDebianAsRoot() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  const release = await readFile('/etc/os-release', 'utf8').catch(() => '');
  return /^ID(_LIKE)?=.*debian/m.test(release);
}

/** Debian's Chromium, when this is root on a Debian-like system; elsewhere nothing. */
export async function installBrowser() {
  if (!(await isDebianAsRoot())) return;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await step('Installing Chromium for the tests (apt-get install chromium)', async (report) => {
    await run('apt-get', ['update'], { env, onLine: report });
    const { code, output } = await run('apt-get', ['install', '-y', 'chromium'], { env, onLine: report });
    if (code !== 0) throw new PlainError(`${missingBrowserMessage()}\napt-get said: ${output.trim().slice(-500)}`);
  });
}

export function missingBrowserMessage() {
  const how =
    process.platform === 'linux'
      ? 'Debian or Ubuntu: sudo apt-get install chromium. Others: your package manager, or Google Chrome.'
      : 'Install Google Chrome.';
  return `A Chromium or Chrome is missing; the tests drive the editor with it. ${how} If it is in an unusual place, set CHROME_PATH to its executable.`;
}
