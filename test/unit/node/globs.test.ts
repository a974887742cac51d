import { describe, expect, it } from 'vitest';
import { planFilter, planGlob } from '../../../src/agent/node/search/globs.ts';

describe('glob plan', () => {
  it.each([
    ['*.ts', '', 1, '*.ts'],
    ['package.json', '', 1, 'package.json'],
    ['src/pkg/*.ts', 'src/pkg', 1, '*.ts'],
    ['src/*/x?.ts', 'src', 2, 'x?.ts'],
    ['**/*.{ts,tsx}', '', undefined, '*.{ts,tsx}'],
    ['src/**', 'src', undefined, undefined],
    ['src/', 'src', undefined, undefined],
    ['a/{b,c/d}/e.ts', 'a', undefined, 'e.ts'],
    ['a/{b/c,d}.ts', 'a', undefined, undefined],
    ['!(a).ts', '', undefined, undefined],
    ['./src/a.ts', 'src', 1, 'a.ts'],
  ])('%s', (pattern, base, depth, nameGlob) => {
    const plan = planGlob(pattern);
    expect([plan.base, plan.depth, plan.nameGlob]).toEqual([base, depth, nameGlob]);
  });

  it.each(['', './', '../x', 'a/../../x', '/etc/*', 'a\0'])('refuses %j', (pattern) => {
    expect(() => planGlob(pattern)).toThrow();
  });
});

describe('filter', () => {
  it.each([
    ['*.ts', 'a/b.ts', true],
    ['*.ts', 'a/b.js', false],
    ['a/*.ts', 'a/b.ts', true],
    ['a/*.ts', 'c/a/b.ts', false],
    ['/a/*.ts', 'a/b.ts', true],
    ['!*.ts', 'a/b.ts', false],
    ['!*.ts', 'a/b.js', true],
    ['*.ts', '.hidden/b.ts', true],
  ])('%s on %s: %s', (glob, path, expected) => {
    expect(planFilter(glob).isMatch(path)).toBe(expected);
  });
});
