import type { Shell } from '../../../host.ts';
import type { Hook, HookAction, HookInput } from '../hook.ts';
import { blocked, type Reading, readOutput, readPrinted, type Said } from './output.ts';

/** How one run of a hook ended. */
export type HookEnd =
  | { readonly outcome: 'ok'; readonly said: Said }
  | { readonly outcome: 'failed' | 'timed_out'; readonly problem: string }
  | { readonly outcome: 'cancelled' };

const maxOutputChars = 1_000_000;
const maxProblemChars = 500;

/** Runs it to its end or its time-out. Never rejects. @param project the first folder of the workspace */
export async function runHook(
  hook: Hook,
  input: HookInput,
  shell: Shell,
  project: string,
  signal: AbortSignal,
): Promise<HookEnd> {
  const { action } = hook;
  try {
    switch (action.kind) {
      case 'command':
        return await runCommand(action, input, shell, placesOf(hook, input, project), signal);
      case 'handler':
        return await runHandler(action, input, signal);
      case 'unusable':
        return { outcome: 'failed', problem: action.problem };
    }
  } catch (error) {
    if (signal.aborted) return { outcome: 'cancelled' };
    return { outcome: 'failed', problem: error instanceof Error ? error.message : String(error) };
  }
}

type Places = { readonly directory: string; readonly project: string };

/** What was approved is of the main checkout: a copy of it in an agent's worktree may be the agent's. The user's own run where the agent works. */
function placesOf(hook: Hook, { cwd }: HookInput, workspace: string): Places {
  const project = hook.directory ?? workspace;
  return { project, directory: hook.origin === 'settings' ? cwd : project };
}

async function runCommand(
  { command, timeoutMs }: Extract<HookAction, { kind: 'command' }>,
  input: HookInput,
  shell: Shell,
  { directory, project }: Places,
  signal: AbortSignal,
): Promise<HookEnd> {
  const { ending, exitCode, output, errorOutput } = await shell.run(
    {
      command,
      directory,
      timeoutMs,
      maxOutputChars,
      input: `${JSON.stringify(input)}\n`,
      // The first is what hooks written for Claude Code look for.
      environment: { CLAUDE_PROJECT_DIR: project, OFFSHOOT_PROJECT_DIR: project },
      isErrorApart: true,
      onOutput: () => undefined,
    },
    signal,
  );
  if (ending === 'cancelled') return { outcome: 'cancelled' };
  if (ending === 'timed_out') return timedOut(timeoutMs);
  if (exitCode === 0) return toEnd(readPrinted(input.hook_event_name, output));
  const words = (errorOutput?.trim() || output.trim()).slice(0, maxProblemChars);
  if (exitCode === 2) return { outcome: 'ok', said: blocked(errorOutput?.trim() || output) };
  const how = exitCode === undefined ? 'it was killed' : `it ended with exit code ${exitCode}`;
  return { outcome: 'failed', problem: words === '' ? `${how}.` : `${how}: ${words}` };
}

async function runHandler(
  { handler, timeoutMs }: Extract<HookAction, { kind: 'handler' }>,
  input: HookInput,
  signal: AbortSignal,
): Promise<HookEnd> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const limited = AbortSignal.any([signal, timeout]);
  if (limited.aborted) return { outcome: 'cancelled' };
  let stopWaiting = () => {};
  const ended = new Promise<'ended'>((resolve) => {
    stopWaiting = () => resolve('ended');
  });
  limited.addEventListener('abort', stopWaiting, { once: true });
  try {
    // Its own copy: what it changes stays with it.
    const answer = Promise.resolve(handler(structuredClone(input), { signal: limited }));
    const first = await Promise.race([ended, answer.then((value: unknown) => ({ value }))]);
    if (first !== 'ended') return toEnd(readOutput(input.hook_event_name, first.value));
    answer.catch(() => undefined);
    return signal.aborted ? { outcome: 'cancelled' } : timedOut(timeoutMs);
  } finally {
    limited.removeEventListener('abort', stopWaiting);
  }
}

function toEnd(reading: Reading): HookEnd {
  return reading.ok ? { outcome: 'ok', said: reading.said } : { outcome: 'failed', problem: reading.problem };
}

function timedOut(timeoutMs: number): HookEnd {
  return {
    outcome: 'timed_out',
    problem: `it did not end within ${timeoutMs / 1000} s and was stopped with all it had started.`,
  };
}
