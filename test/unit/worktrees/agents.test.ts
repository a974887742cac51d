import { readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { call, delegate, say, text } from '../../support/answers.ts';
import { commitAll, git } from '../../support/gitFolder.ts';
import type { Answer, Script, ScriptedRequest } from '../../support/scriptedModel.ts';
import { ofType, type StartedSession, type StartOptions, startSession } from '../../support/startSession.ts';

const isChild = ({ tools }: ScriptedRequest) => !tools.includes('Agent');
const isolated = { subagent_type: 'general-purpose', isolation: 'worktree' } as const;

/** A lead that delegates once to each of these, and answers with what it got. */
function leadOf(
  prompts: readonly string[],
  child: (request: ScriptedRequest) => Answer | Promise<Answer>,
  more: Readonly<Record<string, unknown>> = isolated,
): Script {
  return (request) => {
    if (isChild(request)) return child(request);
    if (request.step === 0) return say(...prompts.map((prompt) => delegate(prompt, { ...more, name: prompt })));
    return say(text(request.lastResults.map((result) => result.text).join('\n')));
  };
}

/** Calls one after another, then says what they gave. */
const does =
  (...calls: readonly (readonly [string, Readonly<Record<string, unknown>>])[]) =>
  ({ step, results }: ScriptedRequest): Answer => {
    const next = calls[step];
    if (next) return say(call(...next));
    return say(text(results.map((result) => result.text).join('\n---\n')));
  };

const write = (file_path: string, content: string) => ['Write', { file_path, content }] as const;
const bash = (command: string) => ['Bash', { command }] as const;

type Started = StartedSession & { readonly worktree: (name: string) => Promise<string> };

async function start(options: StartOptions): Promise<Started> {
  const started = await startSession({
    files: { 'a.txt': 'one\n', 'src/b.txt': 'two\n' },
    settings: { 'permissions.mode': 'acceptEdits', ...options.settings },
    ...options,
  });
  commitAll(started.workspace);
  const worktree = async (name: string) => {
    const top = join(await realpath(started.state), 'worktrees');
    const [folder = ''] = await readdir(top);
    return join(top, folder, name);
  };
  return { ...started, worktree };
}

const branches = (folder: string) => git(folder, 'branch', '--format=%(refname:short)').trim().split('\n');

describe('an agent in a worktree of its own', () => {
  it('works there alone, and what it leaves is kept, reported and recorded', async () => {
    const { session, workspace, events, worktree } = await start({
      script: leadOf(
        ['scout'],
        does(
          ['Read', { file_path: 'a.txt' }],
          write('new/c.txt', 'new\n'),
          bash('echo two > b2.txt && git branch --show-current && pwd'),
        ),
      ),
    });
    const { text: answer } = await session.send('go');
    const path = await worktree('scout');
    expect(answer).toContain(`offshoot/scout\n${path}`);
    expect(answer).toMatch(/status="completed"/);
    expect(answer).toContain(
      `it lies in the worktree ${path} on the branch offshoot/scout (2 files changed, 0 commits)`,
    );
    expect(answer).toMatch(/<receipt>.*2 changed.* kept on offshoot\/scout/);
    expect(await readFile(join(path, 'new/c.txt'), 'utf8')).toBe('new\n');
    expect(git(workspace, 'status', '--porcelain')).toBe('');
    const base = git(workspace, 'rev-parse', 'HEAD').trim();
    const begun = ofType(events, 'agent-start').find(({ agent }) => agent !== 'lead');
    expect(begun?.worktree).toEqual({ branch: 'offshoot/scout', base, from: 'main' });
    expect(ofType(events, 'worktree-create')).toMatchObject([
      { agent: begun?.agent, branch: 'offshoot/scout', path, base },
    ]);
    const kept = { branch: 'offshoot/scout', path, base, files: ['b2.txt', 'new/c.txt'], commits: 0 };
    expect(ofType(events, 'worktree-keep')).toMatchObject([kept]);
    expect(ofType(events, 'agent-end')[0]?.receipt).toMatchObject({
      filesChanged: [join(path, 'b2.txt'), join(path, 'new/c.txt')],
      worktree: kept,
    });
  });

  it('leaves nothing when it changed nothing', async () => {
    const { session, workspace, events, worktree } = await start({
      script: leadOf(['scout'], does(['Read', { file_path: 'a.txt' }])),
    });
    expect((await session.send('go')).text).toMatch(/1\tone\n<\/report>/);
    expect([branches(workspace), git(workspace, 'worktree', 'list').trim().split('\n').length]).toEqual([['main'], 1]);
    expect(await readdir(join(await worktree('scout'), '..'))).toEqual([]);
    expect(events.filter(({ type }) => type.startsWith('worktree-')).map(({ type }) => type)).toEqual([
      'worktree-create',
      'worktree-remove',
    ]);
  });

  it('is as its definition says, and siblings share the beginning of their requests', async () => {
    const definition = {
      name: 'builder',
      description: 'builds',
      tools: ['*'],
      disallowedTools: [],
      prompt: 'You build.',
      hasInstructions: true,
      modelRole: 'parent',
      isolation: 'worktree',
    } as const;
    const child = (request: ScriptedRequest) => does(write(`${request.firstText.slice(-3)}.txt`, 'x'))(request);
    const script = leadOf(['one', 'two'], child, { subagent_type: 'builder' });
    const { session, workspace, model } = await start({ script, definitions: () => [definition] });
    await session.send('go');
    expect(branches(workspace)).toEqual(['main', 'offshoot/one', 'offshoot/two']);
    const firsts = model
      .bodies()
      .filter(({ messages, tools }) => messages.length === 1 && !tools?.some(({ name }) => name === 'Agent'));
    expect(firsts).toHaveLength(2);
    expect(JSON.stringify([firsts[0]?.tools, firsts[0]?.system])).toBe(
      JSON.stringify([firsts[1]?.tools, firsts[1]?.system]),
    );
    expect(JSON.stringify(firsts[0]?.system)).not.toContain(workspace);
  });

  it('S46 cannot write into the main checkout, and reads there what lies in its own', async () => {
    let main = '';
    const child = (request: ScriptedRequest) =>
      does(
        ['Read', { file_path: 'a.txt' }],
        ['Edit', { file_path: 'a.txt', old_string: 'one', new_string: 'mine' }],
        ['Read', { file_path: join(main, 'a.txt') }],
        write(join(main, 'x.txt'), 'hers'),
        write('../../../../workspace/x.txt', 'hers'),
      )(request);
    const started = await start({ script: leadOf(['scout'], child) });
    main = started.workspace;
    const { text: answer } = await started.session.send('go');
    expect(answer).toContain('1\tmine');
    expect(answer.match(/is in the main checkout, and you work in a worktree of your own/g)).toHaveLength(2);
    expect(git(started.workspace, 'status', '--porcelain')).toBe('');
    expect(await readFile(join(started.workspace, 'a.txt'), 'utf8')).toBe('one\n');
  });

  it.each([
    ['git -C MAIN commit --allow-empty -m x'],
    ['git --git-dir=MAIN/.git update-ref refs/heads/x HEAD'],
    ['git --work-tree MAIN checkout .'],
    ['GIT_DIR=MAIN/.git git status'],
    ['env GIT_WORK_TREE=MAIN git checkout .'],
    ['export GIT_DIR=/x; git status'],
    ['cd MAIN && touch x'],
    ['touch MAIN/x'],
    ['echo x > MAIN/x'],
    ["node -e \"require('fs').writeFileSync('MAIN/x', '')\""],
    ['git worktree remove --force .'],
    ['cat ../../../../workspace/a.txt > b.txt'],
    ['ln -s MAIN here'],
  ])('is refused %s, in every mode', async (command) => {
    let main = '';
    const child = (request: ScriptedRequest) => does(bash(command.replaceAll('MAIN', main)))(request);
    const { session, workspace, events } = await start({
      script: leadOf(['scout'], child),
      settings: { 'permissions.mode': 'bypassPermissions' },
    });
    main = workspace;
    const { text: answer } = await session.send('go');
    expect(answer).toContain('This command is refused');
    expect(ofType(events, 'tool-end').find(({ tool }) => tool === 'Bash')?.status).toBe('denied');
    expect([git(workspace, 'status', '--porcelain'), branches(workspace)]).toEqual(['', ['main']]);
  });

  it('may use git in its own', async () => {
    const { session, workspace } = await start({
      script: leadOf(
        ['scout'],
        does(
          bash(
            'echo x > a.txt && git add -A && git -C . -c user.name=A -c user.email=a@b commit -qm work && git log --format=%s',
          ),
        ),
      ),
      settings: { 'permissions.mode': 'bypassPermissions' },
    });
    expect((await session.send('go')).text).toContain('work\nfirst');
    expect(git(workspace, 'log', '--format=%s', 'offshoot/scout').trim()).toBe('work\nfirst');
  });

  it('is protected like the workspace: rules and protected files hold', async () => {
    const asked: string[] = [];
    const { session } = await start({
      script: leadOf(['scout'], does(write('.vscode/tasks.json', '{}'), ['Read', { file_path: 'src/b.txt' }])),
      settings: { 'permissions.mode': 'acceptEdits', 'permissions.deny': ['Read(./src/**)'] },
      prompts: {
        permission: async ({ title }) => {
          asked.push(title);
          return { decision: 'deny', scope: 'once', by: 'user' };
        },
      },
    });
    expect((await session.send('go')).text).toContain('The rule Read(./src/**)');
    expect(asked).toEqual(['Change a protected file']);
  });

  it('does not stop at ten, all at the same file', async () => {
    const names = Array.from({ length: 10 }, (_, index) => `agent-${index}`);
    const child = (request: ScriptedRequest) =>
      does(
        ['Read', { file_path: 'a.txt' }],
        ['Edit', { file_path: 'a.txt', old_string: 'one', new_string: request.prompt.slice(-7) }],
      )(request);
    const { session, workspace } = await start({
      script: leadOf(names, child),
      settings: { 'permissions.mode': 'acceptEdits', 'agents.maxConcurrent': 10 },
    });
    expect((await session.send('go')).text.match(/status="completed"/g)).toHaveLength(10);
    expect(branches(workspace)).toEqual(['main', ...names.map((name) => `offshoot/${name}`)]);
    expect(await readFile(join(workspace, 'a.txt'), 'utf8')).toBe('one\n');
  }, 20_000);

  it('is not taken for another of the same task', async () => {
    let runs = 0;
    const script: Script = (request) => {
      if (isChild(request)) {
        runs += 1;
        return say(text('seen'));
      }
      const task = delegate('look', { isolation: 'worktree', subagent_type: 'Explore' });
      return request.step === 0 ? say(task, task) : say(text(request.lastResults[0]?.text ?? ''));
    };
    const { session } = await start({ script });
    await session.send('go');
    await session.send('again');
    expect(runs).toBe(4);
  });

  it('is shared with an agent below it, and is kept as long as that works', async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const states: string[] = [];
    const script: Script = async (request) => {
      if (request.firstText.endsWith('below')) {
        if (request.step === 0) await gate;
        return request.step === 0 ? say(call('Write', { file_path: 'deep.txt', content: 'x' })) : say(text('done'));
      }
      if (request.firstText.endsWith('above')) {
        const task = { subagent_type: 'general-purpose', run_in_background: true, name: 'below' };
        return request.step === 0 ? say(delegate('below', task)) : say(text('left'));
      }
      if (request.prompt === 'go' && request.step === 0) return say(delegate('above', { ...isolated, name: 'above' }));
      return say(text('ok'));
    };
    const { session, worktree, workspace } = await start({
      script,
      settings: { 'permissions.mode': 'acceptEdits', 'agents.maxDepth': 2 },
    });
    const stateOf = async () => JSON.parse(await readFile(`${await worktree('above')}.json`, 'utf8')).state;
    await session.send('go');
    states.push(await stateOf());
    release();
    await session.settled();
    await expect.poll(stateOf).toBe('kept');
    expect(states).toEqual(['active']);
    expect(await readFile(join(await worktree('above'), 'deep.txt'), 'utf8')).toBe('x');
    expect(git(workspace, 'status', '--porcelain')).toBe('');
  });

  it('has what is not committed when the setting says so', async () => {
    const { session, workspace } = await start({
      script: leadOf(['scout'], does(bash('cat a.txt'))),
      settings: { 'permissions.mode': 'acceptEdits', 'worktrees.carryChanges': true },
    });
    await writeFile(join(workspace, 'a.txt'), 'carried\n');
    expect((await session.send('go')).text).toContain('carried');
    expect(branches(workspace)).toEqual(['main']);
  });

  it('goes on in its own when it is resumed', async () => {
    const script: Script = (request) => {
      if (isChild(request))
        return request.prompt.includes('first') ? does(write('n.txt', '1'))(request) : does(bash('cat n.txt'))(request);
      if (request.step === 0) return say(delegate('first', { ...isolated, name: 'scout' }));
      const [result] = request.lastResults;
      if (request.step === 1) return say(delegate('second', { resume: /id="(\w+)"/.exec(result?.text ?? '')?.[1] }));
      return say(text(result?.text ?? ''));
    };
    const { session, workspace, events } = await start({ script });
    expect((await session.send('go')).text).toMatch(/status="completed">\n1\n/);
    expect(branches(workspace)).toEqual(['main', 'offshoot/scout']);
    expect(ofType(events, 'worktree-create')).toHaveLength(1);
    expect(ofType(events, 'worktree-keep')).toHaveLength(2);
  });

  it('notices when its .git is gone, and the main checkout is untouched', async () => {
    const { session, workspace, worktree, events } = await start({
      script: leadOf(
        ['scout'],
        does(write('n.txt', '1'), bash('mv .git gone; git status; git add -A'), bash('git status')),
      ),
    });
    const { text: answer } = await session.send('go');
    expect(answer).toContain('not a git repository');
    expect(answer).toContain('is damaged');
    expect(ofType(events, 'worktree-fail')).toHaveLength(1);
    expect(await readFile(join(await worktree('scout'), 'n.txt'), 'utf8')).toBe('1');
    expect(git(workspace, 'status', '--porcelain')).toBe('');
  });

  it('is refused where there can be none, before and in a dry run alike', async () => {
    const { session, events } = await startSession({ script: leadOf(['scout'], does()) });
    expect((await session.send('go')).text).toContain('A worktree needs a git repository');
    expect(ofType(events, 'agent-start')).toHaveLength(1);
    await expect(session.previewSpawn({ prompt: 'x', ...isolated })).rejects.toThrow(
      'A worktree needs a git repository',
    );
  });

  it('stands in a dry run with branch, base and first message', async () => {
    const { session, model, workspace, state } = await start({ script: leadOf(['scout'], does(write('n.txt', '1'))) });
    const preview = await session.previewSpawn({ prompt: 'scout', name: 'scout', ...isolated });
    expect(preview).toMatchObject({ branch: 'offshoot/scout', baseCommit: git(workspace, 'rev-parse', 'HEAD').trim() });
    expect(await readdir(state).catch(() => [])).not.toContain('worktrees');
    await session.send('go');
    const first = model.bodies().find(({ tools }) => !tools?.some(({ name }) => name === 'Agent'));
    expect(JSON.stringify(first?.messages)).toContain(JSON.stringify(preview.prompt).slice(1, -1));
  });
});

describe('worktrees that a crash has left', () => {
  it('are found with the next conversation: empty ones go, the others are kept and told', async () => {
    const { session, workspace, state, worktree, reopen, events } = await start({
      script: leadOf(['full', 'empty'], (request) =>
        does(...(request.prompt.includes('full') ? [write('n.txt', '1')] : []), ['Glob', { pattern: '*' }])(request),
      ),
    });
    await session.send('go');
    // As if the process had ended in the midst of both.
    const full = await worktree('full');
    const record = JSON.parse(await readFile(`${full}.json`, 'utf8'));
    const dead = { ...record, state: 'active', process: 2 ** 22 + 1 };
    await writeFile(`${full}.json`, JSON.stringify(dead));
    const empty = { ...dead, path: full.replace(/full$/, 'empty'), branch: 'offshoot/empty', name: 'empty' };
    git(workspace, 'worktree', 'add', '-q', '-b', empty.branch, empty.path);
    await writeFile(`${empty.path}.json`, JSON.stringify(empty));
    await session.close();
    await rm(join(state, 'sessions'), { recursive: true, force: true });
    const next = await reopen();
    await next.send('hello');
    const told = ofType(events, 'notice').map(({ text: words }) => words);
    expect(told.filter((words) => words.includes('Worktrees of agents'))).toEqual([
      expect.stringContaining('kept: offshoot/full.'),
    ]);
    expect(branches(workspace)).not.toContain('offshoot/empty');
    expect(JSON.parse(await readFile(`${full}.json`, 'utf8'))).toMatchObject({ state: 'kept' });
  });
});
