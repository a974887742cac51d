import { describe, expect, it } from 'vitest';
import { createMatcher, type MatchResult } from '../../../../src/agent/gate/hooks/firing/matcher.ts';

const rows: readonly (readonly [string | undefined, string, MatchResult])[] = [
  [undefined, 'Bash', 'yes'],
  ['', 'Bash', 'yes'],
  ['  ', 'Bash', 'yes'],
  ['*', 'Bash', 'yes'],
  ['Bash', 'Bash', 'yes'],
  ['Bash', 'BashOutput', 'no'],
  ['bash', 'Bash', 'no'],
  ['as', 'Bash', 'no'],
  ['Edit|Write', 'Write', 'yes'],
  ['Edit|Write', 'Read', 'no'],
  ['Edit | Write', 'Write', 'yes'],
  ['Edit, Write', 'Write', 'yes'],
  ['Edit|', 'Read', 'no'],
  ['code-reviewer', 'code-reviewer', 'yes'],
  ['mcp__memory', 'mcp__memory__read', 'no'],
  ['mcp__memory__.*', 'mcp__memory__read', 'yes'],
  ['mcp__.*__write.*', 'mcp__files__write_all', 'yes'],
  ['^Notebook', 'NotebookEdit', 'yes'],
  ['^Notebook', 'MyNotebook', 'no'],
  ['rit.', 'Write', 'yes'],
  ['^(Edit|Write)$', 'Write', 'yes'],
  ['^(Edit|Write)$', 'WriteAll', 'no'],
  ['^(?!Read$).*', 'Read', 'no'],
  ['^(?!Read$).*', 'Bash', 'yes'],
  ['(Bash', 'Bash', 'unusable'],
  ['[', 'Bash', 'unusable'],
  ['\u2028"); process.exit(1); ("', 'Bash', 'unusable'],
];

describe('a matcher', () => {
  it.each(rows)('%j on %s: %s', (pattern, name, result) => {
    expect(createMatcher()(pattern, [name])).toBe(result);
  });

  it('fits a tool by each of its names', () => {
    expect(createMatcher()('Task', ['Agent', 'Task'])).toBe('yes');
    expect(createMatcher()('^Ta', ['Agent', 'Task'])).toBe('yes');
  });

  it('S41: that backtracks without end is given up, and is not tried twice', () => {
    const match = createMatcher();
    const name = `${'a'.repeat(60)}!`;
    const startedAt = performance.now();
    for (let round = 0; round < 50; round += 1) expect(match('(a+)+$', [name])).toBe('unusable');
    expect(performance.now() - startedAt).toBeLessThan(2000);
  });
});
