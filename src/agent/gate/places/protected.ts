import { fold } from './fold.ts';

/**
 * Files that decide what runs on this machine or what the agent may do: changing one is asked about in every mode.
 * Judged by pattern, so that a file that is not there yet counts too; names are compared casefolded and normalised,
 * since some file systems do not tell the spellings apart.
 */
const protectedFolders = new Set([
  '.git',
  '.vscode',
  '.idea',
  '.claude',
  '.offshoot',
  '.devcontainer',
  '.husky',
  '.ssh',
]);

/** Folders that are so within another one only. */
const protectedWithin: readonly (readonly [string, string])[] = [
  ['.github', 'agents'],
  ['.config', 'git'],
  ['.config', 'fish'],
  ['.config', 'autostart'],
  ['.config', 'systemd'],
  ['.config', 'environment.d'],
];

const protectedFiles = new Set([
  '.mcp.json',
  '.claude.json',
  '.ripgreprc',
  '.envrc',
  'tasks.json',
  'launch.json',
  '.devcontainer.json',
  '.bashrc',
  '.bash_profile',
  '.bash_login',
  '.bash_logout',
  '.bash_aliases',
  '.profile',
  '.zshrc',
  '.zshenv',
  '.zprofile',
  '.zlogin',
  '.zlogout',
  '.kshrc',
  '.cshrc',
  '.tcshrc',
  '.login',
  '.inputrc',
  '.gitconfig',
  '.gitmodules',
  'config.fish',
  'profile.ps1',
  'microsoft.powershell_profile.ps1',
]);

export function isProtectedPath(path: string): boolean {
  const segments = path.split(/[\\/]+/).map(foldSegment);
  return segments.some((segment, index) => {
    if (isProtectedName(segment)) return true;
    return protectedWithin.some(([outer, inner]) => segment === outer && segments[index + 1] === inner);
  });
}

function isProtectedName(name: string): boolean {
  return protectedFolders.has(name) || protectedFiles.has(name) || name.endsWith(workspaceFile) || isShortName(name);
}

const workspaceFile = '.code-workspace';

/** Names that make a path protected, for patterns that may stand for one. */
export const protectedNames: readonly string[] = [...protectedFolders, ...protectedFiles, '.github', 'agents'];

/** All that is protected, for people. */
export const protections: readonly string[] = [
  ...protectedFolders,
  ...protectedFiles,
  ...protectedWithin.map((names) => names.join('/')),
  `*${workspaceFile}`,
].sort();

/** Windows has a second name for every file, such as `GIT~1` for `.git`. */
function isShortName(name: string): boolean {
  const [, start, ending] = /^([^.~]{1,6})~\d+(?:\.([^.]{0,3}))?$/.exec(name) ?? [];
  if (start === undefined) return false;
  return ending === 'cod' || [...protectedFolders, ...protectedFiles].some((other) => shortStart(other) === start);
}

function shortStart(name: string): string {
  const [first = ''] = name.replace(/^\.+/, '').split('.');
  return first.replace(/[^a-z0-9_-]/g, '').slice(0, 6);
}

/** Some file systems leave out letters that cannot be seen. Windows drops trailing dots and blanks and reads `name:stream` as `name`. */
function foldSegment(segment: string): string {
  const name = fold(segment.replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, ''));
  return (name.split(':')[0] ?? name).replace(/[. ]+$/, '') || name;
}
