import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { judgeCommand } from '../../../src/agent/gate/judging/judgeCommand.ts';
import type { Judgement } from '../../../src/agent/gate/judging/judgement.ts';
import { createPathResolver } from '../../../src/agent/gate/places/paths.ts';
import { createPolicy, type WrittenRule } from '../../../src/agent/gate/rules/policy.ts';
import { ruleLists } from '../../../src/agent/gate/rules/rules.ts';
import { writeFiles } from '../../support/writeFiles.ts';
import { rows } from './commands.ts';
import { allowed, leaving, readSpellings, spellings } from './spellings.ts';

let top: string;
let workspace: string;

beforeAll(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), 'offshoot-rules-')));
  workspace = join(top, 'workspace');
  await mkdir(join(top, 'outside'));
  const file = 'one\n';
  await writeFiles(workspace, { 'a.txt': file, 'b.txt': file, '.env': file, 'secrets/key': file, 'src/x.ts': file });
  await symlink('.env', join(workspace, 'notes'));
  await symlink('secrets', join(workspace, 'vault'));
  await symlink(join(top, 'outside'), join(workspace, 'out'));
  await symlink('.git', join(workspace, 'gitdir'));
  await symlink('.', join(workspace, 'self'));
  await symlink('../src', join(workspace, 'secrets/near'));
  await symlink('/proc/self/cwd', join(workspace, 'here'));
  execFileSync('git', ['init', '-q'], { cwd: workspace });
});

afterAll(() => rm(top, { recursive: true, force: true }));

async function judge(rules: readonly string[], command: string): Promise<string> {
  const written = rules.map((text): WrittenRule => {
    const list = ruleLists.find((name) => text.startsWith(`${name} `)) ?? 'allow';
    return { list, source: 'settings', text: text.slice(list.length + 1) };
  });
  const policy = await createPolicy(written, { workspace: [workspace], home: homedir() });
  expect(policy.problems).toEqual([]);
  const paths = createPathResolver({ roots: [workspace], readOnlyRoots: [] });
  const protection = { roots: [workspace], stateDirectory: join(top, 'state') };
  return nameOf(await judgeCommand(command, { policy, paths, protection, directory: workspace }));
}

function nameOf(judgement: Judgement): string {
  switch (judgement.kind) {
    case 'deny':
      return 'denies';
    case 'ask':
      return judgement.because === 'rule' ? 'asks' : 'protects';
    case 'allow':
      return judgement.by === 'readOnly' ? 'reads' : 'allows';
    case 'open':
      return judgement.isUnclear ? 'open?' : 'open';
  }
}

it('a command that a program of the workspace stands in for is asked about', async () => {
  await writeFiles(workspace, { 'bin/ls': '' });
  vi.stubEnv('PATH', `${join(workspace, 'bin')}:${process.env.PATH}`);
  try {
    expect([await judge([], 'ls'), await judge([], 'pwd')]).toEqual(['open', 'reads']);
    vi.stubEnv('PATH', `bin:${process.env.PATH}`);
    expect(await judge([], 'ls')).toBe('open');
  } finally {
    vi.unstubAllEnvs();
    await rm(join(workspace, 'bin'), { recursive: true });
  }
});

describe('other forms of attacks are asked about', () => {
  const isAsked = /^(open\??|asks|protects)$/;

  it.each(readSpellings(leaving, 'STATE'))('$id $command', async ({ command }) => {
    expect(await judge([], command)).toMatch(isAsked);
  });

  it.each(readSpellings(spellings, 'STATE'))('$id $command, whatever else is allowed', async ({ command }) => {
    const verdict = await judge(allowed, command.replaceAll('STATE', join(top, 'state')));
    expect(verdict).toMatch(isAsked);
  });

  it.each(['secrets/near/x.ts', 'here/a.txt', '/proc/self/cwd/a.txt', 'secrets/near/../a.txt'])(
    'and what a rule denies is denied through links: %s',
    async (path) => {
      expect(await judge(['deny Read(src/x.ts)', 'deny Read(a.txt)'], `cat ${path}`)).toBe('denies');
    },
  );

  it.each([
    ['the folder that Offshoot keeps its files in', () => join(top, 'state')],
    ['one above it', () => top],
    ['the home folder', homedir],
  ])('%s is not removed or moved unasked', async (_, place) => {
    expect(await judge(['allow Bash(rm *)', 'allow Bash(mv *)'], `rm -rf ${place()}`)).toBe('protects');
    expect(await judge(['allow Bash(rm *)', 'allow Bash(mv *)'], `mv ${place()} x`)).toBe('protects');
  });
});

describe('commands', () => {
  it('are many', () => expect(rows.length).toBeGreaterThan(400));

  it.each(rows)('$rules $verdict $command', async ({ rules, verdict, command }) => {
    expect(await judge(rules, command)).toBe(verdict);
  });
});
