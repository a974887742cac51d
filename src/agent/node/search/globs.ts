import { isAbsolute } from 'node:path';
import picomatch from 'picomatch';
import { ToolError } from '../../tools/toolError.ts';

export type GlobPlan = {
  /** The folder that all matches are in, relative with `/`; empty: the query's folder. */
  readonly base: string;
  /** How many levels below `base` a match can be; undefined: any. */
  readonly depth: number | undefined;
  /** A glob for the last name of every match, simple enough for ripgrep's file types; undefined: any name. */
  readonly nameGlob: string | undefined;
  /** For paths relative to the query's folder, with `/`. */
  readonly isMatch: (path: string) => boolean;
};

const magic = /[*?[\]{}()!+@\\]/;
const simpleName = /^[\w.\-*?]*(\{[\w.\-*?,]+\})?[\w.\-*?]*$/;

/**
 * A pattern for whole paths: `*.ts` is in the query's folder only; with `**` and a slash in front it is at any depth.
 * @throws ToolError for a pattern that leaves the folder
 */
export function planGlob(pattern: string): GlobPlan {
  const cleaned = clean(pattern);
  const segments = cleaned.split('/');
  const firstMagic = segments.findIndex((segment) => magic.test(segment));
  const fixed = firstMagic < 0 ? segments.length - 1 : Math.min(firstMagic, segments.length - 1);
  const rest = segments.slice(fixed);
  const isOpen = rest.some((segment) => segment.includes('**')) || /\{[^}]*\//.test(cleaned) || /[()]/.test(cleaned);
  return {
    base: segments.slice(0, fixed).join('/'),
    depth: isOpen ? undefined : rest.length,
    nameGlob: nameGlobOf(cleaned),
    isMatch: matcherOf(cleaned),
  };
}

/**
 * A filter for searched files: without a slash it holds for the name in any folder, as in git's ignore files; `!` in front
 * turns it around.
 * @throws ToolError as `planGlob`
 */
export function planFilter(glob: string): GlobPlan {
  if (glob.startsWith('!')) {
    const inner = planFilter(glob.slice(1));
    return { base: '', depth: undefined, nameGlob: undefined, isMatch: (path) => !inner.isMatch(path) };
  }
  return planGlob(glob.includes('/') ? glob.replace(/^\//, '') : `**/${glob}`);
}

function clean(pattern: string): string {
  const slashed = process.platform === 'win32' ? pattern.replaceAll('\\', '/') : pattern;
  const bare = slashed.replace(/^(\.\/)+/, '');
  if (bare === '') throw new ToolError('The glob pattern is empty. Use `**` for all files.');
  if (isAbsolute(bare) || bare.split('/').includes('..')) {
    throw new ToolError(
      `The glob pattern \`${pattern}\` leaves the folder. Give the folder as \`path\` and a pattern below it.`,
    );
  }
  if (bare.includes('\0')) throw new ToolError('The glob pattern holds a NUL character. Leave it out.');
  return bare.endsWith('/') ? `${bare}**` : bare;
}

function nameGlobOf(pattern: string): string | undefined {
  const name = pattern.slice(pattern.lastIndexOf('/') + 1);
  if (!simpleName.test(name) || /^\*+$/.test(name) || name.includes('**')) return undefined;
  return name;
}

function matcherOf(pattern: string): (path: string) => boolean {
  try {
    const isMatch = picomatch(pattern, { dot: true });
    return (path) => isMatch(path);
  } catch (cause) {
    throw new ToolError(`\`${pattern}\` is not a glob pattern. Use *, **, ?, [a-z] and {a,b}.`, { cause });
  }
}
