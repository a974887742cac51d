/** Child processes that never outlive their parent's wish. */
import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';

const isWindows = process.platform === 'win32';

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();

/**
 * @typedef {object} RunOptions
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env]
 * @property {boolean} [isShown] Show the output as it comes. Otherwise it is only collected.
 * @property {(line: string) => void} [onLine]
 */

/**
 * Runs a command to its end.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<{ code: number, output: string }>} `code` is 127 when the command does not exist, 128 after a signal.
 */
export function run(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: options.env ?? process.env,
      stdio: options.isShown ? 'inherit' : ['ignore', 'pipe', 'pipe'],
      shell: isWindows && /\.(cmd|bat)$|^[a-z-]+$/.test(command),
    });
    running.add(child);
    let output = '';
    /** @param {Buffer} data */
    const collect = (data) => {
      output += data.toString();
      const line = data.toString().trim().split('\n').at(-1);
      if (line) options.onLine?.(line);
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    child.on('error', (error) => {
      running.delete(child);
      resolve({ code: 127, output: `${output}${error.message}` });
    });
    child.on('close', (code) => {
      running.delete(child);
      resolve({ code: code ?? 128, output });
    });
  });
}

/**
 * Starts a process in a group of its own, so that `stopProcess` reaches its descendants too.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 */
export function startProcess(command, args, options = {}) {
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: options.env ?? process.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: !isWindows,
  });
  running.add(child);
  child.on('close', () => running.delete(child));
  return child;
}

/**
 * Ends a process started by `startProcess` and everything below it: politely, then by force.
 *
 * @param {import('node:child_process').ChildProcess} child
 */
export async function stopProcess(child) {
  if (child.exitCode !== null || child.signalCode !== null) return killGroup(child, 'SIGKILL');
  const ended = new Promise((resolve) => child.once('close', resolve));
  killGroup(child, 'SIGTERM');
  const isEnded = await Promise.race([
    ended.then(() => true),
    new Promise((resolve) => setTimeout(resolve, 3_000, false)),
  ]);
  killGroup(child, 'SIGKILL');
  if (!isEnded) await ended;
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function killGroup(child, signal) {
  if (child.pid === undefined) return;
  if (isWindows) {
    spawnSync('taskkill', ['/pid', String(child.pid), '/T', '/F']);
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The whole group is gone already, or the process has no group of its own.
    child.kill(signal);
  }
}

/** Ends everything that is still running when this process ends, however it ends. */
export function stopChildrenOnExit() {
  process.on('exit', () => {
    for (const child of running) killGroup(child, 'SIGKILL');
  });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.once(signal, () => process.exit(signal === 'SIGINT' ? 130 : 143));
  }
}

/**
 * The environment with a folder first on the search path.
 *
 * @param {string} folder
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {NodeJS.ProcessEnv}
 */
export function withPath(folder, env = process.env) {
  // Windows spells it Path; a second spelling would win or lose by chance.
  const name = Object.keys(env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH';
  return { ...env, [name]: `${folder}${path.delimiter}${env[name] ?? ''}` };
}
