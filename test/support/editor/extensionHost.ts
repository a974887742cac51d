/** The process that extensions run in, of one server alone. Linux only: it is found in /proc. */
import { readdir, readFile } from 'node:fs/promises';
import type { EditorServer } from './server.ts';

type ServerProcess = { readonly pid: number; readonly parent: number; readonly command: string };

/** Their process ids. One that was ended earlier may have been started anew for a window that is gone. */
export async function findExtensionHosts(server: EditorServer): Promise<readonly number[]> {
  const all = await listProcesses();
  const isOfServer = ({ parent, command }: ServerProcess): boolean => {
    if (command.includes(server.userDataDir)) return true;
    const above = all.get(parent);
    return above !== undefined && isOfServer(above);
  };
  const hosts = [...all.values()].filter((each) => each.command.includes('--type=extensionHost') && isOfServer(each));
  return hosts.map(({ pid }) => pid);
}

/** Ends them at once, as a crash would. */
export function killProcesses(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
}

async function listProcesses(): Promise<ReadonlyMap<number, ServerProcess>> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0);
  const found = await Promise.all(
    pids.map(async (pid) => {
      // It may end while it is looked at.
      const read = (name: string) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '');
      const [command, status] = await Promise.all([read('cmdline'), read('status')]);
      const parent = Number(/^PPid:\s*(\d+)$/m.exec(status)?.[1] ?? 0);
      return { pid, parent, command: command.replaceAll('\0', ' ') };
    }),
  );
  return new Map(found.map((each) => [each.pid, each]));
}
