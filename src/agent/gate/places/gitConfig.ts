import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/**
 * A repository's own configuration can name programs that git runs even where it only reads: monitors, filters, text
 * converters, signature checks, fetches of missing objects, hooks. So git reads unasked only where all keys of that
 * configuration are known to name none. The user's own configuration is the user's.
 */
const plainKeys: ReadonlySet<string> = new Set(
  `core.repositoryformatversion core.filemode core.bare core.logallrefupdates core.ignorecase core.precomposeunicode core.symlinks
  core.autocrlf core.eol core.safecrlf core.quotepath core.longpaths core.abbrev core.sparsecheckout core.sparsecheckoutcone
  core.untrackedcache core.hookspath core.hidedotfiles core.protectntfs core.protecthfs core.preloadindex
  extensions.worktreeconfig extensions.objectformat extensions.refstorage
  user.name user.email user.signingkey commit.gpgsign tag.gpgsign pull.rebase pull.ff push.default push.autosetupremote
  push.followtags rebase.autosquash rebase.autostash merge.ff merge.conflictstyle fetch.prune gc.auto gc.autodetach init.defaultbranch
  diff.renames diff.algorithm diff.colormoved log.date status.showuntrackedfiles rerere.enabled color.ui lfs.repositoryformatversion
  index.version feature.manyfiles`.split(/\s+/),
);
/** Keys of a subsection, by section. */
const plainSubkeys: Readonly<Record<string, readonly string[]>> = {
  remote: ['url', 'pushurl', 'fetch', 'push', 'tagopt', 'prune', 'mirror', 'gh-resolved'],
  branch: ['remote', 'merge', 'rebase', 'pushremote', 'description', 'vscode-merge-base', 'github-pr-owner-number'],
  submodule: ['url', 'active'],
};
const maxIndexBytes = 64 * 1024 * 1024;
const maxConfigBytes = 1024 * 1024;
/** Its mode in the index: a repository within the repository, in which git would start another git. */
const nestedRepositoryMode = Buffer.from([0x00, 0x00, 0xe0, 0x00]);

/** Whether git, started in this folder to read, runs nothing but itself. */
export async function isPlainRepository(folder: string): Promise<boolean> {
  try {
    const found = await findRepository(folder);
    return found === undefined || (found !== 'unclear' && (await isPlain(found)));
  } catch {
    return false;
  }
}

type Repository = { readonly top: string; readonly gitFolder: string; readonly commonFolder: string };

/** The one that git would find; undefined when there is none. */
async function findRepository(start: string): Promise<Repository | 'unclear' | undefined> {
  for (let folder = await realpath(start); ; folder = dirname(folder)) {
    const git = join(folder, '.git');
    const kind = await kindOf(git);
    if (kind === 'folder') return withCommonFolder(folder, await realpath(git));
    if (kind === 'file') {
      const [, target] = /^gitdir: (.+?)\n?$/.exec(await readSmall(git)) ?? [];
      return target === undefined ? 'unclear' : withCommonFolder(folder, await realpath(resolve(folder, target)));
    }
    // A folder that looks like the inside of a repository is one to git.
    if (
      (await kindOf(join(folder, 'HEAD'))) &&
      (await kindOf(join(folder, 'objects'))) &&
      (await kindOf(join(folder, 'refs')))
    )
      return 'unclear';
    if (dirname(folder) === folder) return undefined;
  }
}

async function withCommonFolder(top: string, gitFolder: string): Promise<Repository> {
  const named = (await kindOf(join(gitFolder, 'commondir')))
    ? (await readSmall(join(gitFolder, 'commondir'))).trim()
    : '.';
  return { top, gitFolder, commonFolder: await realpath(resolve(gitFolder, named)) };
}

async function isPlain({ top, gitFolder, commonFolder }: Repository): Promise<boolean> {
  const hookFolders = [join(commonFolder, 'hooks')];
  for (const file of [join(commonFolder, 'config'), join(gitFolder, 'config.worktree')]) {
    if (!(await kindOf(file))) continue;
    const entries = readConfig(await readSmall(file));
    if (!entries?.every(({ key }) => isPlainKey(key))) return false;
    const hookPaths = entries.filter(({ key }) => key === 'core.hookspath');
    if (hookPaths.some(({ value }) => /^[~%]/.test(value))) return false;
    hookFolders.push(...hookPaths.map(({ value }) => resolve(top, value)));
  }
  // The one hook that runs when git only refreshes its index.
  const hooks = await Promise.all(hookFolders.map((folder) => kindOf(join(folder, 'post-index-change'))));
  return hooks.every((hook) => hook === undefined) && !(await hasNestedRepository(gitFolder));
}

function isPlainKey(key: string): boolean {
  if (plainKeys.has(key)) return true;
  const section = key.slice(0, key.indexOf('.'));
  const name = key.slice(key.lastIndexOf('.') + 1);
  return (
    key.split('.').length > 2 &&
    Object.hasOwn(plainSubkeys, section) &&
    (plainSubkeys[section]?.includes(name) ?? false)
  );
}

type ConfigEntry = { readonly key: string; readonly value: string };

/** Reads the plain form only: one heading or one `key = value` a line. @returns undefined for anything else */
export function readConfig(text: string): readonly ConfigEntry[] | undefined {
  const entries: ConfigEntry[] = [];
  let section = '';
  for (const line of text.split('\n').map((raw) => raw.trim())) {
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue;
    const [heading, name, , subsection] = /^\[([A-Za-z0-9-]+)( "([^"\\]*)")?\]$/.exec(line) ?? [];
    if (heading !== undefined) {
      section = `${name?.toLowerCase()}${subsection === undefined ? '' : `.${subsection}`}`;
      continue;
    }
    const [entry, key, , value = ''] = /^([A-Za-z][A-Za-z0-9-]*)(\s*=\s*([^\\"]*))?$/.exec(line) ?? [];
    if (entry === undefined || section === '') return undefined;
    entries.push({ key: `${section}.${key?.toLowerCase()}`, value: value.replace(/\s[#;].*$/, '').trim() });
  }
  return entries;
}

async function hasNestedRepository(gitFolder: string): Promise<boolean> {
  const names = await readdir(gitFolder);
  if (names.some((name) => name.startsWith('sharedindex.'))) return true;
  if (!names.includes('index')) return false;
  const file = join(gitFolder, 'index');
  if ((await stat(file)).size > maxIndexBytes) return true;
  return (await readFile(file)).includes(nestedRepositoryMode);
}

async function kindOf(path: string): Promise<'file' | 'folder' | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found && (found.isDirectory() ? 'folder' : 'file');
}

async function readSmall(path: string): Promise<string> {
  if ((await stat(path)).size > maxConfigBytes) throw new Error(`${path} is too long`);
  return readFile(path, 'utf8');
}
