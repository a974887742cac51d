/** The process that extensions run in, of one server alone. Linux only: it is found in /proc. */
import { readdir, readFile } from 'node:fs/promises';
import type { EditorServer } from './server.ts';

type ServerProcess = { readonly pid: number; readonly parent: number; readonly command: string };

/** Ends it at once, as a crash would. @returns how many there were */
export async function killExtensionHosts(server: EditorServer): Promise<number> {
  const all = await listProcesses();
  const isOfServer = ({ parent, command }: ServerProcess): boolean => {
    if (command.includes(server.userDataDir)) return true;
    const above = all.get(parent);
    return above !== undefined && isOfServer(above);
  };
  const hosts = [...all.values()].filter((each) => each.command.includes('--type=extensionHost') && isOfServer(each));
  for (const { pid } of hosts) process.kill(pid, 'SIGKILL');
  return hosts.length;
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
