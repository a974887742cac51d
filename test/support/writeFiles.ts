import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** @param files text by path below `directory` */
export async function writeFiles(directory: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), text);
  }
}
