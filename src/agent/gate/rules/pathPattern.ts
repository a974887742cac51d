import { isAbsolute, relative, sep } from 'node:path';
import { fold } from '../places/fold.ts';

/**
 * A path as git's ignore files write it: `*`, `?`, `[a-z]` within a name, `**` for any folders; a pattern that fits a
 * folder covers all in it.
 */
export type PathPattern = {
  /** Where it starts: at a folder of the workspace, the home folder, the top of the file system, or anywhere in the workspace. */
  readonly anchor: 'workspace' | 'home' | 'top' | 'anywhere';
  readonly segments: readonly string[];
};

/** What the anchors stand for; absolute paths. */
export type Places = { readonly workspace: readonly string[]; readonly home: string };

/** @throws Error that says what is wrong */
export function readPathPattern(text: string): PathPattern {
  if (text.startsWith('!')) throw new Error('exceptions with ! are not possible');
  if (text.includes('\0')) throw new Error('it holds a NUL character');
  const { anchor, rest } = readAnchor(
    text.replace(/\/+$/, (slashes) => (slashes.length === text.length ? slashes : '/')),
  );
  const segments = rest.split('/').filter((segment) => segment !== '' && segment !== '.');
  if (segments.includes('..')) throw new Error('.. is not possible; write the path from the folder on');
  if (segments.some((segment) => !isClosed(segment))) throw new Error('a [ is not closed');
  return { anchor, segments };
}

function readAnchor(text: string): { readonly anchor: PathPattern['anchor']; readonly rest: string } {
  if (text.startsWith('//')) return { anchor: 'top', rest: text };
  if (text === '~' || text.startsWith('~/')) return { anchor: 'home', rest: text.slice(1) };
  if (text.startsWith('/') || text.startsWith('./') || text === '.') return { anchor: 'workspace', rest: text };
  return { anchor: text.slice(0, -1).includes('/') ? 'workspace' : 'anywhere', rest: text };
}

function isClosed(segment: string): boolean {
  for (let index = 0; index < segment.length; index += 1) {
    if (segment[index] === '\\') index += 1;
    else if (segment[index] === '[') {
      const end = endOfSet(segment, index);
      if (end < 0) return false;
      index = end;
    }
  }
  return true;
}

/** The folders that the pattern starts at. */
export function basesOf(pattern: PathPattern, places: Places): readonly string[] {
  switch (pattern.anchor) {
    case 'home':
      return [places.home];
    case 'top':
      return [sep];
    default:
      return places.workspace;
  }
}

/**
 * @param path absolute
 * @param isFolded spellings that some file systems do not tell apart count as one
 */
export function matchesPath(pattern: PathPattern, path: string, places: Places, isFolded: boolean): boolean {
  const wanted = isFolded ? pattern.segments.map(fold) : pattern.segments;
  return basesOf(pattern, places).some((base) => {
    const names = namesBelow(base, path, isFolded);
    if (!names) return false;
    return matchesNames(pattern.anchor === 'anywhere' ? ['**', ...wanted] : wanted, names);
  });
}

function namesBelow(base: string, path: string, isFolded: boolean): readonly string[] | undefined {
  const [from, to] = isFolded ? [fold(base), fold(path)] : [base, path];
  if (base === sep && process.platform === 'win32')
    return to
      .replace(':', '')
      .split(/[\\/]+/)
      .filter(Boolean);
  const below = relative(from, to);
  if (below === '') return [];
  if (below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below)) return undefined;
  return below.split(sep);
}

/** Follows all ways at once, so its time grows with the product of both lengths and no further. */
function matchesNames(pattern: readonly string[], names: readonly string[]): boolean {
  let reached = withSkips(new Set([0]), pattern);
  if (reached.has(pattern.length)) return true;
  for (const name of names) {
    const next = new Set<number>();
    for (const at of reached) {
      const segment = pattern[at];
      if (segment === '**') {
        next.add(at);
        if (at === pattern.length - 1) return true;
      } else if (segment !== undefined && matchesName(segment, name)) next.add(at + 1);
    }
    reached = withSkips(next, pattern);
    if (reached.has(pattern.length)) return true;
  }
  return false;
}

/** `**` may stand for no folder at all, but at the end it stands for something in the folder. */
function withSkips(reached: Set<number>, pattern: readonly string[]): Set<number> {
  for (const at of reached) if (pattern[at] === '**' && at < pattern.length - 1) reached.add(at + 1);
  return reached;
}

/** Whether a pattern without `/` fits a whole name. */
export function matchesName(pattern: string, name: string): boolean {
  let at = 0;
  let inName = 0;
  let star = -1;
  let starName = 0;
  while (inName < name.length) {
    const one = pattern[at] === '*' ? undefined : matchOne(pattern, at, name[inName]);
    if (pattern[at] === '*') {
      star = at;
      starName = inName;
      at += 1;
    } else if (one !== undefined) {
      at = one;
      inName += 1;
    } else if (star >= 0) {
      starName += 1;
      inName = starName;
      at = star + 1;
    } else return false;
  }
  while (pattern[at] === '*') at += 1;
  return at === pattern.length;
}

/** @returns the place behind what fits the character */
function matchOne(pattern: string, at: number, character: string | undefined): number | undefined {
  const wanted = pattern[at];
  if (wanted === undefined || character === undefined) return undefined;
  if (wanted === '?') return at + 1;
  if (wanted === '\\') return pattern[at + 1] === character ? at + 2 : undefined;
  if (wanted !== '[') return wanted === character ? at + 1 : undefined;
  const end = endOfSet(pattern, at);
  const isNegated = /[!^]/.test(pattern[at + 1] ?? '');
  return isInSet(pattern.slice(at + (isNegated ? 2 : 1), end), character) !== isNegated ? end + 1 : undefined;
}

function endOfSet(pattern: string, start: number): number {
  const first = start + (/[!^]/.test(pattern[start + 1] ?? '') ? 2 : 1);
  return pattern.indexOf(']', first + 1);
}

function isInSet(set: string, character: string): boolean {
  for (let index = 0; index < set.length; ) {
    const isRange = set[index + 1] === '-' && index + 2 < set.length;
    const from = set.charAt(index);
    if (from <= character && character <= (isRange ? set.charAt(index + 2) : from)) return true;
    index += isRange ? 3 : 1;
  }
  return false;
}
