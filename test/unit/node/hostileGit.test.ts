// biome-ignore-all lint/suspicious/noTemplateCurlyInString: names that a shell would run
import { existsSync } from 'node:fs';
import { appendFile, chmod, mkdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isPlainRepository } from '../../../src/agent/gate/places/gitConfig.ts';
import { createNodeGit } from '../../../src/agent/node/git.ts';
import { call, say, text } from '../../support/answers.ts';
import { commitAll, git, temporaryFolder } from '../../support/gitFolder.ts';
import { ofType, startSession } from '../../support/startSession.ts';
import { writeFiles } from '../../support/writeFiles.ts';

const { signal } = new AbortController();

/** Every setting by which git, when it looks at a repository, starts a program. */
const traps = (program: string, hooks: string) => `
[core]
	fsmonitor = ${program}
	hooksPath = ${hooks}
	pager = ${program}
	editor = ${program}
	sshCommand = ${program}
	askPass = ${program}
	gitProxy = ${program}
	alternateRefsCommand = ${program}
[pager]
	status = ${program}
	diff = ${program}
[diff]
	external = ${program}
[diff "trap"]
	command = ${program}
	textconv = ${program}
[filter "trap"]
	clean = ${program}
	smudge = ${program}
	process = ${program}
	required = true
[filter "Trap.With \\"Odd\\" name"]
	clean = ${program}
[merge "trap"]
	driver = ${program}
[alias]
	status = !${program}
	config = !${program}
	diff-tree = !${program}
[credential]
	helper = ${program}
[gpg]
	program = ${program}
[log]
	showSignature = true
[interactive]
	diffFilter = ${program}
[submodule "x"]
	update = !${program}
[uploadpack]
	packObjectsHook = ${program}
[status]
	submoduleSummary = true
`;

type Trap = { readonly folder: string; readonly mark: string };
type Place = (folder: string, config: string) => Promise<unknown>;

const addTo = (folder: string, text: string) => appendFile(join(folder, '.git/config'), text);

/** Where git finds configuration of a repository's making. */
const places: Readonly<Record<string, Place>> = {
  'its configuration': addTo,
  'a file of the work tree that is included': async (folder, config) => {
    await writeFile(join(folder, 'harmless.txt'), config);
    await addTo(folder, '[include]\n\tpath = ../harmless.txt\n');
  },
  'a file that an included file includes': async (folder, config) => {
    await writeFiles(folder, { 'one.txt': '[include]\n\tpath = two.txt\n', 'two.txt': config });
    await addTo(folder, '[include]\n\tpath = ../one.txt\n');
  },
  'a file that is included for this folder': async (folder, config) => {
    await writeFile(join(folder, 'harmless.txt'), config);
    await addTo(folder, `[includeIf "gitdir:${folder}/"]\n\tpath = ${join(folder, 'harmless.txt')}\n`);
  },
  'a file that is included for this branch': async (folder, config) => {
    await writeFile(join(folder, 'harmless.txt'), config);
    await addTo(folder, '[includeIf "onbranch:main"]\n\tpath = ../harmless.txt\n');
  },
  'the configuration of its work tree': async (folder, config) => {
    await addTo(folder, '[extensions]\n\tworktreeConfig = true\n[core]\n\trepositoryFormatVersion = 1\n');
    await writeFile(join(folder, '.git/config.worktree'), config);
  },
  'a repository elsewhere, to which a file leads': async (folder, config) => {
    await addTo(folder, config);
    await rename(join(folder, '.git'), join(folder, 'elsewhere'));
    await writeFile(join(folder, '.git'), 'gitdir: elsewhere\n');
  },
  'a common folder elsewhere': async (folder, config) => {
    const common = join(folder, 'common');
    await rename(join(folder, '.git'), common);
    await appendFile(join(common, 'config'), config);
    await mkdir(join(folder, '.git'));
    await writeFiles(join(folder, '.git'), { HEAD: 'ref: refs/heads/main\n', commondir: '../common\n' });
    await rename(join(common, 'index'), join(folder, '.git/index'));
  },
};

async function trapped(place: Place): Promise<Trap> {
  const folder = await temporaryFolder();
  await writeFiles(folder, { 'a.txt': 'a', 'b.txt': 'b', '.gitattributes': '* filter=trap diff=trap merge=trap\n' });
  commitAll(folder);
  const marks = await temporaryFolder();
  const mark = join(marks, 'mark');
  const program = join(marks, 'trap.sh');
  const hooks = join(marks, 'hooks');
  await mkdir(hooks);
  const names = ['post-index-change', 'reference-transaction', 'post-checkout', 'fsmonitor-watchman', 'pre-auto-gc'];
  for (const path of [program, ...names.map((name) => join(hooks, name))]) {
    await writeFile(path, `#!/bin/sh\necho "$0 $*" >> "${mark}"\ncat\n`);
    await chmod(path, 0o755);
  }
  await place(folder, traps(program, hooks));
  // The same size and another time, so that git has to read it.
  await writeFile(join(folder, 'a.txt'), 'x');
  await utimes(join(folder, 'a.txt'), 1, 1);
  await rm(mark, { force: true });
  return { folder, mark };
}

function unguarded(folder: string, ...args: readonly string[]): void {
  try {
    git(folder, ...args);
  } catch {
    // A trap that breaks the command has worked.
  }
}

describe.each(Object.entries(places))('S18, S20 a hostile repository, by %s', (_, place) => {
  it('starts nothing when Offshoot asks for its state, though git as it is would', async () => {
    const { folder, mark } = await trapped(place);
    const own = createNodeGit();
    const before = await own.state(folder, signal);
    expect(before?.dirty.has(join(folder, 'a.txt'))).toBe(true);
    await writeFile(join(folder, 'b.txt'), 'y');
    const after = await own.state(folder, signal);
    if (before && after) {
      expect(await own.changedBetween(before, after, signal)).toEqual([join(folder, 'b.txt')]);
    }
    expect(existsSync(mark) ? await readFile(mark, 'utf8') : '').toBe('');
    unguarded(folder, 'status');
    expect(existsSync(mark)).toBe(true);
  });

  it('is not read unasked by commands of agents', async () => {
    const { folder } = await trapped(place);
    expect(await isPlainRepository(folder)).toBe(false);
    expect(await isPlainRepository(join(folder, '.git'))).toBe(false);
  });
});

describe('S20 what a repository says is never a command', () => {
  it('in names of people, branches, files and remotes', async () => {
    const folder = await temporaryFolder();
    const touch = `$(touch ${join(folder, 'mark')})`;
    const names = [
      '$(touch mark)',
      '`touch mark`',
      ';touch mark;',
      '--output=mark',
      '\'"|touch mark#',
      '-c core.pager=x',
    ];
    await writeFiles(folder, Object.fromEntries(names.map((name) => [`${name}.txt`, 'a'])));
    commitAll(folder);
    git(folder, 'checkout', '-q', '-b', '$(touch${IFS}mark)');
    for (const key of ['user.name', 'user.email', 'remote.origin.url', 'init.defaultBranch'])
      git(folder, 'config', key, touch);
    const own = createNodeGit();
    const before = await own.state(folder, signal);
    for (const name of names) await writeFile(join(folder, `${name}.txt`), 'bb');
    git(folder, 'commit', '-q', '-a', '-m', touch);
    const after = await own.state(folder, signal);
    if (!before || !after) throw new Error('no state');
    expect(after.branch).toBe('$(touch${IFS}mark)');
    expect(await own.changedBetween(before, after, signal)).toEqual(
      names.map((name) => join(folder, `${name}.txt`)).sort(),
    );
    expect(existsSync(join(folder, 'mark'))).toBe(false);
  });
});

describe('S18 a command that reads asks first', () => {
  const asksFor = async (command: string, prepare: (workspace: string) => Promise<unknown>) => {
    const { session, events, workspace } = await startSession({
      script: ({ step, lastResults }) => say(step === 0 ? call('Bash', { command }) : text(lastResults[0]?.text ?? '')),
      files: { 'a.txt': 'a', 'inner/b.txt': 'b' },
      prompts: { permission: async () => ({ decision: 'deny', scope: 'once', by: 'user' }) },
    });
    commitAll(workspace);
    await prepare(workspace);
    await session.send('go');
    return ofType(events, 'permission-ask').length;
  };
  /** A repository below, which the one above does not know of. */
  const below = async (workspace: string) => {
    const inner = join(workspace, 'inner');
    git(inner, 'init', '-q');
    await addTo(inner, '[core]\n\tfsmonitor = touch ../mark\n');
  };
  it.each([
    'cd inner && git status',
    'cd inner; git diff',
    'cd ./inner/../inner && git log -1',
    'cd inner || git status',
    'cd inner\ngit status',
    'ls && cd inner && ls && git branch --list',
    '(cd inner && git status)',
    'pushd inner && git status',
    'git -C inner status',
    'git --git-dir=inner/.git status',
    'git --work-tree=inner status',
    'git -c core.fsmonitor=x status',
    'git --exec-path=. status',
    'git --config-env=core.fsmonitor=HOME status',
    'git -p status',
    'git --paginate log',
    'env -C inner git status',
  ])('%j where a repository lies below', async (command) => {
    expect(await asksFor(command, below)).toBe(1);
  });

  it.each(['git status', 'git log --oneline -1', 'git diff'])(
    '%j not, where nothing is configured',
    async (command) => {
      expect(await asksFor(command, async () => undefined)).toBe(0);
    },
  );

  it.each<[string, string]>([
    ['git log -1 --format=%G?', 'a signature is checked by a program'],
    ['git show --ext-diff', 'a diff program is wanted'],
    ['git diff --textconv', 'a converter is wanted'],
    ['git grep -O a', 'a pager is opened'],
    ['git grep --open-files-in-pager=x a', 'a pager is opened'],
    ['git log --output=x', 'a file is written'],
    ['git diff --output=x', 'a file is written'],
    ['git help status', 'a viewer is opened'],
    ['git difftool', 'a program is opened'],
    ['git ls-remote ext::x', 'a transport is a program'],
    ['git st', 'an alias may be anything'],
    ['git fsmonitor--daemon status', 'it is not known'],
    ['git bisect run x', 'it runs what it is given'],
    ['git submodule foreach x', 'it runs what it is given'],
  ])('%j: %s', async (command) => {
    expect(await asksFor(command, async () => undefined)).toBe(1);
  });
});
