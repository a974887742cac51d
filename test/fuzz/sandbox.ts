import { execFile, execFileSync } from 'node:child_process';
import { lstatSync, readdirSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of its own with files, a repository, and a program that leaves a mark when it is run. */
export type Sandbox = {
  readonly workspace: string;
  /** Runs a script with the real commands. @returns what it left or changed; empty: nothing */
  readonly runReal: (script: string) => Promise<string>;
  /** Runs a script in which every command only notes how it was called. @returns the calls, each a list of words */
  readonly runNoting: (script: string) => Promise<readonly (readonly string[])[]>;
  readonly remove: () => Promise<void>;
};

const noted =
  `ls pwd cat head tail wc echo grep egrep fgrep find sort uniq cut tr git stat du df basename dirname which test [ printf date true false
  diff cmp comm md5sum sha1sum sha256sum sha512sum cksum file seq id uname realpath readlink tree nl tac rev od strings whoami arch nproc uptime rg mark`.split(
    /\s+/,
  );
const callEnd = 'end of call';
/** Builtins give way to the programs of that name. */
const noBuiltins = 'enable -n echo printf pwd test [ true false\n';

export async function createSandbox(): Promise<Sandbox> {
  const top = await realpath(await mkdtemp(join(tmpdir(), 'offshoot-fuzz-')));
  const workspace = join(top, 'workspace');
  const [home, stubs, marks, log] = ['home', 'stubs', 'marks', 'log'].map((name) => join(top, name));
  if (!home || !stubs || !marks || !log) throw new Error('unreachable');
  for (const folder of [workspace, join(workspace, 'src'), join(workspace, 'bin'), home, stubs, marks])
    await mkdir(folder, { recursive: true });
  await writeFile(join(workspace, 'a.txt'), 'one\ntwo\n');
  await writeFile(join(workspace, 'b.txt'), 'one\nthree\n');
  await writeFile(join(workspace, 'src', 'x.ts'), 'export const one = 1;\n');
  const mark = `#!/bin/sh\n: > '${join(marks, 'made')}'\n`;
  for (const file of ['mark', 'bin/mark', 'bin/ls']) await writeProgram(join(workspace, file), mark);
  await writeProgram(join(stubs, 'mark'), mark);
  await writeProgram(join(marks, 'mark'), mark);
  // One write for one call, since the commands of a pipe write at the same time.
  const note = `#!/bin/sh\nprintf '%s\\0' "\${0##*/}" "$@" '${callEnd}' >> '${log}'\n`;
  for (const name of noted.filter((name) => name !== 'mark')) await writeProgram(join(stubs, name), note);
  const base = {
    HOME: home,
    LANG: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
    PAGER: 'cat',
    GIT_PAGER: 'cat',
    GIT_OPTIONAL_LOCKS: '0',
  };
  const real = { ...base, PATH: `/usr/bin:/bin:${marks}` };
  const git = (...args: readonly string[]) =>
    execFileSync('git', [...args], { cwd: workspace, env: real, stdio: 'ignore' });
  git('init', '-q', '--template=');
  git('add', '.');
  git('-c', 'user.name=x', '-c', 'user.email=x@example.com', 'commit', '-qm', 'one');
  const run = (script: string, env: Readonly<Record<string, string>>) =>
    new Promise<void>((resolve) => {
      const child = execFile(
        '/bin/bash',
        ['-c', script],
        { cwd: workspace, env, timeout: 5000, killSignal: 'SIGKILL' },
        () => resolve(),
      );
      child.stdin?.end();
    });
  const before = snapshot(workspace);

  return {
    workspace,
    async runReal(script) {
      await run(script, real);
      const made = (await readdir(marks)).includes('made') ? ['made a mark'] : [];
      await rm(join(marks, 'made'), { force: true });
      const after = snapshot(workspace);
      const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
        (path) => before.get(path) !== after.get(path),
      );
      const atHome = await readdir(home);
      return [...made, ...changed.map((path) => `changed ${path}`), ...atHome.map((name) => `made ~/${name}`)].join(
        ', ',
      );
    },
    async runNoting(script) {
      await rm(log, { force: true });
      await run(noBuiltins + script, { ...base, PATH: stubs });
      const text = await readFile(log, 'utf8').catch(() => '');
      const calls = text.split(`\0${callEnd}\0`).filter((call) => call !== '');
      return calls.map((call) => call.split('\0'));
    },
    remove: () => rm(top, { recursive: true, force: true }),
  };
}

async function writeProgram(path: string, text: string): Promise<void> {
  await writeFile(path, text);
  await chmod(path, 0o755);
}

/** Each path with its content; of the repository only what a command could want to change. */
function snapshot(folder: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (/\.git\/(objects|logs)|\.git\/index$/.test(path)) continue;
    const { mode, size, mtimeMs } = lstatSync(path);
    found.set(path.slice(folder.length + 1), entry.isFile() ? `${mode} ${size} ${mtimeMs}` : `${mode}`);
  }
  return found;
}
