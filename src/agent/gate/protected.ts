import { fold } from './fold.ts';

/**
 * Files that decide what runs on this machine or what the agent may do: changing one is asked about in every mode.
 * Judged by pattern, so that a file that is not there yet counts too; names are compared casefolded and normalised,
 * since some file systems do not tell the spellings apart.
 */
const protectedFolders = new Set(['.git', '.vscode', '.claude', '.offshoot', '.devcontainer']);

const protectedFiles = new Set([
  '.mcp.json',
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
    if (protectedFolders.has(segment) || protectedFiles.has(segment) || segment.endsWith('.code-workspace'))
      return true;
    return segment === '.github' && segments[index + 1] === 'agents';
  });
}

/** Names that make a path protected, for patterns that may stand for one. */
export const protectedNames: readonly string[] = [...protectedFolders, ...protectedFiles, '.github', 'agents'];

/** Windows drops trailing dots and blanks and reads `name:stream` as `name`. */
function foldSegment(segment: string): string {
  const name = fold(segment);
  return (name.split(':')[0] ?? name).replace(/[. ]+$/, '') || name;
}
