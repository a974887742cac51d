import { Script } from 'node:vm';

/** `unusable`: it is no regular expression, or one that takes too long. */
export type MatchResult = 'yes' | 'no' | 'unusable';

const plain = /^[\w\- ,|]*$/;
const longest = 1000;
/** A pattern that backtracks without end is given up after both: a busy machine may hold up any pattern for the first. */
const timeoutsMs = [50, 100];
const maxRemembered = 2000;

export type Matcher = (pattern: string | undefined, names: readonly string[]) => MatchResult;

/**
 * Claude Code's rule (https://code.claude.com/docs/en/hooks): nothing, or `*`, is everything; letters, digits, `_`, `-`,
 * spaces, commas and `|` are names, one or a list; all else is a regular expression that may match anywhere in the name.
 */
export function createMatcher(): Matcher {
  const known = new Map<string, MatchResult>();
  const unusable = new Set<string>();

  function test(pattern: string, name: string): MatchResult {
    const key = JSON.stringify([pattern, name]);
    const before = known.get(key);
    if (before !== undefined) return before;
    const result = unusable.has(pattern) ? 'unusable' : runPattern(pattern, name);
    if (result === 'unusable') unusable.add(pattern);
    if (known.size >= maxRemembered) known.clear();
    known.set(key, result);
    return result;
  }

  return (pattern, names) => {
    const written = pattern?.trim() ?? '';
    if (written === '' || written === '*') return 'yes';
    if (plain.test(written)) {
      const listed = written.split(/[|,]/).map((name) => name.trim());
      return names.some((name) => listed.includes(name)) ? 'yes' : 'no';
    }
    const results = names.map((name) => test(written, name));
    return results.find((result) => result === 'unusable') ?? results.find((result) => result === 'yes') ?? 'no';
  };
}

/** Only code that V8 may interrupt ends a pattern that hangs; a plain `test` would hold the whole extension host. */
function runPattern(pattern: string, name: string): MatchResult {
  if (pattern.length > longest || name.length > longest) return 'unusable';
  const code = `new RegExp(${JSON.stringify(pattern)}).test(${JSON.stringify(name)})`;
  for (const timeout of timeoutsMs) {
    try {
      return new Script(code).runInThisContext({ timeout }) === true ? 'yes' : 'no';
    } catch (error) {
      if (error instanceof SyntaxError) return 'unusable';
    }
  }
  return 'unusable';
}
