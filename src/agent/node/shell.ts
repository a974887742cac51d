import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { Shell, ShellRequest, ShellResult } from '../host.ts';
import { ToolError } from '../tools/toolError.ts';
import { commandEnvironment } from './shell/environment.ts';
import { createOutputBuffer } from './shell/outputBuffer.ts';
import { endProcesses, type ProcessTree } from './shell/processes.ts';

/** How long to wait for the end of the output when the shell and all processes that were found are gone. */
const drainMs = 1000;

type ShellOptions = {
  /** The environment to choose from; by default that of this process. */
  readonly environment?: NodeJS.ProcessEnv;
};

/** Runs each command in a shell of its own; what it has started ends with it. */
export function createNodeShell(options: ShellOptions = {}): Shell {
  const environment = commandEnvironment(options.environment ?? process.env);
  return { run: (request, signal) => runCommand(request, environment, signal) };
}

async function runCommand(
  request: ShellRequest,
  environment: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<ShellResult> {
  const started = performance.now();
  const passed = () => Math.round(performance.now() - started);
  if (signal.aborted) {
    return { exitCode: undefined, output: '', outputChars: 0, isTruncated: false, ending: 'cancelled', durationMs: 0 };
  }
  const id = randomUUID();
  const child = startShell(request, { ...environment, ...request.environment, OFFSHOOT_COMMAND: id });
  const errors = request.isErrorApart ? child.stderr : null;
  const streams = [child.stdout, errors ? null : child.stderr].filter((stream) => stream !== null);
  const output = createOutputBuffer(request.maxOutputChars, request.outputFile, () => {
    for (const stream of streams) stream.resume();
  });
  const show = (text: string) => {
    if (text === '') return;
    if (!output.add(text)) for (const stream of streams) stream.pause();
    request.onOutput(text);
  };
  const { filter } = request;
  const closed = collect(child, streams, (text) => show(filter ? filter.add(text) : text));

  const errorOutput = createOutputBuffer(request.maxOutputChars, undefined, () => undefined);
  if (errors) collect(child, [errors], (text) => void errorOutput.add(text)).catch(() => undefined);
  giveInput(child, request.input);

  const tree: ProcessTree | undefined =
    child.pid === undefined ? undefined : { leader: child.pid, mark: `OFFSHOOT_COMMAND=${id}` };
  const end = await waitForEnd(child, tree, request, signal);
  // What the command left in the background ends with it.
  if (tree) await endProcesses(tree);
  await Promise.race([closed, after(drainMs)]);
  for (const stream of streams) stream.destroy();
  if (filter) show(filter.end());
  errors?.destroy();
  const apart = errors && { errorOutput: (await errorOutput.end()).output };
  return { ...end, ...(await output.end()), ...apart, durationMs: passed() };
}

function startShell(request: ShellRequest, environment: Readonly<Record<string, string>>): ChildProcess {
  const options = { cwd: request.directory, env: environment, detached: true, windowsHide: true } as const;
  const input = request.input === undefined ? 'ignore' : 'pipe';
  if (process.platform === 'win32') {
    const shell = environment.ComSpec ?? 'cmd.exe';
    return spawn(shell, ['/d', '/s', '/c', `"${request.command}"`], {
      ...options,
      detached: false,
      windowsVerbatimArguments: true,
      stdio: [input, 'pipe', 'pipe'],
    });
  }
  // Where its input is a socket, as it is here, bash takes it for a remote shell and reads ~/.bashrc.
  const shell = existsSync('/bin/bash') ? ['/bin/bash', '--norc', '-c'] : ['/bin/sh', '-c'];
  const [program = '', ...args] = [...shell, request.command];
  if (request.isErrorApart) return spawn(program, args, { ...options, stdio: [input, 'pipe', 'pipe'] });
  // Both outputs share one pipe: only so do their lines keep the order in which they were written.
  return spawn('/bin/sh', ['-c', 'exec "$0" "$@" 2>&1', program, ...args], {
    ...options,
    stdio: [input, 'pipe', 'ignore'],
  });
}

/** A command that does not read it must not be held up, nor its end be an error. */
function giveInput(child: ChildProcess, input: string | undefined): void {
  if (input === undefined) return;
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(input);
}

function collect(child: ChildProcess, streams: readonly Readable[], add: (text: string) => void): Promise<void> {
  for (const stream of streams) {
    const decoder = new StringDecoder('utf8');
    stream.on('data', (chunk: Buffer) => {
      const text = decoder.write(chunk);
      if (text !== '') add(text);
    });
    stream.on('end', () => {
      const rest = decoder.end();
      if (rest !== '') add(rest);
    });
    stream.on('error', () => undefined);
  }
  return new Promise((resolve) => child.once('close', () => resolve()));
}

type End = Pick<ShellResult, 'exitCode' | 'ending'>;

/** Until the shell itself has ended; the time-out and the signal end it with all its processes. */
function waitForEnd(
  child: ChildProcess,
  tree: ProcessTree | undefined,
  request: ShellRequest,
  signal: AbortSignal,
): Promise<End> {
  return new Promise((resolve, reject) => {
    let forced: 'timed_out' | 'cancelled' | undefined;
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
      settle();
    };
    const force = (ending: 'timed_out' | 'cancelled') => {
      if (forced) return;
      forced = ending;
      const ended = tree ? endProcesses(tree) : Promise.resolve();
      // A process that cannot be ended must not hold the call.
      ended.then(() => finish(() => resolve({ exitCode: undefined, ending })), reject);
    };
    const cancel = () => force('cancelled');
    const timer = setTimeout(() => force('timed_out'), request.timeoutMs);
    signal.addEventListener('abort', cancel, { once: true });
    child.once('error', (cause) => finish(() => reject(startFailed(request.directory, cause))));
    child.once('exit', (code) => {
      if (forced) return;
      finish(() =>
        resolve(code === null ? { exitCode: undefined, ending: 'killed' } : { exitCode: code, ending: 'exited' }),
      );
    });
  });
}

function startFailed(directory: string, cause: Error): ToolError {
  return new ToolError(
    `The shell could not be started in ${directory}: ${cause.message}. Check that the folder exists.`,
    {
      cause,
    },
  );
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
