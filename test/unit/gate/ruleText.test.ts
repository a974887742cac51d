import { describe, expect, it } from 'vitest';
import { matchesName, matchesPath, readPathPattern } from '../../../src/agent/gate/rules/pathPattern.ts';
import { createPolicy, findRule, type Subject } from '../../../src/agent/gate/rules/policy.ts';
import { parseRule, RuleError, type RuleList } from '../../../src/agent/gate/rules/rules.ts';
import { matchesWildcard, readWildcard } from '../../../src/agent/gate/rules/wildcard.ts';

const places = { workspace: ['/w/app', '/w/lib'], home: '/home/me' };

async function matches(list: RuleList, rule: string, subject: Subject): Promise<boolean> {
  const policy = await createPolicy([{ list, source: 'settings', text: rule }], places);
  expect(policy.problems).toEqual([]);
  return findRule(policy, list, subject) !== undefined;
}

describe('a rule that cannot be read', () => {
  it.each<[string, RuleList, string]>([
    ['', 'deny', 'write a tool'],
    ['Bash(', 'allow', 'bracket is not closed'],
    ['Bash(ls', 'allow', 'bracket is not closed'],
    ['Bash()', 'allow', 'nothing in its brackets'],
    ['Bash( )', 'allow', 'nothing in its brackets'],
    ['(ls)', 'allow', 'write a tool'],
    ['Read(secrets/**', 'deny', 'bracket is not closed'],
    ['Read(!x)', 'deny', 'exceptions'],
    ['Read(../x)', 'deny', '..'],
    ['Read([a)', 'deny', '[ is not closed'],
    ['WebFetch(example.com)', 'allow', 'domain:example.com'],
    ['WebFetch(domain:a/b)', 'allow', 'no domain'],
    ['AskUser(x)', 'deny', 'takes nothing in brackets'],
    ['R*', 'deny', 'only names of MCP tools'],
    ['mcp__', 'deny', 'name a server'],
    ['mcp__s__t(x)', 'deny', 'nothing in brackets'],
    ['mcp__*', 'allow', 'name the server'],
    ['Bash(sed:*)', 'allow', 'one exact command'],
    ['Bash(sudo *)', 'allow', 'one exact command'],
    ['Bash(:*)', 'allow', 'name a command'],
  ])('%j as %s: %s', (rule, list, problem) => {
    expect(() => parseRule(rule, list)).toThrow(RuleError);
    expect(() => parseRule(rule, list)).toThrow(JSON.stringify(rule));
    expect(() => parseRule(rule, list)).toThrow(problem);
  });

  it('asks about the tool it names when it was meant to protect, and allows nothing', async () => {
    const policy = await createPolicy(
      [
        { list: 'deny', source: 'settings', text: 'Read(secrets/**' },
        { list: 'allow', source: 'settings', text: 'Edit(src' },
      ],
      places,
    );
    expect(policy.problems).toHaveLength(2);
    expect(findRule(policy, 'ask', { tool: 'Read', paths: ['/w/app/x'] })).toBeDefined();
    expect(findRule(policy, 'allow', { tool: 'Edit', paths: ['/w/app/src'] })).toBeUndefined();
  });
});

describe('paths', () => {
  it.each<[string, string, boolean]>([
    ['.env', '/w/app/.env', true],
    ['.env', '/w/app/deep/er/.env', true],
    ['.env', '/w/lib/.env', true],
    ['.env', '/w/app/.env/below', true],
    ['.env', '/w/app/.envrc', false],
    ['.env', '/w/other/.env', false],
    ['.env*', '/w/app/.env.local', true],
    ['./.env', '/w/app/.env', true],
    ['./.env', '/w/app/deep/.env', false],
    ['/src/**', '/w/app/src/a/b.ts', true],
    ['/src/**', '/w/app/src', false],
    ['/src/**', '/w/app/x/src/a.ts', false],
    ['/src', '/w/app/src/a.ts', true],
    ['src/', '/w/app/x/src/a.ts', true],
    ['src/*.ts', '/w/app/src/a.ts', true],
    ['src/*.ts', '/w/app/src/b/a.ts', false],
    ['src/**/*.ts', '/w/app/src/a.ts', true],
    ['src/**/*.ts', '/w/app/src/b/c/a.ts', true],
    ['**/secret', '/w/app/a/b/secret', true],
    ['**/secret', '/w/app/secret', true],
    ['**', '/w/app/x', true],
    ['*', '/w/app/x/y', true],
    ['.', '/w/app/x', true],
    ['~/.ssh/**', '/home/me/.ssh/id', true],
    ['~/.ssh/**', '/home/me/.sshx/id', false],
    ['~/.ssh/**', '/home/you/.ssh/id', false],
    ['//etc/**', '/etc/passwd', true],
    ['//etc/**', '/w/app/etc/passwd', false],
    ['/etc/**', '/etc/passwd', false],
    ['a?c', '/w/app/abc', true],
    ['a?c', '/w/app/ac', false],
    ['[a-c].txt', '/w/app/b.txt', true],
    ['[!a-c].txt', '/w/app/b.txt', false],
    ['[!a-c].txt', '/w/app/d.txt', true],
    ['\\*.txt', '/w/app/*.txt', true],
    ['\\*.txt', '/w/app/a.txt', false],
    ['.ENV', '/w/app/.env', true],
    ['Caf\u00e9', '/w/app/cafe\u0301', true],
    ['app', '/w/app-evil/app', false],
  ])('%s and %s: %s', (pattern, path, isMatch) => {
    expect(matchesPath(readPathPattern(pattern), path, places, true)).toBe(isMatch);
  });

  it('that allow are told apart by case', () => {
    expect(matchesPath(readPathPattern('SRC/**'), '/w/app/src/a.ts', places, false)).toBe(false);
  });
});

describe('tools', () => {
  const file = (tool: string) => ({ tool, paths: ['/w/app/x/a'] });
  it.each<[RuleList, string, Subject, boolean]>([
    ['deny', 'Read', file('Read'), true],
    ['deny', 'Read(x)', file('Grep'), true],
    ['deny', 'Read(x)', file('Glob'), true],
    ['deny', 'Read(x)', file('Edit'), false],
    ['deny', 'Grep(x)', file('Grep'), true],
    ['deny', 'Grep(x)', file('Read'), false],
    ['deny', 'Edit(x)', file('Write'), true],
    ['deny', 'Write(x)', file('Edit'), true],
    ['allow', 'Edit(x)', file('Write'), true],
    ['allow', 'Write(x)', file('Edit'), false],
    ['deny', 'MultiEdit(x)', file('Edit'), true],
    ['allow', 'Edit(x)', { tool: 'Edit', paths: [] }, false],
    ['allow', 'Edit(x)', { tool: 'Edit', paths: ['/w/app/x/a', '/w/app/.git/a'] }, false],
    ['deny', 'Edit(x)', { tool: 'Edit', paths: ['/w/app/y', '/w/app/x/a'] }, true],
    ['deny', 'Agent(Explore)', { tool: 'Agent', paths: [], agentType: 'explore' }, true],
    ['deny', 'Agent(Explore)', { tool: 'Agent', paths: [], agentType: 'Plan' }, false],
    ['deny', 'Task(Explore)', { tool: 'Agent', paths: [], agentType: 'Explore' }, true],
    ['deny', 'Agent', { tool: 'Agent', paths: [], agentType: 'Plan' }, true],
    ['deny', 'mcp__git', { tool: 'mcp__git__push', paths: [] }, true],
    ['deny', 'mcp__git', { tool: 'mcp__github__push', paths: [] }, false],
    ['deny', 'mcp__git__*', { tool: 'mcp__git__push', paths: [] }, true],
    ['deny', 'mcp__git__push', { tool: 'mcp__git__push', paths: [] }, true],
    ['deny', 'mcp__git__push', { tool: 'mcp__git__pushy', paths: [] }, false],
    ['deny', 'mcp__*__push', { tool: 'mcp__any__push', paths: [] }, true],
    ['allow', 'mcp__git__get_*', { tool: 'mcp__git__get_log', paths: [] }, true],
    ['allow', 'WebFetch(domain:python.org)', { tool: 'WebFetch', paths: [], url: 'https://python.org/x' }, true],
    ['allow', 'WebFetch(domain:python.org)', { tool: 'WebFetch', paths: [], url: 'https://docs.python.org/x' }, true],
    ['allow', 'WebFetch(domain:python.org)', { tool: 'WebFetch', paths: [], url: 'https://PYTHON.org./' }, true],
    ['allow', 'WebFetch(domain:*.python.org)', { tool: 'WebFetch', paths: [], url: 'https://python.org/' }, false],
  ])('%s %s, %j: %s', async (list, rule, subject, isMatch) => {
    expect(await matches(list, rule, subject)).toBe(isMatch);
  });

  it.each([
    'https://docs.python.org.evil.example/',
    'https://evilpython.org/',
    'https://evil.example/?python.org',
    'https://python.org@evil.example/',
    'python.org',
  ])('S34: %s is not python.org', async (url) => {
    expect(await matches('allow', 'WebFetch(domain:python.org)', { tool: 'WebFetch', paths: [], url })).toBe(false);
  });
});

describe('S41: no pattern keeps the host busy', () => {
  const within = (work: () => unknown) => {
    const started = performance.now();
    work();
    expect(performance.now() - started).toBeLessThan(500);
  };
  it('of a command', () => within(() => matchesWildcard(readWildcard('*a'.repeat(200)), `${'a'.repeat(20_000)}b`)));
  it('of a name', () => within(() => matchesName('*a'.repeat(50), `${'a'.repeat(2000)}b`)));
  it('of a path', () =>
    within(() => matchesPath(readPathPattern('**/a/'.repeat(50)), `/w/app/${'a/'.repeat(500)}b`, places, true)));
});
