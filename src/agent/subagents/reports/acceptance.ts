import { randomUUID } from 'node:crypto';
import type { Agent } from '../../loop/agent.ts';
import type { CallEnding } from '../../loop/call.ts';
import { type LoopDependencies, type RunEnd, run } from '../../loop/run.ts';
import type { ToolUseBlock } from '../../messages/types.ts';
import type { Delegation } from '../../tools/agent.ts';
import { findTool, type Tool, ToolError } from '../../tools/tool.ts';
import type { AgentDefinition } from '../definitions.ts';

/** Times that an agent may go on after the command has failed. */
const maxRounds = 3;
const maxOutputChars = 8000;

/** What is known of the command at the agent's end. */
export type AcceptanceVerdict = 'passed' | 'failed' | 'not run';

export type AcceptedEnd = RunEnd & { readonly acceptance?: AcceptanceVerdict };

/** Runs a call for an agent, as if it were its own. */
export type CallForAgent = (agent: Agent, block: ToolUseBlock, signal: AbortSignal) => Promise<CallEnding>;

type Acceptance = {
  /** Runs the command when the agent has answered. @returns what the agent gets to mend; undefined: it may end */
  readonly beforeEnd: (agent: Agent, signal: AbortSignal) => Promise<string | undefined>;
  /** The end as it is with the command in view. */
  readonly settle: (agent: Agent, end: RunEnd, signal: AbortSignal) => Promise<AcceptedEnd>;
};

/** @throws ToolError when the agent could not run the command itself */
export function checkAcceptance({ acceptance }: Delegation, tools: readonly Tool[], definition: AgentDefinition): void {
  if (acceptance === undefined || findTool(tools, 'Bash')) return;
  throw new ToolError(
    `acceptance is a command, and ${definition.name} has no Bash to run it with. Leave acceptance out, or use a type that may run commands.`,
  );
}

/** Runs an agent; where there is a command to pass, until it passes or the rounds are over. */
export async function runAccepted(
  agent: Agent,
  command: string | undefined,
  loop: LoopDependencies,
  callFor: CallForAgent,
  signal: AbortSignal,
): Promise<AcceptedEnd> {
  if (command === undefined) return run(agent, loop, signal);
  const { beforeEnd, settle } = createAcceptance(command, callFor);
  const both: LoopDependencies['beforeEnd'] = async (ending, wanted) =>
    (await beforeEnd(ending, wanted)) ?? (await loop.beforeEnd?.(ending, wanted));
  return settle(agent, await run(agent, { ...loop, beforeEnd: both }, signal), signal);
}

/** A command that must pass before an agent's result counts. It is asked about like any command of the agent. */
function createAcceptance(command: string, callFor: CallForAgent): Acceptance {
  let verdict: AcceptanceVerdict = 'not run';
  let reason = '';
  let rounds = 0;

  /** @returns the output when it failed */
  async function check(agent: Agent, signal: AbortSignal): Promise<string | undefined> {
    verdict = 'not run';
    const block = { type: 'tool_use', id: `acceptance_${randomUUID()}`, name: 'Bash', input: { command } } as const;
    const { status, result } = await callFor(agent, block, signal);
    const output = typeof result.content === 'string' ? result.content : result.summary;
    reason = result.command ? result.summary : output;
    if (status === 'ok') verdict = 'passed';
    // A command that was refused, or could not be started, says nothing about the work.
    if (status !== 'error' || !result.command) return undefined;
    verdict = 'failed';
    return output;
  }

  return {
    async beforeEnd(agent, signal) {
      const output = await check(agent, signal);
      if (output === undefined || rounds >= maxRounds) return undefined;
      rounds += 1;
      return `The acceptance command fails: ${command}\n\n${tail(output)}\n\nYour result counts once it passes. Mend what is wrong, then give your whole report again (round ${rounds} of ${maxRounds}).`;
    },
    async settle(agent, end, signal) {
      if (end.status === 'limit_reached' && !signal.aborted) await check(agent, signal);
      // It stands for the work as it is now, or for nothing.
      if (end.status === 'stopped' || end.status === 'failed') return { ...end, acceptance: 'not run' };
      switch (verdict) {
        case 'passed':
          return { ...end, acceptance: verdict };
        case 'failed':
          return {
            ...end,
            status: end.status === 'completed' ? 'failed' : end.status,
            error: join(end.error, `The acceptance command fails (${reason}, ${rounds} rounds): ${command}`),
            acceptance: verdict,
          };
        case 'not run':
          return {
            ...end,
            error: join(end.error, `The acceptance command was not run: ${reason}`),
            acceptance: verdict,
          };
      }
    },
  };
}

function join(error: string | undefined, text: string): string {
  return error === undefined ? text : `${error} ${text}`;
}

/** The end of an output says most about why a command failed. */
function tail(output: string): string {
  if (output.length <= maxOutputChars) return output;
  return `[… ${output.length - maxOutputChars} characters left out …]\n${output.slice(-maxOutputChars)}`;
}
