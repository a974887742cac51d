import { constants } from 'node:fs';
import { mkdir, open, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** What a journal needs of an open file. Writes go to the end. */
export interface JournalFile {
  size(): Promise<number>;
  /** Fewer bytes than asked for only at the end of the file. */
  read(position: number, length: number): Promise<Uint8Array>;
  /** @returns how many bytes were taken; may be fewer than given */
  write(bytes: Uint8Array): Promise<number>;
  /** Returns when everything written is on the medium. */
  sync(): Promise<void>;
  truncate(length: number): Promise<void>;
  close(): Promise<void>;
}

/** The file system as a journal sees it; tests put failing ones here. */
export interface JournalFiles {
  /** Opens for reading and appending; creates the file (0600) and its folder (0700) where missing. */
  open(path: string): Promise<JournalFile>;
  /** Creates a private file that must not exist. @throws with code `EEXIST` */
  keepAside(path: string, bytes: Uint8Array): Promise<void>;
}

export const diskFiles: JournalFiles = {
  async open(path) {
    const directory = dirname(path);
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const handle = await open(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT, 0o600);
    await syncDirectory(directory);
    return {
      size: async () => (await handle.stat()).size,
      read: async (position, length) => {
        const bytes = new Uint8Array(length);
        let filled = 0;
        while (filled < length) {
          const { bytesRead } = await handle.read(bytes, filled, length - filled, position + filled);
          if (bytesRead === 0) break;
          filled += bytesRead;
        }
        return bytes.subarray(0, filled);
      },
      write: async (bytes) => (await handle.write(bytes)).bytesWritten,
      sync: () => handle.datasync(),
      truncate: (length) => handle.truncate(length),
      close: () => handle.close(),
    };
  },
  keepAside: (path, bytes) => writeFile(path, bytes, { flag: 'wx', mode: 0o600 }),
};

/** Makes a new file's name as durable as its content. Windows has no such call and needs none. */
export async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
