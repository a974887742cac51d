import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { commandEnvironment } from '../shell/environment.ts';

const usualTimeoutMs = 10_000;
const maxOutputBytes = 32 * 1024 * 1024;

/**
 * Whatever git would start because a repository's configuration says so. Given as `-c`, which goes before every file and is
 * passed on to the processes that git itself starts.
 */
const neutral: readonly string[] = [
  // Empty and not `false`: older versions take any text for the path of a program.
  'core.fsmonitor=',
  'core.hooksPath=/dev/null',
  'core.pager=cat',
  'core.editor=true',
  'core.sshCommand=false',
  'core.gitProxy=',
  'core.askPass=',
  'core.alternateRefsCommand=',
  'credential.helper=',
  'diff.external=',
  'interactive.diffFilter=',
  'protocol.allow=never',
  'gc.auto=0',
  'maintenance.auto=false',
  'submodule.recurse=false',
  'status.submoduleSummary=false',
  'safe.bareRepository=explicit',
];

/** No configuration can undo these. A partial clone would fetch what it lacks, by a program of the repository's choice. */
const locked = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_SSH_COMMAND: 'false',
  GIT_ASKPASS: '',
  LC_ALL: 'C',
} as const;

export type GitRun = {
  /** Absolute. */
  readonly git: string;
  readonly directory: string;
  readonly args: readonly string[];
  /** More `-c` settings, `name=value`. */
  readonly settings?: readonly string[];
  /** The environment to choose from. */
  readonly environment: NodeJS.ProcessEnv;
  /** Set on top of it. */
  readonly variables?: Readonly<Record<string, string>>;
  /** What git reads from its input. */
  readonly input?: string;
  readonly timeoutMs?: number;
};

export type GitEnd = {
  readonly isOk: boolean;
  readonly output: string;
  /** What git said about it. */
  readonly words: string;
};

/** Starts git in one folder, without anything that the repository would have it start; returns as `runGit`. */
export type GitCall = (
  directory: string,
  args: readonly string[],
  signal: AbortSignal,
  settings?: readonly string[],
) => Promise<string | undefined>;

/** @returns the output; undefined when git failed, took too long or said too much */
export async function runGit(run: GitRun, signal: AbortSignal): Promise<string | undefined> {
  const { isOk, output } = await tryGit(run, signal);
  return isOk ? output : undefined;
}

/** Rejects only when the signal aborts. */
export function tryGit(run: GitRun, signal: AbortSignal): Promise<GitEnd> {
  const settings = [...neutral, ...(run.settings ?? [])].flatMap((setting) => ['-c', setting]);
  const options = {
    cwd: run.directory,
    env: { ...commandEnvironment(run.environment), ...locked, ...run.variables },
    encoding: 'utf8',
    maxBuffer: maxOutputBytes,
    timeout: run.timeoutMs ?? usualTimeoutMs,
    killSignal: 'SIGKILL',
    windowsHide: true,
    signal,
  } as const;
  return new Promise((resolve, reject) => {
    const child = execFile(run.git, ['--no-pager', ...settings, ...run.args], options, (error, stdout, stderr) => {
      if (signal.aborted) reject(signal.reason);
      else resolve({ isOk: !error, output: stdout, words: stderr.trim() || (error?.message ?? '') });
    });
    if (run.input === undefined) return;
    // git may have ended without reading it.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(run.input);
  });
}

/**
 * Settings that take the programs of the repository's filters away. Their names are the repository's choice, so they are
 * asked for first; asking starts nothing.
 * @returns undefined when one cannot be taken away
 */
export async function withoutFilters(
  call: GitCall,
  directory: string,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const pattern = '^filter\\..*\\.(clean|smudge|process|required)$';
  // One that is always there: without any match git would end as if it had failed.
  const settings = ['filter.offshoot.required=false'];
  const args = ['config', '-z', '--name-only', '--get-regexp', pattern];
  const listed = await call(directory, args, signal, settings);
  if (listed === undefined) return undefined;
  const names = [...new Set(listed.split('\0').filter((name) => name !== ''))];
  if (names.some((name) => name.includes('='))) return undefined;
  const drivers = new Set(names.map((name) => name.slice(0, name.lastIndexOf('.'))));
  return [...drivers].flatMap((driver) => [
    `${driver}.clean=`,
    `${driver}.smudge=`,
    `${driver}.process=`,
    `${driver}.required=false`,
  ]);
}

/** The git of the user's PATH, found without regard to the folder that it will run in. */
export async function findGit(environment: NodeJS.ProcessEnv): Promise<string | undefined> {
  const names = process.platform === 'win32' ? ['git.exe'] : ['git'];
  const folders = (environment.PATH ?? environment.Path ?? '').split(delimiter).filter(isAbsolute);
  for (const folder of folders) {
    for (const name of names) {
      const path = join(folder, name);
      if (await isProgram(path)) return path;
    }
  }
  return undefined;
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
