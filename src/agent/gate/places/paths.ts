import { lstat, readlink, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { ToolError } from '../../tools/toolError.ts';

/** Turns a path that a model wrote into a place that may be touched, or refuses it. */
export interface PathResolver {
  /**
   * The real, absolute path: relative ones start at the first root, links are followed (of the nearest existing ancestor,
   * for a file that is not there yet).
   * @throws ToolError when the place is outside the workspace (and, for `read`, outside the artifacts)
   */
  resolve(path: string, purpose: 'read' | 'write'): Promise<string>;
  /**
   * How the path is shown to people and to the model, so that `resolve` takes it back: relative to the first root with
   * `/`, or absolute elsewhere.
   */
  show(path: string): string;
}

export type PathRoots = {
  /** Where files may be read and written; the first is where relative paths start. */
  readonly roots: readonly string[];
  /** Where files may be read only, e.g. the artifacts. They need not exist yet. */
  readonly readOnlyRoots: readonly string[];
  /** Where relative paths start; left out: the first root. */
  readonly start?: string;
  /** Folders that the agent has a copy of: it reads there what it asks for here, and writes are refused. */
  readonly copies?: readonly { readonly of: string; readonly at: string }[];
};

export function createPathResolver({ roots, readOnlyRoots, start, copies = [] }: PathRoots): PathResolver {
  const first = start ?? roots[0];
  if (first === undefined) throw new ToolError('No folder is open. Open a folder first.');
  let real: Promise<PathRoots> | undefined;
  const realRoots = () => {
    real ??= resolveRoots(roots, readOnlyRoots);
    return real;
  };
  return {
    async resolve(path, purpose) {
      const place = await followLinks(resolve(first, spellOut(path)), path);
      const allowed = await realRoots();
      if (allowed.roots.some((root) => isInside(root, place))) return place;
      const copy = copies.find(({ of }) => isInside(of, place));
      if (copy) {
        const twin = join(copy.at, relative(copy.of, place));
        if (purpose === 'write') throw inOriginal(path, twin);
        const real = await followLinks(twin, path);
        if (allowed.roots.some((root) => isInside(root, real))) return real;
      }
      // A folder that came up since is looked at again: its real path may differ from the one that was kept.
      const readable = await Promise.all(readOnlyRoots.map((root) => followLinks(root, root)));
      const isReadable = readable.some((root) => isInside(root, place));
      if (isReadable && purpose === 'read') return place;
      throw isReadable ? readOnly(path) : outside(path, place, roots);
    },
    show(path) {
      if (path === first) return '.';
      return isInside(first, path) ? relative(first, path).replaceAll(sep, '/') : path;
    },
  };
}

async function resolveRoots(roots: readonly string[], readOnlyRoots: readonly string[]): Promise<PathRoots> {
  return { roots: await Promise.all(roots.map((root) => followLinks(root, root))), readOnlyRoots };
}

const isCaseless = process.platform === 'darwin' || process.platform === 'win32';

/** Whether the path is the root or below it; `/w/app-evil` is not inside `/w/app`. Both are real paths. */
export function isInside(root: string, path: string, caseless = isCaseless): boolean {
  const [one, two] = caseless ? [fold(root), fold(path)] : [root, path];
  return two === one || two.startsWith(one.endsWith(sep) ? one : one + sep);
}

function fold(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/**
 * A path as the file system takes it, `~` spelled out.
 * @throws ToolError for spellings that mean something else than they seem to
 */
export function spellOut(path: string, platform: NodeJS.Platform = process.platform): string {
  if (path === '') throw new ToolError('The path is empty. Name a file or folder of the workspace.');
  if (path.includes('\0')) throw new ToolError('The path holds a NUL character. Leave it out.');
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(path)) {
    throw new ToolError(`${path} is an address, not a path. Give the path alone, without \`file://\`.`);
  }
  if (/^(\\\\|\/\/|\\\/|\/\\)/.test(path)) {
    throw new ToolError(`${path} names a network share or device, which is not allowed. Use a path in the workspace.`);
  }
  if (platform === 'win32') refuseOnWindows(path);
  return path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path;
}

function refuseOnWindows(path: string): void {
  if (/^[a-z]:(?![\\/])/i.test(path)) {
    throw new ToolError(
      `${path} depends on the current folder of a drive. Write the whole path, e.g. C:\\folder\\file.`,
    );
  }
  const names = path.replace(/^[a-z]:/i, '').split(/[\\/]/);
  // Windows drops these ends, so that two spellings would be one file.
  if (names.some((name) => name.includes(':') || (/[. ]$/.test(name) && !/^\.{1,2}$/.test(name)))) {
    throw new ToolError(
      `${path} holds a name that Windows changes (a colon, or a dot or space at its end). Use the plain name.`,
    );
  }
}

const maxLinks = 40;

/** The real path of what is there, and of the nearest ancestor of what is not. A link to nothing is followed as well. */
async function followLinks(path: string, asGiven: string, links = 0): Promise<string> {
  const missing: string[] = [];
  for (let current = path; ; current = dirname(current)) {
    try {
      return join(await realpath(current), ...missing);
    } catch (cause) {
      if (!isMissing(cause))
        throw new ToolError(`${asGiven} cannot be reached (${messageOf(cause)}). Use another path.`, { cause });
    }
    const target = await linkTargetOf(current);
    if (target !== undefined) {
      if (links >= maxLinks) throw new ToolError(`${asGiven} is a chain of links without an end. Use another path.`);
      const folder = await followLinks(dirname(current), asGiven, links + 1);
      return join(await followLinks(resolve(folder, target), asGiven, links + 1), ...missing);
    }
    if (dirname(current) === current) return join(current, ...missing);
    missing.unshift(basename(current));
  }
}

/** The real place of an absolute path, wherever it is; for what is not there, by its nearest ancestor. */
export function locate(path: string): Promise<string> {
  return followLinks(path, path);
}

async function linkTargetOf(path: string): Promise<string | undefined> {
  const found = await lstat(path).catch(() => undefined);
  return found?.isSymbolicLink() ? await readlink(path) : undefined;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function readOnly(path: string): ToolError {
  return new ToolError(`${path} may only be read. Write to a file in the workspace instead.`);
}

function inOriginal(path: string, twin: string): ToolError {
  return new ToolError(
    `${path} is in the main checkout, and you work in a worktree of your own. Change ${twin} instead: relative paths lead there.`,
  );
}

function outside(path: string, place: string, roots: readonly string[]): ToolError {
  const through = isAbsolute(path) && path === place ? '' : ` (it is ${place})`;
  return new ToolError(`${path}${through} is outside the workspace. Use a path inside ${roots.join(' or ')}.`);
}
