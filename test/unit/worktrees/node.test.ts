import { chmod, mkdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { WorktreePlace } from '../../../src/agent/host.ts';
import { createNodeWorktrees } from '../../../src/agent/node/worktrees.ts';
import { commitAll, git, temporaryFolder } from '../../support/gitFolder.ts';
import { writeFiles } from '../../support/writeFiles.ts';

const worktrees = createNodeWorktrees();
const signal = new AbortController().signal;

type Bench = { readonly main: string; readonly place: WorktreePlace; readonly top: string };

async function setUp(files: Readonly<Record<string, string>> = { 'a.txt': 'one\ntwo\nthree\n' }): Promise<Bench> {
  const top = await temporaryFolder();
  const main = join(top, 'main');
  await mkdir(main);
  await writeFiles(main, files);
  commitAll(main);
  git(main, 'config', 'user.name', 'Test');
  git(main, 'config', 'user.email', 'test@example.org');
  return { main, top, place: placeIn(top, main, 'scout') };
}

function placeIn(top: string, main: string, name: string): WorktreePlace {
  const base = git(main, 'rev-parse', 'HEAD').trim();
  return { main, path: join(top, 'state', name), branch: `offshoot/${name}`, base };
}

const listed = (main: string) =>
  git(main, 'worktree', 'list', '--porcelain')
    .split('\n')
    .filter((line) => line.startsWith('worktree '))
    .map((line) => line.slice(9));
const branches = (main: string) => git(main, 'branch', '--format=%(refname:short)').trim().split('\n');
const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

describe('a worktree', () => {
  it('begins with the commit of the checkout, on a branch of its own, and goes without a trace', async () => {
    const { main, place } = await setUp();
    expect(await worktrees.base(main, signal)).toEqual({ top: main, commit: place.base, branch: 'main' });
    await writeFile(join(main, 'a.txt'), 'not committed');
    await worktrees.create(place, false, signal);
    expect(await readFile(join(place.path, 'a.txt'), 'utf8')).toBe('one\ntwo\nthree\n');
    expect(git(place.path, 'status', '--porcelain')).toBe('');
    expect(git(place.path, 'branch', '--show-current').trim()).toBe('offshoot/scout');
    expect(await worktrees.state(place, signal)).toMatchObject({ files: [], commits: 0, isDirty: false });
    await worktrees.removeUnchanged(place, signal);
    expect([listed(main), branches(main), await isThere(place.path)]).toEqual([[main], ['main'], false]);
    expect(await readFile(join(main, 'a.txt'), 'utf8')).toBe('not committed');
  });

  it('is not to be had outside of a repository, or before the first commit', async () => {
    const folder = await temporaryFolder();
    expect(await worktrees.base(folder, signal)).toBeUndefined();
    git(folder, 'init', '-q');
    expect(await worktrees.base(folder, signal)).toBeUndefined();
  });

  it.each<readonly [string, (path: string) => unknown, object]>([
    ['a changed file', (path) => writeFile(join(path, 'a.txt'), 'x'), { files: ['a.txt'], commits: 0, isDirty: true }],
    ['a new file', (path) => writeFile(join(path, 'b.txt'), 'x'), { files: ['b.txt'], commits: 0, isDirty: true }],
    ['a removed file', (path) => rm(join(path, 'a.txt')), { files: ['a.txt'], commits: 0, isDirty: true }],
    [
      'a commit',
      async (path) => {
        await writeFile(join(path, 'a.txt'), 'x');
        git(path, 'commit', '-qam', 'work');
      },
      { files: ['a.txt'], commits: 1, isDirty: false },
    ],
    [
      'a commit that was taken back by another',
      async (path) => {
        await writeFile(join(path, 'a.txt'), 'x');
        git(path, 'commit', '-qam', 'work');
        git(path, 'revert', '--no-edit', 'HEAD');
      },
      { files: [], commits: 2, isDirty: false },
    ],
    [
      'a commit beside its branch',
      async (path) => {
        git(path, 'switch', '-qc', 'other');
        await writeFile(join(path, 'a.txt'), 'x');
        git(path, 'commit', '-qam', 'work');
      },
      { files: ['a.txt'], commits: 1, isDirty: false },
    ],
  ])('with %s is never removed unasked', async (_, change, state) => {
    const { main, place } = await setUp();
    await worktrees.create(place, false, signal);
    await change(place.path);
    expect(await worktrees.state(place, signal)).toMatchObject(state);
    await expect(worktrees.removeUnchanged(place, signal)).rejects.toThrow('is kept');
    expect([listed(main), await isThere(place.path)]).toEqual([[main, place.path], true]);
    await worktrees.discard(place, signal);
    expect([listed(main), await isThere(place.path)]).toEqual([[main], false]);
    expect(branches(main)).not.toContain('offshoot/scout');
  });

  it('has what is not committed, where that is asked for, and is still unchanged then', async () => {
    const { main, place } = await setUp({ 'a.txt': 'a', 'gone.txt': 'g', '.gitignore': '*.log\n' });
    await writeFiles(main, { 'a.txt': 'changed', 'new/b.txt': 'new', 'c.log': 'ignored' });
    await rm(join(main, 'gone.txt'));
    const status = git(main, 'status', '--porcelain');
    const { start } = await worktrees.create(place, true, signal);
    const carried = start === undefined ? expect.fail('nothing carried') : { ...place, start };
    expect(git(place.path, 'status', '--porcelain')).toBe(status);
    expect(await readFile(join(place.path, 'new/b.txt'), 'utf8')).toBe('new');
    expect(await isThere(join(place.path, 'c.log'))).toBe(false);
    expect((await worktrees.state(carried, signal)).files).toEqual([]);
    await worktrees.removeUnchanged(carried, signal);
    expect([listed(main), git(main, 'status', '--porcelain')]).toEqual([[main], status]);
  });

  it('has copies of the ignored files that .worktreeinclude names', async () => {
    const { main, place } = await setUp({
      '.gitignore': '.env\nbuild/\nlinked\n',
      '.worktreeinclude': '.env\nbuild/keep*\nx\nlinked',
    });
    await writeFiles(main, { '.env': 'KEY=1', 'build/keep.txt': 'k', 'build/other.txt': 'o', x: 'not ignored' });
    await symlink('/etc/hostname', join(main, 'linked'));
    const { added } = await worktrees.create(place, false, signal);
    expect([...added].sort()).toEqual(['.env', 'build/keep.txt']);
    expect(await readFile(join(place.path, '.env'), 'utf8')).toBe('KEY=1');
    expect(await isThere(join(place.path, 'build/other.txt'))).toBe(false);
    await worktrees.removeUnchanged(place, signal);
  });

  it('that cannot be made leaves nothing behind', async () => {
    const { main, place, top } = await setUp();
    git(main, 'branch', 'offshoot/scout');
    await expect(worktrees.create(place, false, signal)).rejects.toThrow(/already exists/);
    const other = placeIn(top, main, 'other');
    await expect(worktrees.create({ ...other, base: 'f'.repeat(40) }, false, signal)).rejects.toThrow('git worktree');
    expect([listed(main), branches(main)]).toEqual([[main], ['main', 'offshoot/scout']]);
  });

  it('whose .git is gone is an error, and the main checkout stays as it is', async () => {
    // It lies inside of the checkout, so that git would find that one instead.
    const { main } = await setUp();
    await writeFile(join(main, '.git', 'info', 'exclude'), 'state/\n');
    const place = placeIn(main, main, 'scout');
    await worktrees.create(place, false, signal);
    await writeFile(join(place.path, 'a.txt'), 'work');
    await rename(join(place.path, '.git'), join(place.path, 'git-was-here'));
    const before = [git(main, 'status', '--porcelain'), git(main, 'rev-parse', 'HEAD')];
    for (const attempt of [
      () => worktrees.check(place),
      () => worktrees.state(place, signal),
      () => worktrees.removeUnchanged(place, signal),
      () => worktrees.apply(place, signal),
      () => worktrees.merge(place, 'm', signal),
    ]) {
      await expect(attempt()).rejects.toThrow('is damaged');
    }
    expect([git(main, 'status', '--porcelain'), git(main, 'rev-parse', 'HEAD')]).toEqual(before);
    expect(await readFile(join(place.path, 'a.txt'), 'utf8')).toBe('work');
    await worktrees.discard(place, signal);
    expect([listed(main), await isThere(place.path)]).toEqual([[main], false]);
  });

  it('whose .git leads to another repository is not touched', async () => {
    const { main, place, top } = await setUp();
    await worktrees.create(place, false, signal);
    const other = placeIn(top, main, 'other');
    await worktrees.create(other, false, signal);
    await writeFile(join(place.path, '.git'), await readFile(join(other.path, '.git')));
    await expect(worktrees.state(place, signal)).rejects.toThrow('names another worktree');
  });

  it('is made ten times at once', async () => {
    const { main, top } = await setUp();
    const places = Array.from({ length: 10 }, (_, index) => placeIn(top, main, `agent-${index}`));
    await Promise.all(places.map((place) => worktrees.create(place, false, signal)));
    await Promise.all(places.map(({ path }, index) => writeFile(join(path, 'a.txt'), `${index}`)));
    const states = await Promise.all(places.map((place) => worktrees.state(place, signal)));
    expect(states.map(({ files }) => files)).toEqual(Array.from({ length: 10 }, () => ['a.txt']));
    expect(await readFile(join(main, 'a.txt'), 'utf8')).toBe('one\ntwo\nthree\n');
  });
});

describe('taking a worktree over', () => {
  it('applies what it changed, new and removed files too, beside what the user has', async () => {
    const { main, place } = await setUp({ 'a.txt': 'one\ntwo\nthree\n', 'b.txt': 'b', 'c.txt': 'c' });
    await worktrees.create(place, false, signal);
    await writeFiles(place.path, { 'a.txt': 'one\ntwo\nTHREE\n', 'new.txt': 'new' });
    await rm(join(place.path, 'b.txt'));
    git(place.path, 'add', '-A');
    git(place.path, 'commit', '-qm', 'work');
    await writeFile(join(place.path, 'new.txt'), 'newer');
    await writeFile(join(main, 'c.txt'), 'mine');
    expect(await worktrees.apply(place, signal)).toEqual({ outcome: 'done', files: ['a.txt', 'b.txt', 'new.txt'] });
    expect(await readFile(join(main, 'a.txt'), 'utf8')).toBe('one\ntwo\nTHREE\n');
    expect([await readFile(join(main, 'new.txt'), 'utf8'), await isThere(join(main, 'b.txt'))]).toEqual([
      'newer',
      false,
    ]);
    expect(await readFile(join(main, 'c.txt'), 'utf8')).toBe('mine');
    expect(git(main, 'rev-parse', 'HEAD').trim()).toBe(place.base);
  });

  it('says which files are in conflict, and leaves both sides in them', async () => {
    const { main, place } = await setUp();
    await worktrees.create(place, false, signal);
    await writeFile(join(place.path, 'a.txt'), 'one\nAGENT\nthree\n');
    await writeFile(join(main, 'a.txt'), 'one\nUSER\nthree\n');
    git(main, 'commit', '-qam', 'mine');
    expect(await worktrees.apply(place, signal)).toEqual({ outcome: 'conflict', files: ['a.txt'] });
    const text = await readFile(join(main, 'a.txt'), 'utf8');
    expect([text.includes('USER'), text.includes('AGENT')]).toEqual([true, true]);
  });

  it('goes beside changes in the same file that are not staged, and is refused where they are in the way', async () => {
    const { main, place } = await setUp({ 'a.txt': `${Array.from({ length: 30 }, (_, line) => line).join('\n')}\n` });
    await worktrees.create(place, false, signal);
    const text = await readFile(join(main, 'a.txt'), 'utf8');
    await writeFile(join(place.path, 'a.txt'), text.replace('\n3\n', '\nthree\n'));
    await writeFile(join(main, 'a.txt'), text.replace('\n25\n', '\nmine\n'));
    expect((await worktrees.apply(place, signal)).outcome).toBe('done');
    const both = text.replace('\n3\n', '\nthree\n').replace('\n25\n', '\nmine\n');
    expect(await readFile(join(main, 'a.txt'), 'utf8')).toBe(both);
    expect((await worktrees.apply(place, signal)).outcome).toBe('refused');
    expect(await readFile(join(main, 'a.txt'), 'utf8')).toBe(both);
  });

  it('merges, with what was not committed, and keeps the history of both', async () => {
    const { main, place } = await setUp();
    await worktrees.create(place, false, signal);
    await writeFile(join(place.path, 'a.txt'), 'one\ntwo\nTHREE\n');
    await writeFile(join(main, 'b.txt'), 'mine');
    git(main, 'add', 'b.txt');
    git(main, 'commit', '-qm', 'mine');
    expect(await worktrees.merge(place, 'Work of scout', signal)).toEqual({ outcome: 'done', files: ['a.txt'] });
    expect(git(main, 'log', '--format=%s').trim().split('\n')).toEqual([
      "Merge branch 'offshoot/scout'",
      expect.any(String),
      expect.any(String),
      'first',
    ]);
    expect(git(main, 'status', '--porcelain')).toBe('');
  });

  it('is refused where a merge would write over what is not committed', async () => {
    const { main, place } = await setUp();
    await worktrees.create(place, false, signal);
    await writeFile(join(place.path, 'a.txt'), 'agent');
    await writeFile(join(main, 'a.txt'), 'user');
    const end = await worktrees.merge(place, 'm', signal);
    expect(end).toMatchObject({ outcome: 'refused', reason: expect.stringContaining('a.txt') });
    expect(await readFile(join(main, 'a.txt'), 'utf8')).toBe('user');
  });
});

describe('a hostile repository', () => {
  /** Everything that git would run for a repository writes a file. */
  async function arm({ main, top }: Bench): Promise<() => Promise<boolean>> {
    const marker = join(top, 'ran');
    const program = join(top, 'evil.sh');
    await writeFile(program, `#!/bin/sh\necho "$0 $*" >> ${marker}\ncat\n`);
    await chmod(program, 0o755);
    const hooks = join(main, '.git', 'hooks');
    await mkdir(hooks, { recursive: true });
    for (const hook of [
      'post-checkout',
      'post-index-change',
      'pre-commit',
      'commit-msg',
      'prepare-commit-msg',
      'post-commit',
      'reference-transaction',
      'pre-merge-commit',
      'post-merge',
      'post-rewrite',
      'fsmonitor-watchman',
      'pre-auto-gc',
      'post-applypatch',
      'pre-applypatch',
    ]) {
      await writeFile(join(hooks, hook), `#!/bin/sh\necho ${hook} >> ${marker}\n`);
      await chmod(join(hooks, hook), 0o755);
    }
    const inWorktrees = join(top, 'only-in-worktrees.config');
    await writeFile(
      inWorktrees,
      `[filter "late"]\n\tsmudge = ${program} late\n\tclean = ${program} late\n\trequired = true\n[merge "late"]\n\tdriver = ${program} %A\n`,
    );
    const settings: readonly (readonly [string, string])[] = [
      ['filter.evil.smudge', `${program} smudge`],
      ['filter.evil.clean', `${program} clean`],
      ['filter.evil.required', 'true'],
      ['filter.proc.process', `${program} process`],
      ['filter.proc.required', 'true'],
      ['merge.evil.driver', `${program} %O %A %B`],
      ['diff.evil.textconv', `${program} textconv`],
      ['diff.evil.command', `${program} diff`],
      ['diff.external', `${program} external`],
      ['core.fsmonitor', program],
      ['core.editor', program],
      ['core.pager', program],
      ['core.sshCommand', program],
      ['core.attributesFile', join(top, 'attributes')],
      ['commit.gpgSign', 'true'],
      ['gpg.program', program],
      ['merge.verifySignatures', 'true'],
      ['credential.helper', program],
      ['alias.worktree', `!${program} alias`],
      ['includeIf.gitdir:**/worktrees/*.path', inWorktrees],
    ];
    for (const [name, value] of settings) git(main, 'config', name, value);
    const rules = '*.txt filter=evil merge=evil diff=evil\n*.bin filter=proc\n*.late filter=late merge=late\n';
    await writeFile(join(main, '.git', 'info', 'attributes'), rules);
    return () => isThere(marker);
  }

  it('S19 runs nothing while a worktree is made, read, applied, merged and removed', async () => {
    const bench = await setUp({
      'a.txt': 'a\n',
      'b.bin': 'b',
      'c.late': 'c\n',
      '.gitattributes': '*.md filter=evil\n',
    });
    const { main, place, top } = bench;
    const other = placeIn(top, main, 'other');
    const third = placeIn(top, main, 'third');
    const hasRun = await arm(bench);

    await worktrees.base(main, signal);
    await worktrees.create(place, true, signal);
    await worktrees.create(other, false, signal);
    await worktrees.create(third, false, signal);
    await writeFiles(place.path, { 'a.txt': 'agent\n', 'b.bin': 'agent', 'c.late': 'agent\n', 'd.md': 'agent' });
    await worktrees.state(place, signal);
    expect(await worktrees.apply(place, signal)).toMatchObject({ outcome: 'done' });
    await worktrees.removeUnchanged(other, signal);
    await worktrees.discard(place, signal);
    expect(await hasRun()).toBe(false);
    expect(await readFile(join(main, 'c.late'), 'utf8')).toBe('agent\n');

    await writeFiles(third.path, { 'a.txt': 'third\n', 'c.late': 'third\n' });
    expect(await worktrees.merge(third, 'm', signal)).toMatchObject({ outcome: 'refused' });
    expect(await hasRun()).toBe(false);
  });

  it('is merged without its drivers: their files are in conflict', async () => {
    const bench = await setUp({ 'a.txt': 'a\n' });
    const { main, place } = bench;
    await worktrees.create(place, false, signal);
    await writeFile(join(place.path, 'a.txt'), 'agent\n');
    await writeFile(join(main, 'a.txt'), 'user\n');
    git(main, 'commit', '-qam', 'mine');
    const hasRun = await arm(bench);
    expect(await worktrees.merge(place, 'm', signal)).toEqual({ outcome: 'conflict', files: ['a.txt'] });
    expect(await hasRun()).toBe(false);
  });

  it('would have run something: git as it is does', async () => {
    const bench = await setUp({ 'a.txt': 'a\n' });
    const hasRun = await arm(bench);
    git(bench.main, 'worktree', 'add', '-q', bench.place.path);
    expect(await hasRun()).toBe(true);
  });

  it('with a filter that cannot be taken away is left alone', async () => {
    const { main, place } = await setUp();
    await writeFile(
      join(main, '.git', 'config'),
      `${await readFile(join(main, '.git', 'config'), 'utf8')}[filter "a=b"]\n\tsmudge = touch x\n`,
    );
    await expect(worktrees.create(place, false, signal)).rejects.toThrow('cannot be read');
  });
});
