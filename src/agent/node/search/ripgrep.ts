import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

const executable = process.platform === 'win32' ? 'rg.exe' : 'rg';

/** Where the editor keeps its ripgrep; it moved in 1.122. */
export function ripgrepCandidates(appRoot: string): readonly string[] {
  const universal = ['@vscode', 'ripgrep-universal', 'bin', `${process.platform}-${process.arch}`, executable];
  const single = ['@vscode', 'ripgrep', 'bin', executable];
  return [universal, single].flatMap((parts) => [
    join(appRoot, 'node_modules', ...parts),
    join(appRoot, 'node_modules.asar.unpacked', ...parts),
  ]);
}

/** The first candidate that can be run, else `rg` on PATH. */
export async function findRipgrep(candidates: readonly string[]): Promise<string | undefined> {
  const onPath = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, executable));
  for (const file of [...candidates, ...onPath]) {
    if (await canRun(file)) return file;
  }
  return undefined;
}

async function canRun(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export type RipgrepEnd = {
  readonly exitCode: number | undefined;
  readonly errors: string;
  /** `onText` wanted no more. */
  readonly isStopped: boolean;
};

export type RipgrepRun = {
  readonly file: string;
  readonly args: readonly string[];
  readonly directory: string;
  /** @returns false to stop the search */
  readonly onText: (text: string) => boolean;
};

const maxErrorChars = 4000;

/** Runs ripgrep without a shell; rejects with the signal's reason when it aborts. */
export function runRipgrep(run: RipgrepRun, signal: AbortSignal): Promise<RipgrepEnd> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const child = spawn(run.file, ['--no-config', ...run.args], {
      cwd: run.directory,
      env: searchEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    let errors = '';
    let isStopped = false;
    const kill = () => child.kill('SIGKILL');
    signal.addEventListener('abort', kill, { once: true });
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (isStopped || run.onText(text)) return;
      isStopped = true;
      kill();
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (errors.length < maxErrorChars) errors += text;
    });
    const finish = (settle: () => void) => {
      signal.removeEventListener('abort', kill);
      settle();
    };
    child.once('error', (error) => finish(() => reject(error)));
    child.once('close', (code) =>
      finish(() => {
        if (signal.aborted) reject(signal.reason);
        else resolve({ exitCode: code ?? undefined, errors: errors.slice(0, maxErrorChars), isStopped });
      }),
    );
  });
}

/** Git's own ignore file is found through HOME; ripgrep's configuration could start programs and is left out. */
function searchEnvironment(): Record<string, string> {
  const names = ['PATH', 'HOME', 'XDG_CONFIG_HOME', 'USERPROFILE', 'SystemRoot', 'LANG'];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}
