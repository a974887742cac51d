import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { systemCode } from '../files/fileErrors.ts';

/** A command's processes: the group it leads, and those that left the group. */
export type ProcessTree = {
  /** The id of the shell: of its process, its group and its session. */
  readonly leader: number;
  /** A variable, `NAME=value`, that every process of the command has inherited. */
  readonly mark: string;
};

const termGraceMs = 500;
const pollMs = 20;

/** Asks all processes of the tree to end, and ends those that are there half a second later. */
export async function endProcesses(tree: ProcessTree): Promise<void> {
  if (process.platform === 'win32') return endOnWindows(tree.leader);
  let members = await findMembers(tree);
  if (members.length === 0) return;
  signalAll(tree, members, 'SIGTERM');
  const deadline = Date.now() + termGraceMs;
  while (Date.now() < deadline && members.some(isAlive)) await pause(pollMs);
  // A process that forks while it is being killed may leave a child behind; hence more than one round.
  for (let round = 0; round < 5; round++) {
    members = [...new Set([...members.filter(isAlive), ...(await findMembers(tree))])];
    if (members.length === 0) return;
    signalAll(tree, members, 'SIGKILL');
    await pause(pollMs);
  }
}

function signalAll(tree: ProcessTree, members: readonly number[], signal: 'SIGTERM' | 'SIGKILL'): void {
  // The group's number may belong to others once nobody of ours is in it.
  if (members.includes(tree.leader) || members.some((member) => statusOf(member)?.group === tree.leader)) {
    send(-tree.leader, signal);
  }
  for (const member of members) send(member, signal);
}

async function findMembers(tree: ProcessTree): Promise<number[]> {
  return process.platform === 'linux' ? findInProc(tree) : await findWithPs(tree);
}

function findInProc(tree: ProcessTree): number[] {
  return (
    readdirSync('/proc')
      .map(Number)
      // What the command started is younger than its shell and has a higher number.
      .filter((id) => id >= tree.leader && isMember(id, tree))
  );
}

function isMember(id: number, tree: ProcessTree): boolean {
  const status = statusOf(id);
  if (!status || status.isZombie) return false;
  if (id === tree.leader || status.group === tree.leader || status.session === tree.leader) return true;
  const environment = readProc(id, 'environ');
  return environment !== undefined && `\0${environment}`.includes(`\0${tree.mark}\0`);
}

type ProcessStatus = { readonly isZombie: boolean; readonly group: number; readonly session: number };

function statusOf(id: number): ProcessStatus | undefined {
  const text = readProc(id, 'stat');
  if (text === undefined) return undefined;
  // The second field is the name in brackets, which may itself hold brackets and spaces.
  const [state, , group, session] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { isZombie: state === 'Z' || state === 'X', group: Number(group), session: Number(session) };
}

function readProc(id: number, file: 'stat' | 'environ'): string | undefined {
  try {
    return readFileSync(`/proc/${id}/${file}`, 'latin1');
  } catch {
    // Gone meanwhile, or another user's.
    return undefined;
  }
}

/** Without /proc: the group, and all descendants that still have their parent. */
async function findWithPs(tree: ProcessTree): Promise<number[]> {
  const rows = (await runQuietly('ps', ['-axo', 'pid=,ppid=,pgid=,stat=']))
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state]) => state !== undefined && !state.startsWith('Z'))
    .map(([id, parent, group]) => ({ id: Number(id), parent: Number(parent), group: Number(group) }));
  const members = new Set(rows.filter((row) => row.group === tree.leader).map((row) => row.id));
  members.add(tree.leader);
  for (let size = 0; size < members.size; ) {
    size = members.size;
    for (const row of rows) if (members.has(row.parent)) members.add(row.id);
  }
  return rows.map((row) => row.id).filter((id) => members.has(id));
}

function isAlive(id: number): boolean {
  if (process.platform === 'linux') return statusOf(id)?.isZombie === false;
  try {
    process.kill(id, 0);
    return true;
  } catch {
    return false;
  }
}

function send(id: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(id, signal);
  } catch (error) {
    if (systemCode(error) !== 'ESRCH' && systemCode(error) !== 'EPERM') throw error;
  }
}

async function endOnWindows(leader: number): Promise<void> {
  await runQuietly('taskkill', ['/PID', String(leader), '/T', '/F']);
}

function runQuietly(file: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => execFile(file, args, { windowsHide: true }, (_error, stdout) => resolve(stdout)));
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
