import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createRuleBook, type Mode, settingsSchema } from '../../../src/agent/index.ts';
import { writeFiles } from '../../support/writeFiles.ts';

type Rules = Partial<Record<'deny' | 'ask' | 'allow', readonly string[]>>;

/** A workspace with rules, and no session. */
async function bookOf(
  rules: Rules,
  more: { readonly mode?: Mode; readonly isTrusted?: boolean; readonly files?: Record<string, string> } = {},
) {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'offshoot-explain-')));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const workspace = join(root, 'workspace');
  await mkdir(workspace);
  await writeFiles(workspace, more.files ?? {});
  const entries = Object.entries(rules).map(([list, texts]) => [`permissions.${list}`, texts]);
  const settings = settingsSchema.parse(Object.fromEntries(entries));
  const { mode = 'default', isTrusted = true } = more;
  const problems: string[] = [];
  const book = createRuleBook({
    workspace: { roots: [workspace], isTrusted },
    settings: () => settings,
    mode,
    stateDirectory: join(root, 'state'),
    tell: (text) => problems.push(text),
  });
  return { book, workspace };
}

describe('an explanation', () => {
  it('names each command of a script with what is said about it, and the rules that would allow it', async () => {
    const { book } = await bookOf({ allow: ['Bash(npm test)'] });
    expect(await book.explain('ls && npm test | tee && make "a b"')).toEqual({
      verdict: 'ask',
      by: undefined,
      reason: 'Commands are asked about.',
      mode: 'default',
      parts: [
        { text: 'ls', kind: 'reads' },
        { text: 'npm test', kind: 'allowed', rule: { text: 'Bash(npm test)', source: 'settings' } },
        { text: 'tee', kind: 'open', offer: 'Bash(tee)' },
        { text: 'make "a b"', kind: 'open', offer: "Bash(make 'a b')" },
      ],
      offers: ['Bash(tee)', "Bash(make 'a b')"],
    });
  });

  it('offers rules that together allow what they are offered for', async () => {
    const command = 'npm test && make "a b"; ls';
    const first = await (await bookOf({})).book.explain(command);
    const then = await (await bookOf({ allow: first.offers })).book.explain(command);
    expect([first.verdict, then.verdict, then.by]).toEqual(['ask', 'allow', 'rule']);
  });

  it('names the rule that denies, its part, and the file of a repository that it is from', async () => {
    const files = { '.claude/settings.json': '{"permissions":{"deny":["Bash(curl:*)"]}}' };
    const { book, workspace } = await bookOf({ allow: ['Bash'] }, { files });
    const rule = { text: 'Bash(curl:*)', source: 'repository', file: join(workspace, '.claude/settings.json') };
    expect(await book.explain('make; curl https://example.com')).toMatchObject({
      verdict: 'deny',
      by: 'rule',
      rule,
      parts: [
        { text: 'make', kind: 'allowed' },
        { text: 'curl https://example.com', kind: 'deny', rule },
      ],
      offers: [],
    });
  });

  it.each([
    ['ls -l', 'allow', 'readOnly'],
    ['make > out', 'ask', undefined],
    ['echo $HOME', 'ask', undefined],
    ['mkdir .vscode', 'ask', 'protected'],
    ['Edit(src/a.ts)', 'review', 'mode'],
    ['Edit(.git/config)', 'ask', 'protected'],
    ['Read(src/a.ts)', 'allow', 'tool'],
    ['Edit(/etc/passwd)', 'deny', 'outside'],
    ['WebFetch(https://example.com/a)', 'ask', undefined],
    ['Agent(Explore)', 'allow', 'tool'],
    ['mcp__files__write', 'ask', undefined],
  ])('of %s says %s, by %s', async (text, verdict, by) => {
    const { book } = await bookOf({});
    expect(await book.explain(text)).toMatchObject({ verdict, by });
  });

  it.each([
    ['plan', 'make', 'deny', 'mode'],
    ['plan', 'ls', 'allow', 'readOnly'],
    ['dontAsk', 'make', 'deny', 'mode'],
    ['bypassPermissions', 'make', 'allow', 'mode'],
    ['bypassPermissions', 'touch .git/x', 'ask', 'protected'],
    ['acceptEdits', 'Write(src/a.ts)', 'allow', 'mode'],
  ] as const)('counts the mode: in %s, %s is %s by %s', async (mode, text, verdict, by) => {
    const { book } = await bookOf({}, { mode });
    expect(await book.explain(text)).toMatchObject({ verdict, by, mode });
  });

  it('offers no rule where none can help', async () => {
    const { book } = await bookOf({});
    for (const text of ['make > out', 'echo $HOME', 'mkdir .vscode', 'cd src && make'])
      expect((await book.explain(text)).offers, text).toEqual([]);
  });

  it('says that nothing runs in a folder that is not trusted', async () => {
    const { book } = await bookOf({ allow: ['Bash'] }, { isTrusted: false });
    expect(await book.explain('make')).toMatchObject({ verdict: 'deny', by: 'trust' });
  });
});

describe('the list of rules', () => {
  it('has all sources in the order in which they count, and says what cannot be read', async () => {
    const files = { '.offshoot/settings.json': '{"permissions.ask":["Bash(git push:*)"]}' };
    const { book, workspace } = await bookOf({ deny: ['Read(.env)'], allow: ['Bash(', 'Bash(make)'] }, { files });
    await book.remember({ text: 'Bash(ls -R)', scope: 'always' });
    await book.remember({ text: 'Bash(npm test)', scope: 'workspace' });
    expect(await book.list()).toEqual([
      { list: 'deny', source: 'settings', text: 'Read(.env)' },
      { list: 'allow', source: 'settings', text: 'Bash(', problem: expect.stringContaining('bracket') },
      { list: 'allow', source: 'settings', text: 'Bash(make)' },
      { list: 'allow', source: 'always', text: 'Bash(ls -R)' },
      { list: 'allow', source: 'workspace', text: 'Bash(npm test)' },
      { list: 'ask', source: 'repository', text: 'Bash(git push:*)', file: join(workspace, '.offshoot/settings.json') },
    ]);
    await book.forget({ text: 'Bash(npm test)', scope: 'workspace' });
    expect(await book.explain('npm test')).toMatchObject({ verdict: 'ask', offers: ['Bash(npm test)'] });
  });
});
