import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isProtectedPath } from '../../../src/agent/gate/places/protected.ts';
import { reveal } from '../../../src/agent/gate/reveal.ts';
import type { Mode, PermissionAnswer } from '../../../src/agent/index.ts';
import { call, delegate, say, text } from '../../support/answers.ts';
import type { AnswerBlock, Script } from '../../support/scriptedModel.ts';
import { ofType, type StartOptions, startSession } from '../../support/startSession.ts';

const one =
  (block: AnswerBlock): Script =>
  ({ step, lastResults }) =>
    step === 0 ? say(block) : say(text(lastResults[0]?.text ?? ''));

const answering = (answer: Partial<PermissionAnswer>): NonNullable<StartOptions['prompts']> => ({
  permission: async () => ({ decision: 'deny', scope: 'once', by: 'user', ...answer }),
  review: async () => ({ decision: 'reject', reason: 'not like this' }),
});

const bash = (command: string) => call('Bash', { command });

describe('the gate', () => {
  it('asks about a command, naming agent, tool, directory and the whole command', async () => {
    const { session, events, workspace } = await startSession({ script: one(bash('echo hi > out')) });
    await session.send('go');
    expect(ofType(events, 'permission-ask')).toMatchObject([
      { agentName: 'lead', tool: 'Bash', directory: workspace, detail: 'echo hi > out' },
    ]);
    expect(await readFile(join(workspace, 'out'), 'utf8')).toBe('hi\n');
  });

  it('runs nothing when the user denies, and hands the reason to the agent', async () => {
    const prompts = answering({ reason: 'use make' });
    const { session, workspace } = await startSession({ script: one(bash('touch out')), prompts });
    expect((await session.send('go')).text).toContain('use make');
    await expect(readFile(join(workspace, 'out'))).rejects.toThrow('ENOENT');
  });

  it('does not ask again for what was allowed for the session', async () => {
    const prompts = answering({ decision: 'allow', scope: 'session' });
    const { session, events } = await startSession({ script: one(bash('touch out')), prompts });
    await session.send('one');
    await session.send('two');
    expect(ofType(events, 'permission-ask')).toHaveLength(1);
  });

  it('asks for a child as for the lead', async () => {
    const script: Script = (request) => {
      if (request.firstText === 'child') return one(bash('touch out'))(request);
      const more = { subagent_type: 'general-purpose' };
      return request.step === 0 ? say(delegate('child', more)) : say(text(request.lastResults[0]?.text ?? ''));
    };
    const { session, events, workspace } = await startSession({ script, prompts: answering({}) });
    await session.send('go');
    expect(ofType(events, 'permission-ask')).toMatchObject([{ agentName: 'do-a-part' }]);
    await expect(readFile(join(workspace, 'out'))).rejects.toThrow('ENOENT');
  });

  it.each<Mode>(['default', 'acceptEdits', 'bypassPermissions'])(
    'asks about a protected file in mode %s',
    async (mode) => {
      const paths = [
        '.vscode/settings.json',
        '.VSCODE/Settings.json',
        '.git/config',
        '.claude/settings.json',
        'x.code-workspace',
      ];
      for (const path of paths) {
        const { session, events, workspace } = await startSession({
          script: one(call('Write', { file_path: path, content: 'x' })),
          settings: { 'permissions.mode': mode },
          prompts: answering({}),
        });
        await session.send('go');
        expect(ofType(events, 'permission-ask'), path).toHaveLength(1);
        await expect(readFile(join(workspace, path))).rejects.toThrow('ENOENT');
      }
    },
  );

  it('asks about a protected file behind a link', async () => {
    const { session, events, workspace } = await startSession({
      script: one(call('Write', { file_path: 'plain/hooks', content: 'x' })),
      settings: { 'permissions.mode': 'bypassPermissions' },
      prompts: answering({}),
    });
    await mkdir(join(workspace, '.git'));
    await symlink(join(workspace, '.git'), join(workspace, 'plain'));
    await session.send('go');
    expect(ofType(events, 'permission-ask')).toHaveLength(1);
  });

  it('bypasses all else when the user chose so', async () => {
    const settings = { 'permissions.mode': 'bypassPermissions' };
    const { session, events, workspace } = await startSession({ script: one(bash('touch out')), settings });
    await session.send('go');
    expect(ofType(events, 'permission-ask')).toHaveLength(0);
    expect(await readFile(join(workspace, 'out'), 'utf8')).toBe('');
  });

  it('changes and runs nothing in plan mode or in an untrusted workspace', async () => {
    for (const { status, ...options } of [
      { status: 'denied', settings: { 'permissions.mode': 'plan' } },
      { status: 'error', isTrusted: false },
    ]) {
      for (const block of [bash('touch out'), call('Write', { file_path: 'out', content: 'x' })]) {
        const { session, workspace, events } = await startSession({ script: one(block), ...options });
        await session.send('go');
        expect(ofType(events, 'tool-end')).toMatchObject([{ status }]);
        await expect(readFile(join(workspace, 'out'))).rejects.toThrow('ENOENT');
      }
    }
  });

  it('ignores an answer that comes after Stop', async () => {
    let answer: (value: PermissionAnswer) => void = () => undefined;
    const prompts = { permission: () => new Promise<PermissionAnswer>((resolve) => (answer = resolve)) };
    const { session, workspace } = await startSession({ script: one(bash('touch out')), prompts });
    session.subscribe((event) => {
      if (event.type !== 'permission-ask') return;
      session.stop();
      setTimeout(() => answer({ decision: 'allow', scope: 'once', by: 'user' }), 20);
    });
    expect((await session.send('go')).status).toBe('stopped');
    await expect(readFile(join(workspace, 'out'))).rejects.toThrow('ENOENT');
  });
});

describe('edits', () => {
  const files = { 'a.txt': 'one\ntwo\n' };
  const edit: Script = ({ step, lastResults }) => {
    if (step === 0) return say(call('Read', { file_path: 'a.txt' }));
    if (step === 1) return say(call('Edit', { file_path: 'a.txt', old_string: 'two', new_string: 'three' }));
    return say(text(lastResults[0]?.text ?? ''));
  };

  it('are proposals: what the user left is written and the agent is told', async () => {
    const prompts = { review: async () => ({ decision: 'accept', text: 'one\nfour\n' }) as const };
    const { session, workspace, events } = await startSession({ script: edit, files, prompts });
    expect((await session.send('go')).text).toContain('four');
    expect(await readFile(join(workspace, 'a.txt'), 'utf8')).toBe('one\nfour\n');
    expect(ofType(events, 'edit-propose')).toMatchObject([{ path: 'a.txt', added: 1, removed: 1, isNew: false }]);
    expect(ofType(events, 'edit-decide')).toMatchObject([{ decision: 'accept', isAmended: true, by: 'user' }]);
  });

  it('that are rejected leave the file and carry the reason', async () => {
    const { session, workspace } = await startSession({ script: edit, files, prompts: answering({}) });
    expect((await session.send('go')).text).toContain('not like this');
    expect(await readFile(join(workspace, 'a.txt'), 'utf8')).toBe('one\ntwo\n');
  });

  it('are written at once in acceptEdits', async () => {
    const settings = { 'permissions.mode': 'acceptEdits' };
    const { session, workspace, events } = await startSession({
      script: edit,
      files,
      settings,
      prompts: answering({}),
    });
    await session.send('go');
    expect(await readFile(join(workspace, 'a.txt'), 'utf8')).toBe('one\nthree\n');
    expect(ofType(events, 'edit-decide')).toMatchObject([{ by: 'mode' }]);
  });

  it('are refused when the file changed while the user decided', async () => {
    const started = await startSession({
      script: edit,
      files,
      prompts: {
        review: async ({ path, after }) => {
          await writeFile(path, 'mine now\n');
          return { decision: 'accept', text: after };
        },
      },
    });
    expect((await started.session.send('go')).text).toMatch(/read it again/i);
    expect(await readFile(join(started.workspace, 'a.txt'), 'utf8')).toBe('mine now\n');
  });
});

describe('an approved edit', () => {
  it('S3 does not go where a link leads that was put there meanwhile', async () => {
    const started = await startSession({
      files: { 'folder/old.txt': '' },
      script: ({ step, lastResults }) =>
        step === 0
          ? say(call('Write', { file_path: 'folder/new.txt', content: 'x' }))
          : say(text(lastResults[0]?.text ?? '')),
      prompts: {
        review: async ({ path, after }) => {
          const folder = dirname(path);
          await mkdir(join(started.state, 'elsewhere'), { recursive: true });
          await rename(folder, `${folder}-before`);
          await symlink(join(started.state, 'elsewhere'), folder);
          return { decision: 'accept', text: after };
        },
      },
    });
    const { text: answer } = await started.session.send('go');
    expect(answer).toMatch(/outside|leads elsewhere/);
    await expect(readFile(join(started.state, 'elsewhere/new.txt'))).rejects.toThrow('ENOENT');
  });
});

describe('while a question is open', () => {
  const attempt = async (block: AnswerBlock, settings: Readonly<Record<string, unknown>>) => {
    const details: string[] = [];
    const started = await startSession({
      files: { 'one/a.txt': 'one', 'two/a.txt': 'secret' },
      settings,
      script: ({ step, lastResults }) => (step === 0 ? say(block) : say(text(lastResults[0]?.text ?? ''))),
      prompts: {
        permission: async ({ detail }) => {
          details.push(detail);
          await rm(join(started.workspace, 'link'));
          await symlink('two', join(started.workspace, 'link'));
          return { decision: 'allow', scope: 'once', by: 'user' };
        },
      },
    });
    await symlink('one', join(started.workspace, 'link'));
    const { text: answer } = await started.session.send('go');
    return { ...started, answer, details };
  };

  it('S3 a link that is exchanged leads to nothing that was not shown: a file that is read', async () => {
    const settings = { 'permissions.ask': ['Read(one/**)'], 'permissions.deny': ['Read(two/**)'] };
    const { answer, details, workspace } = await attempt(call('Read', { file_path: 'link/a.txt' }), settings);
    expect(details).toEqual([`link/a.txt → ${join(workspace, 'one/a.txt')}`]);
    expect(answer).toContain('leads elsewhere');
    expect(answer).not.toContain('secret');
  });

  it('and a protected file that is written', async () => {
    const block = call('Write', { file_path: 'link/.vscode/x', content: 'x' });
    const { answer, workspace } = await attempt(block, { 'permissions.mode': 'acceptEdits' });
    expect(answer).toContain('leads elsewhere');
    await expect(readFile(join(workspace, 'two/.vscode/x'))).rejects.toThrow('ENOENT');
  });
});

describe('protected places', () => {
  it.each([
    '.git',
    'sub/.GIT/config',
    '.github/agents/x.agent.md',
    'a/.bashrc',
    '.vscode./x',
    '.git::$INDEX_ALLOCATION/x',
    'GIT~1/config',
    'VSCODE~2/settings.json',
    'a/TEAM~1.COD',
    '.v\u017fcode/x',
    '.g\u200cit/x',
    '.git \u200b/x',
    '.CLAUDE.JSON',
    '.husky/pre-commit',
    'home/.ssh/authorized_keys',
    'home/.config/git/config',
  ])('%s', (path) => expect(isProtectedPath(path)).toBe(true));
  it.each([
    'src/git.ts',
    '.github/workflows/ci.yml',
    '.gitignore',
    'docs/.vscode.md',
    'a~1',
    'src/config/git',
    'GITTER~1/x',
  ])('not %s', (path) => expect(isProtectedPath(path)).toBe(false));
});

describe('reveal', () => {
  it('shows what would be hidden', () => {
    expect(reveal('a\u202eb\u200bc\u{e0041}')).toBe('a\\u{202e}b\\u{200b}c\\u{e0041}');
    expect(reveal(`ls${' '.repeat(5000)};curl x`)).toBe('ls [5000 blanks] ;curl x');
    expect(reveal('a\u00a0b\u3000c\u034fd\u2800e\u{1d173}f\ud800g')).toBe(
      'a\\u{a0}b\\u{3000}c\\u{34f}d\\u{2800}e\\u{1d173}f\\u{d800}g',
    );
    expect(reveal(`ls${'\n \n'.repeat(2000)};curl x`)).toMatch(/^ls\n\[\d{4} empty lines\]\n;curl x$/);
    expect(reveal('é, 汉字 and 👍🏽')).toBe('é, 汉字 and 👍🏽');
    expect(reveal('line\nnext\tcolumn')).toBe('line\nnext\tcolumn');
  });
});
