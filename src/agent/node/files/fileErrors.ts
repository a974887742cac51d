import { FileError, type FileErrorKind } from '../../host.ts';

/** The code of a system error, e.g. `ENOENT`. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

const known: Readonly<Record<string, readonly [FileErrorKind, string]>> = {
  ENOENT: ['not_found', 'does not exist. Check the path, or find it with Glob.'],
  ENOTDIR: ['not_found', 'does not exist: a part of the path is a file. Find it with Glob.'],
  EISDIR: ['not_a_file', 'is a folder. Name a file in it.'],
  EACCES: ['no_permission', 'may not be opened by this user. Change its permissions or choose another file.'],
  EPERM: ['no_permission', 'may not be changed by this user. Change its permissions or choose another file.'],
  EROFS: ['no_permission', 'is on a read-only file system. Choose another place.'],
  EEXIST: ['exists', 'exists already. Read it first.'],
  ELOOP: ['io', 'is a chain of links without an end. Name the file itself.'],
  ENAMETOOLONG: ['io', 'is too long for a path. Choose a shorter name.'],
  ENOSPC: ['io', 'could not be written: the disk is full. Make room and try again.'],
};

/** A FileError for whatever a file operation threw; a FileError is returned as it is. */
export function fileErrorOf(error: unknown, path: string): FileError {
  if (error instanceof FileError) return error;
  const code = systemCode(error);
  const [kind, text] = (code !== undefined && known[code]) || ['io' as const, undefined];
  const reason = error instanceof Error ? error.message : String(error);
  return new FileError(kind, path, `${path} ${text ?? `could not be used (${reason}). Try again.`}`, error);
}
