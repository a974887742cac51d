import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, realpath } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { WorktreeError } from '../../host.ts';
import type { Checkout } from './checkout.ts';

const listFile = '.worktreeinclude';
const maxFiles = 2000;
const maxBytes = 500 * 1024 * 1024;

/**
 * Copies the files that `.worktreeinclude` names, in the way of ignore files, and that git ignores: those that a checkout
 * lacks, such as `.env`. Links are not followed.
 * @returns what was copied, relative
 */
export async function copyIncluded(main: Checkout, path: string, signal: AbortSignal): Promise<readonly string[]> {
  if (!(await isFile(join(main.path, listFile)))) return [];
  const named = await main.run(['ls-files', '-z', '--others', '--ignored', `--exclude-from=${listFile}`], signal);
  const ignored = await main.attempt(['check-ignore', '-z', '--stdin'], signal, { input: named });
  const files = ignored.output.split('\0').filter((file) => file !== '');
  if (files.length > maxFiles) {
    throw new WorktreeError(`${listFile} names ${files.length} files; at most ${maxFiles} are copied. Name fewer.`);
  }
  const copied: string[] = [];
  let left = maxBytes;
  for (const file of files) {
    signal.throwIfAborted();
    const from = join(main.path, file);
    const to = join(path, file);
    const found = await lstat(from).catch(() => undefined);
    if (!found?.isFile()) continue;
    left -= found.size;
    if (left < 0) throw new WorktreeError(`${listFile} names more than ${maxBytes} bytes. Name fewer files.`);
    await mkdir(dirname(to), { recursive: true });
    const folder = await realpath(dirname(to));
    if (folder !== path && !folder.startsWith(path + sep)) continue;
    await copyFile(from, to, constants.COPYFILE_EXCL).then(
      () => copied.push(file),
      (error: unknown) => {
        if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
      },
    );
  }
  return copied;
}

async function isFile(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isFile() ?? false;
}
