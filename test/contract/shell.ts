import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Shell, ShellRequest, ShellResult } from '../../src/agent/host.ts';
import { createDoor } from '../support/door.ts';
import { type ContractParts, inFolder, signal, writeFiles } from './suite.ts';

type Run = (command: string, changes?: Partial<ShellRequest>, signal?: AbortSignal) => Promise<ShellResult>;

function runnerIn(folder: string, shell: Shell): Run {
  return (command, changes = {}, stop = signal()) =>
    shell.run(
      {
        command,
        directory: folder,
        timeoutMs: 15_000,
        maxOutputChars: 1000,
        outputFile: join(folder, 'output.txt'),
        onOutput: () => undefined,
        ...changes,
      },
      stop,
    );
}

/** What every implementation of `Shell` does, on systems with a POSIX shell. */
export function shellContract(name: string, { makeHost, describe, it }: ContractParts): void {
  const test = (title: string, body: (run: Run, folder: string) => Promise<void>) =>
    it(title, () => inFolder(async (folder) => body(runnerIn(folder, (await makeHost()).shell), folder)));

  describe(`Shell: ${name}`, () => {
    test('gives output in the order it was written, and the exit code', async (run, folder) => {
      const result = await run('echo one; echo two >&2; echo three; pwd; exit 3');
      assert.equal(result.output, `one\ntwo\nthree\n${folder}\n`);
      assert.deepEqual([result.exitCode, result.ending, result.isTruncated], [3, 'exited', false]);
      assert.equal(result.outputChars, result.output.length);
    });

    test('reports output while the command runs', async (run, folder) => {
      const seen: string[] = [];
      const heard = createDoor();
      const running = run('echo early; while ! test -e heard; do sleep 0.05; done; echo late', {
        onOutput: (text) => {
          seen.push(text);
          heard.open();
        },
      });
      await heard.wait;
      assert.equal(seen.join(''), 'early\n');
      await writeFiles(folder, { heard: '' });
      await running;
      assert.equal(seen.join(''), 'early\nlate\n');
    });

    test('gives no input', async (run) => {
      assert.equal((await run('cat; echo end')).output, 'end\n');
    });

    test('S14 starts each command afresh', async (run) => {
      await run('export LEFT_OVER=1; cd /');
      assert.equal((await run('echo "[$LEFT_OVER]"')).output, '[]\n');
    });

    test('S14 reads no file of the home folder, with and without input', async (run, folder) => {
      await writeFiles(folder, { '.bashrc': 'echo poisoned', '.profile': 'echo poisoned', env: 'echo poisoned' });
      const environment = { HOME: folder };
      Object.assign(process.env, { BASH_ENV: join(folder, 'env'), ENV: join(folder, 'env') });
      try {
        assert.equal((await run('echo end', { environment })).output, 'end\n');
        assert.equal((await run('cat', { environment, input: 'end\n' })).output, 'end\n');
        assert.equal((await run('cat', { environment, input: 'end\n', isErrorApart: true })).output, 'end\n');
      } finally {
        delete process.env.BASH_ENV;
        delete process.env.ENV;
      }
    });

    test('S42 passes on no keys', async (run) => {
      const secrets = {
        ANTHROPIC_API_KEY: 'sk-one',
        SOME_TOKEN: 'sk-two',
        DB_PASSWORD: 'sk-three',
        MY_SECRET: 'sk-four',
      };
      Object.assign(process.env, secrets);
      try {
        const { output } = await run('env', { maxOutputChars: 100_000 });
        assert.ok(output.includes('PATH='));
        assert.doesNotMatch(output, /sk-(one|two|three|four)/);
      } finally {
        for (const key of Object.keys(secrets)) delete process.env[key];
      }
    });

    test('keeps head and tail of a long output, and the whole in a file', async (run, folder) => {
      const result = await run('seq 1 200000', { maxOutputChars: 1000 });
      const whole = await readFile(join(folder, 'output.txt'), 'utf8');
      assert.equal(result.isTruncated, true);
      assert.equal(result.outputChars, whole.length);
      assert.ok(whole.startsWith('1\n2\n') && whole.endsWith('\n199999\n200000\n'));
      assert.ok(result.output.startsWith('1\n2\n') && result.output.endsWith('\n200000\n'));
      assert.ok(result.output.length < 1100, `${result.output.length}`);
    });

    test('writes no file for an output that fits', async (run, folder) => {
      await run('seq 1 10');
      await assert.rejects(stat(join(folder, 'output.txt')));
    });

    test('ends a command at its time-out and keeps what it said', async (run) => {
      const result = await run('echo before; sleep 30; echo after', { timeoutMs: 300 });
      assert.deepEqual([result.ending, result.exitCode, result.output], ['timed_out', undefined, 'before\n']);
      assert.ok(result.durationMs < 3000, `${result.durationMs}`);
    });

    test('ends children and grandchildren when it is stopped', async (run, folder) => {
      const stop = new AbortController();
      const running = run('sh -c "sleep 98 & echo \\$! > child; sleep 97" & sleep 96', {}, stop.signal);
      const child = await waitForNumber(join(folder, 'child'));
      stop.abort();
      assert.equal((await running).ending, 'cancelled');
      assert.equal(await isGoneSoon(child), true);
    });

    test('ends what ignores the polite signal', async (run, folder) => {
      const result = await run("trap '' TERM; echo $$ > child; while :; do sleep 0.1; done", { timeoutMs: 400 });
      assert.equal(result.ending, 'timed_out');
      assert.equal(await isGoneSoon(await waitForNumber(join(folder, 'child'))), true);
    });

    test('returns with the shell, and ends what it left in the background', async (run, folder) => {
      const result = await run('sleep 95 & echo $! > child; echo done');
      assert.deepEqual([result.exitCode, result.output], [0, 'done\n']);
      assert.ok(result.durationMs < 3000, `${result.durationMs}`);
      assert.equal(await isGoneSoon(await waitForNumber(join(folder, 'child'))), true);
    });

    test('ends a background process that cleared its environment', async (run, folder) => {
      await run('env -i /bin/sh -c "echo \\$\\$ > child; exec /bin/sleep 93" & sleep 0.3');
      assert.equal(await isGoneSoon(await waitForNumber(join(folder, 'child'))), true);
    });

    if (process.platform === 'linux') {
      test('ends processes that left the group and the session', async (run, folder) => {
        const result = await run(
          'setsid sh -c "echo \\$\\$ > child; exec sleep 94" >/dev/null 2>&1 & sleep 0.3; echo done',
        );
        assert.equal(result.output, 'done\n');
        assert.equal(await isGoneSoon(await waitForNumber(join(folder, 'child'))), true);
      });
    }

    test('says how a command ended that a signal ended', async (run) => {
      const result = await run('kill -9 $$');
      assert.deepEqual([result.ending, result.exitCode], ['killed', undefined]);
    });

    test('runs nothing once it is stopped', async (run, folder) => {
      const result = await run('touch made', {}, AbortSignal.abort());
      assert.equal(result.ending, 'cancelled');
      await assert.rejects(stat(join(folder, 'made')));
    });

    test('takes the command as it is written', async (run, folder) => {
      await writeFiles(folder, { 'a b.txt': 'x' });
      assert.equal((await run(`for f in *.txt; do echo "<$f>"; done\necho 'it'"'"'s'`)).output, "<a b.txt>\nit's\n");
    });
  });
}

async function waitForNumber(file: string): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const text = await readFile(file, 'utf8').catch(() => '');
    if (/^\d+\n$/.test(text)) return Number(text);
    await sleep(20);
  }
  throw new Error(`${file} was never written`);
}

/** Whether the process is gone within two seconds; one that nobody has waited for counts as gone. */
async function isGoneSoon(id: number): Promise<boolean> {
  for (let attempt = 0; attempt < 100; attempt++) {
    if (!(await isRunning(id))) return true;
    await sleep(20);
  }
  return false;
}

async function isRunning(id: number): Promise<boolean> {
  try {
    process.kill(id, 0);
  } catch {
    return false;
  }
  const state = await readFile(`/proc/${id}/stat`, 'latin1').catch(() => undefined);
  return state === undefined ? process.platform !== 'linux' : !/\) [ZX] /.test(state);
}
