import { existsSync } from 'node:fs';
import { appendFile, chmod, mkdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Host } from '../../../src/agent/host.ts';
import { createNodeGit } from '../../../src/agent/node/git.ts';
import { createNodeHost } from '../../../src/agent/node/host.ts';
import { workspaceState } from '../../../src/agent/subagents/reports/workspaceState.ts';
import { commitAll, git, temporaryFolder } from '../../support/gitFolder.ts';
import { testRipgrep } from '../../support/ripgrep.ts';
import { writeFiles } from '../../support/writeFiles.ts';

const signal = new AbortController().signal;
const nodeGit = createNodeGit();

async function repository(files: Readonly<Record<string, string>> = { 'a.txt': 'one\n', 'src/b.txt': 'two\n' }) {
  const folder = await temporaryFolder();
  await writeFiles(folder, files);
  commitAll(folder);
  return folder;
}

async function stateOf(folder: string) {
  const state = await nodeGit.state(folder, signal);
  if (!state) throw new Error('there is no state');
  return state;
}

/** What changed while `work` ran, relative to the folder. */
async function changesOf(folder: string, work: () => Promise<unknown> | unknown): Promise<readonly string[]> {
  const before = await stateOf(folder);
  await work();
  const changed = await nodeGit.changedBetween(before, await stateOf(folder), signal);
  return changed.map((path) => path.slice(folder.length + 1));
}

describe('the state of a repository', () => {
  it('says where it stands', async () => {
    const folder = await repository();
    await writeFiles(folder, { 'src/new one.txt': 'x', 'a.txt': 'changed' });
    const state = await stateOf(join(folder, 'src'));
    expect({ ...state, dirty: [...state.dirty.keys()] }).toEqual({
      top: folder,
      head: git(folder, 'rev-parse', 'HEAD').trim(),
      branch: 'main',
      dirty: [join(folder, 'a.txt'), join(folder, 'src/new one.txt')],
      nested: [],
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it('is there before the first commit and without a branch', async () => {
    const folder = await temporaryFolder();
    git(folder, 'init', '-q', '-b', 'main');
    expect(await stateOf(folder)).toMatchObject({ head: undefined, branch: 'main' });
    const other = await repository();
    git(other, 'checkout', '-q', '--detach');
    expect(await stateOf(other)).toMatchObject({ branch: undefined });
  });

  it('is not there without a repository, without git, and for a folder that is gone', async () => {
    const folder = await temporaryFolder();
    expect(await nodeGit.state(folder, signal)).toBeUndefined();
    expect(await nodeGit.state(join(folder, 'gone'), signal)).toBeUndefined();
    const without = createNodeGit({ environment: { PATH: folder } });
    expect(await without.state(await repository(), signal)).toBeUndefined();
  });

  it('ends with its signal', async () => {
    await expect(nodeGit.state(await repository(), AbortSignal.abort())).rejects.toThrow();
  });

  const touches: readonly (readonly [string, (folder: string) => Promise<unknown> | unknown])[] = [
    ['a tracked file', (folder) => appendFile(join(folder, 'a.txt'), 'x')],
    ['a second content of a changed file', (folder) => appendFile(join(folder, 'dirty.txt'), 'x')],
    ['an untracked file', (folder) => writeFile(join(folder, 'fresh.txt'), '')],
    ['another content of an untracked file', (folder) => writeFile(join(folder, 'untracked.txt'), 'unTracked')],
    ['a removed file', (folder) => rm(join(folder, 'a.txt'))],
    ['the index', (folder) => git(folder, 'add', 'dirty.txt')],
    ['a commit', (folder) => git(folder, 'commit', '-q', '--allow-empty', '-m', 'next')],
    ['a branch', (folder) => git(folder, 'checkout', '-q', '-b', 'other')],
    ['a mode', (folder) => chmod(join(folder, 'a.txt'), 0o755)],
    ['a large untracked file', (folder) => appendFile(join(folder, 'large.bin'), 'x')],
  ];
  it.each(touches)('is another after %s', async (_, touch) => {
    const folder = await repository({ 'a.txt': 'a', 'dirty.txt': 'clean' });
    await writeFiles(folder, { 'dirty.txt': 'dirty', 'untracked.txt': 'untracked', 'large.bin': 'x'.repeat(2 ** 21) });
    const before = await stateOf(folder);
    expect((await stateOf(folder)).fingerprint).toBe(before.fingerprint);
    await touch(folder);
    expect((await stateOf(folder)).fingerprint).not.toBe(before.fingerprint);
  });

  it('is the same after a new time stamp, and for what git ignores', async () => {
    const folder = await repository({ 'a.txt': 'a', '.gitignore': 'out/\n' });
    await writeFiles(folder, { 'b.txt': 'b' });
    const before = await stateOf(folder);
    await utimes(join(folder, 'a.txt'), 1, 1);
    await utimes(join(folder, 'b.txt'), 1, 1);
    await writeFiles(folder, { 'out/x.txt': 'x' });
    expect((await stateOf(folder)).fingerprint).toBe(before.fingerprint);
  });

  it('sees into repositories inside', async () => {
    const inner = await repository({ 'lib.txt': 'lib' });
    const folder = await repository();
    git(folder, 'submodule', '--quiet', 'add', inner, 'module');
    git(folder, 'commit', '-q', '-m', 'module');
    await mkdir(join(folder, 'own'));
    await writeFiles(join(folder, 'own'), { 'o.txt': 'o' });
    commitAll(join(folder, 'own'));
    const changed = await changesOf(folder, async () => {
      await writeFiles(folder, { 'module/lib.txt': 'changed', 'own/o.txt': 'changed' });
    });
    expect(changed).toEqual(['module/lib.txt', 'own/o.txt']);
  });
});

describe('what changed between two states', () => {
  it('is what the files hold, not what git knows of it', async () => {
    const folder = await repository({ 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c', 'd.txt': 'd', 'gone.txt': 'g' });
    await writeFiles(folder, { 'b.txt': 'before', 'new.txt': 'n' });
    const changed = await changesOf(folder, async () => {
      await writeFiles(folder, { 'a.txt': 'changed', 'ü ö.txt': 'u', 'd.txt': 'd' });
      await rm(join(folder, 'gone.txt'));
      await chmod(join(folder, 'c.txt'), 0o755);
      git(folder, 'add', '-A');
      git(folder, 'commit', '-q', '-m', 'all');
    });
    expect(changed).toEqual(['a.txt', 'c.txt', 'gone.txt', 'ü ö.txt']);
  });

  it('holds files that were put back', async () => {
    const folder = await repository();
    await writeFiles(folder, { 'a.txt': 'dirty' });
    expect(await changesOf(folder, () => git(folder, 'checkout', '-q', '--', 'a.txt'))).toEqual(['a.txt']);
  });

  it('holds what a switch of branches changes', async () => {
    const folder = await repository();
    git(folder, 'checkout', '-q', '-b', 'other');
    await writeFiles(folder, { 'a.txt': 'other', 'extra.txt': 'e' });
    git(folder, 'add', '-A');
    git(folder, 'commit', '-q', '-m', 'other');
    expect(await changesOf(folder, () => git(folder, 'checkout', '-q', 'main'))).toEqual(['a.txt', 'extra.txt']);
  });

  it('holds the first commit only for what was written', async () => {
    const folder = await temporaryFolder();
    git(folder, 'init', '-q');
    await writeFiles(folder, { 'old.txt': 'o' });
    const changed = await changesOf(folder, async () => {
      await writeFiles(folder, { 'made.txt': 'm' });
      git(folder, 'add', '-A');
      git(folder, 'commit', '-q', '-m', 'first');
    });
    expect(changed).toEqual(['made.txt']);
  });

  it('knows links by where they lead', async () => {
    const folder = await repository();
    await symlink('a.txt', join(folder, 'link'));
    const changed = await changesOf(folder, async () => {
      await rm(join(folder, 'link'));
      await symlink('src/b.txt', join(folder, 'link'));
    });
    expect(changed).toEqual(['link']);
  });
});

describe('a hostile repository starts nothing', () => {
  /** A repository with settings that start a program, which leaves a mark. */
  async function trapped(settingsFor: (program: string, hooks: string) => Readonly<Record<string, string>>) {
    const folder = await repository({ 'a.txt': 'a', 'b.txt': 'b', '.gitattributes': '* filter=trap diff=trap\n' });
    const marks = await temporaryFolder();
    const mark = join(marks, 'mark');
    const program = join(marks, 'trap.sh');
    const hooks = join(marks, 'hooks');
    await mkdir(hooks);
    for (const path of [program, ...['post-index-change', 'reference-transaction'].map((name) => join(hooks, name))]) {
      await writeFile(path, `#!/bin/sh\ntouch "${mark}"\n`);
      await chmod(path, 0o755);
    }
    for (const [name, value] of Object.entries(settingsFor(program, hooks))) {
      git(folder, '-c', 'core.fsmonitor=', '-c', 'core.hooksPath=', 'config', name, value);
    }
    // The same size and another time, so that git has to read it.
    await writeFile(join(folder, 'a.txt'), 'x');
    await utimes(join(folder, 'a.txt'), 1, 1);
    await rm(mark, { force: true });
    return { folder, program, mark };
  }

  /** Runs git as it is: what it ends with does not matter. */
  function unguarded(folder: string, ...args: readonly string[]): void {
    try {
      git(folder, ...args);
    } catch {
      // A trap that breaks the command has worked.
    }
  }

  const everything = (program: string, hooks: string) => ({
    'core.fsmonitor': program,
    'core.hooksPath': hooks,
    'core.pager': program,
    'core.editor': program,
    'core.sshCommand': program,
    'core.askPass': program,
    'core.alternateRefsCommand': program,
    'pager.status': program,
    'credential.helper': program,
    'diff.external': program,
    'diff.trap.textconv': program,
    'diff.trap.command': program,
    'filter.trap.clean': program,
    'filter.trap.smudge': program,
    'filter.trap.process': program,
    'filter.trap.required': 'true',
    'alias.status': `!${program}`,
    'gpg.program': program,
    'status.submoduleSummary': 'true',
  });

  it.each(['core.fsmonitor', 'core.hooksPath', 'filter.trap.clean', 'filter.trap.process'] as const)(
    'by %s, which git as it is would start',
    async (name) => {
      const { folder, mark } = await trapped((program, hooks) => ({ [name]: everything(program, hooks)[name] }));
      expect([...(await stateOf(folder)).dirty.keys()]).toEqual([join(folder, 'a.txt')]);
      expect(existsSync(mark)).toBe(false);
      unguarded(folder, 'status');
      expect(existsSync(mark)).toBe(true);
    },
  );

  it('by all of its configuration', async () => {
    const { folder, mark } = await trapped(everything);
    const before = await stateOf(folder);
    await writeFile(join(folder, 'b.txt'), 'y');
    expect(await nodeGit.changedBetween(before, await stateOf(folder), signal)).toEqual([join(folder, 'b.txt')]);
    expect(existsSync(mark)).toBe(false);
  });

  it('by the environment of the editor', async () => {
    const { folder, program, mark } = await trapped(everything);
    const other = await repository();
    const environment = {
      ...process.env,
      GIT_EXTERNAL_DIFF: program,
      GIT_SSH_COMMAND: program,
      GIT_PAGER: program,
      GIT_DIR: join(other, '.git'),
      GIT_WORK_TREE: other,
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.fsmonitor',
      GIT_CONFIG_VALUE_0: program,
      GIT_TRACE: mark,
    };
    expect(await createNodeGit({ environment }).state(folder, signal)).toMatchObject({ top: folder });
    expect(existsSync(mark)).toBe(false);
  });

  it('by objects that it lacks', async () => {
    const { folder, mark } = await trapped((program) => ({
      'core.repositoryFormatVersion': '1',
      'extensions.partialClone': 'origin',
      'remote.origin.promisor': 'true',
      'remote.origin.url': `ext::${program}`,
      'protocol.ext.allow': 'always',
    }));
    const before = await stateOf(folder);
    await writeFiles(folder, { 'more/c.txt': 'c' });
    git(folder, 'add', '-A');
    git(folder, 'commit', '-q', '-m', 'more');
    const after = await stateOf(folder);
    const tree = git(folder, 'rev-parse', 'HEAD:more').trim();
    await rm(join(folder, '.git', 'objects', tree.slice(0, 2), tree.slice(2)));
    await nodeGit.changedBetween(before, after, signal);
    expect(existsSync(mark)).toBe(false);
    unguarded(folder, 'diff-tree', '-r', 'HEAD~1', 'HEAD');
    expect(existsSync(mark)).toBe(true);
  });

  it('by a submodule of it', async () => {
    const { program, mark } = await trapped(() => ({}));
    const inner = await repository({ 'a.txt': 'a' });
    const outer = await repository();
    git(outer, 'submodule', '--quiet', 'add', inner, 'module');
    git(outer, 'commit', '-q', '-m', 'module');
    git(join(outer, 'module'), 'config', 'core.fsmonitor', program);
    await writeFiles(outer, { 'module/a.txt': 'x' });
    expect(await stateOf(outer)).toMatchObject({ dirty: new Map(), nested: [{ top: join(outer, 'module') }] });
    expect(existsSync(mark)).toBe(false);
    unguarded(outer, 'status');
    expect(existsSync(mark)).toBe(true);
  });

  it('with a filter whose program cannot be taken away: it is not looked at', async () => {
    const folder = await repository();
    await appendFile(join(folder, '.git', 'config'), '[filter "a=b"]\n\tclean = touch mark\n');
    expect(await nodeGit.state(folder, signal)).toBeUndefined();
  });

  it('and leads to no other place', async () => {
    const folder = await repository();
    const other = await temporaryFolder();
    await writeFiles(other, { 'secret.txt': 'x' });
    git(folder, 'config', 'core.worktree', other);
    expect(await stateOf(folder)).toMatchObject({ top: folder, dirty: new Map() });
  });
});

describe('the state of a workspace', () => {
  const prompts = {
    permission: async () => ({ decision: 'deny', scope: 'once', by: 'dismissed' }) as const,
    review: async () => ({ decision: 'reject' }) as const,
    question: async () => undefined,
  };
  const host: Host = createNodeHost({ prompts, ripgrep: testRipgrep() });
  const of = (...roots: readonly string[]) => workspaceState(host, { roots, isTrusted: true }, signal);

  it('is a listing where there is no repository', async () => {
    const folder = await temporaryFolder();
    await writeFiles(folder, { 'a.txt': 'a', 'src/b.txt': 'b' });
    const before = await of(folder);
    expect(before).toBeDefined();
    expect(await of(folder)).toBe(before);
    await appendFile(join(folder, 'src/b.txt'), 'x');
    const after = await of(folder);
    expect(after).not.toBe(before);
    await rm(join(folder, 'a.txt'));
    expect(await of(folder)).not.toBe(after);
  });

  it('covers every folder', async () => {
    const first = await repository();
    const second = await temporaryFolder();
    const before = await of(first, join(first, 'src'), second);
    await writeFiles(second, { 'x.txt': 'x' });
    expect(await of(first, join(first, 'src'), second)).not.toBe(before);
  });

  it('is unknown for too many files, without folders, and where nothing may be started', async () => {
    const folder = await temporaryFolder();
    const crowd: Host = {
      ...host,
      search: { ...host.search, files: async () => ({ lines: ['a'], isTruncated: true }) },
    };
    expect(await workspaceState(crowd, { roots: [folder], isTrusted: true }, signal)).toBeUndefined();
    expect(await of()).toBeUndefined();
    const forbidden: Host = { ...host, git: { ...host.git, state: () => Promise.reject(new Error('was asked')) } };
    expect(await workspaceState(forbidden, { roots: [folder], isTrusted: false }, signal)).toBeUndefined();
  });
});
