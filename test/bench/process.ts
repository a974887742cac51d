/** Runs a program to its end and measures it and its children from outside. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

export type ProcessFigures = {
  readonly exitCode: number;
  /** The last of what it wrote. */
  readonly output: string;
  readonly errors: string;
  /** Milliseconds of the clock of `performance.now()`. */
  readonly startedAt: number;
  readonly wallMs: number;
  /** Of the program and all its children; undefined where there is no bash. */
  readonly cpuMs: number | undefined;
  /** Most memory of all its processes together, looked at 40 times a second; undefined where there is no /proc. */
  readonly peakMb: number | undefined;
};

const sampleMs = 25;
const keptChars = 20_000;
/** Bash's `time` counts the children that a program has waited for as well. */
const timed = `TIMEFORMAT='bench-cpu %U %S'; { time "$@" 2>&4; } 4>&2 2>&3`;

export async function runMeasured(
  command: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly limitMs: number },
): Promise<ProcessFigures> {
  const startedAt = performance.now();
  const child = spawn('bash', ['-c', timed, 'bash', ...command], {
    cwd: options.cwd,
    env: options.env,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    detached: true,
  });
  const texts = [1, 2, 3].map((index) => {
    const text = { value: '' };
    const stream = child.stdio[index];
    if (stream && 'setEncoding' in stream) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        text.value = (text.value + chunk).slice(-keptChars);
      });
    }
    return text;
  });
  let peakKb = 0;
  const sampler = setInterval(() => {
    if (child.pid !== undefined) peakKb = Math.max(peakKb, memoryBelow(child.pid));
  }, sampleMs);
  const end = () => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  };
  const timer = setTimeout(end, options.limitMs);
  const exitCode = await new Promise<number>((done, fail) => {
    child.once('error', fail);
    child.once('close', (code) => done(code ?? 128));
  });
  const wallMs = performance.now() - startedAt;
  clearInterval(sampler);
  clearTimeout(timer);
  const [output = '', errors = '', times = ''] = texts.map(({ value }) => value);
  const [, user, system] = /bench-cpu ([\d.]+) ([\d.]+)/.exec(times) ?? [];
  return {
    exitCode,
    output,
    errors,
    startedAt,
    wallMs,
    cpuMs: user === undefined ? undefined : (Number(user) + Number(system)) * 1000,
    peakMb: peakKb === 0 ? undefined : peakKb / 1024,
  };
}

/** Kilobytes that the descendants of a process hold; the process itself is the bash around what is measured. */
function memoryBelow(parent: number): number {
  return childrenOf(parent).reduce((sum, pid) => sum + residentKb(pid) + memoryBelow(pid), 0);
}

function childrenOf(pid: number): readonly number[] {
  return readProc(`${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
}

function residentKb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readProc(`${pid}/status`))?.[1] ?? 0);
}

function readProc(file: string): string {
  try {
    return readFileSync(`/proc/${file}`, 'utf8');
  } catch {
    // It has just ended.
    return '';
  }
}

/** Processor time that the whole machine has used so far, in milliseconds; 0 where that is not known. */
export function machineBusyMs(): number {
  const [, user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0] =
    readProc('stat').split('\n', 1)[0]?.split(/\s+/).map(Number) ?? [];
  return (user + nice + system + irq + softIrq) * 10;
}
