import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { createNodeWorktrees, createWorktreeDesk } from '../../src/agent/index.ts';
import { findGitApi, type GitApi } from '../../src/editor/host/git.ts';
import { addByEditor } from '../../src/editor/worktrees/addByEditor.ts';
import { until, useFolder } from './folders.ts';

type Listed = {
  readonly state: { readonly worktrees?: readonly { readonly path: string }[] };
  status(): Promise<void>;
};

const signal = new AbortController().signal;

describe('worktrees through the git extension', () => {
  const folder = useFolder();
  const worktrees = createNodeWorktrees({ add: addByEditor });
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', ...args], {
      cwd: folder.at('main'),
      encoding: 'utf8',
      stdio: 'pipe',
    }).trim();
  const isThere = (path: string) =>
    stat(path).then(
      () => true,
      () => false,
    );

  async function setUp() {
    await mkdir(folder.at('main'));
    git('init', '-q', '-b', 'main');
    await writeFile(folder.at('main', 'a.txt'), 'one\n');
    git('add', '-A');
    git('commit', '-qm', 'first');
    const api = (await findGitApi()) ?? assert.fail('no git extension');
    const main = folder.at('main');
    const path = folder.at('state', 'worktrees', 'main', 'scout');
    return { api, place: { main, path, branch: 'offshoot/scout', base: git('rev-parse', 'HEAD') } };
  }

  async function listed(api: GitApi): Promise<readonly string[]> {
    const repository = (await api.openRepository(vscode.Uri.file(folder.at('main')))) as unknown as Listed | null;
    await repository?.status();
    return (repository?.state.worktrees ?? []).map(({ path }) => path);
  }

  it('stand in the list of their repository and are open in Source Control, until they are removed', async () => {
    const { api, place } = await setUp();
    await worktrees.create(place, false, signal);
    await until(async () => (await listed(api)).includes(place.path), 'the worktree is listed');
    assert.equal(api.getRepository(vscode.Uri.file(place.path))?.rootUri.fsPath, place.path);
    assert.equal(await readFile(`${place.path}/a.txt`, 'utf8'), 'one\n');
    await worktrees.removeUnchanged(place, signal);
    await until(async () => !(await listed(api)).includes(place.path), 'the worktree is not listed any more');
    assert.equal(git('branch', '--list', 'offshoot/*'), '');
  });

  it('of a repository that would run something are made without it, and are listed as well', async () => {
    const { api, place } = await setUp();
    const marker = folder.at('ran');
    const hook = folder.at('main', '.git', 'hooks', 'post-checkout');
    await mkdir(folder.at('main', '.git', 'hooks'), { recursive: true });
    await writeFile(hook, `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 });
    await worktrees.create(place, false, signal);
    assert.equal(await isThere(marker), false);
    assert.equal(await readFile(`${place.path}/a.txt`, 'utf8'), 'one\n');
    await until(async () => (await listed(api)).includes(place.path), 'the worktree is listed');
    assert.equal(await isThere(marker), false);
  });

  it('that hold something are kept, merged and removed then', async () => {
    const { place } = await setUp();
    const desk = createWorktreeDesk(worktrees, folder.at('state'));
    await worktrees.create(place, false, signal);
    await writeFile(`${place.path}/a.txt`, 'two\n');
    const about = { session: 's', agent: 'a', name: 'scout', description: 'count', createdAt: 1, process: 1 } as const;
    const record = { ...place, ...about, state: 'kept' } as const;
    await writeFile(`${place.path}.json`, JSON.stringify(record));
    const [entry] = await desk.list([folder.at('main')], signal);
    assert.deepEqual([entry?.isInUse, entry?.state?.files], [false, ['a.txt']]);
    await assert.rejects(desk.removeMerged(record, signal), /not merged/);
    assert.equal((await desk.merge(record, signal)).outcome, 'done');
    assert.equal(await readFile(folder.at('main', 'a.txt'), 'utf8'), 'two\n');
    assert.equal(git('log', '-1', '--format=%s', 'offshoot/scout'), 'count (scout)');
    await desk.removeMerged(record, signal);
    assert.deepEqual([await isThere(place.path), await desk.list([folder.at('main')], signal)], [false, []]);
    assert.equal(git('branch', '--list', 'offshoot/*'), '');
  });
});
