import { join } from 'node:path';
import type { Agent } from '../../loop/agent.ts';
import { headAndTail } from '../../loop/call.ts';
import type { Receipt, WorktreeFacts } from '../../loop/events.ts';
import type { ToolResult } from '../../tools/tool.ts';
import type { Delegated } from '../roster/delegated.ts';
import { frameReport } from './report.ts';
import type { DelegationEnd } from './reportCache.ts';

/** Turns the end of a run into what the delegating agent gets, and tells everybody. */
export async function conclude(
  agent: Agent,
  end: DelegationEnd,
  about: {
    readonly durationMs: number;
    readonly maxReportChars: number;
    readonly notes: readonly string[];
    /** What it left in its worktree. */
    readonly kept: WorktreeFacts | undefined;
    readonly keep: (text: string) => Promise<string>;
  },
): Promise<ToolResult> {
  const { status, error, source, acceptance, isInterrupted } = end;
  const receipt = withWorktree(agent.receipt(about.durationMs), about.kept);
  const artifact = end.text.length > about.maxReportChars ? await about.keep(end.text) : undefined;
  const text = artifact === undefined ? end.text : headAndTail(end.text, about.maxReportChars, artifact);
  const why = { ...(error !== undefined && { error }), ...(isInterrupted && { isInterrupted }) };
  agent.emit({ type: 'agent-end', status, report: text, receipt, ...why });
  const { id, name } = agent.identity;
  const remark = [error, source, ...keptWords(receipt), ...about.notes].filter((part) => part !== undefined).join(' ');
  return {
    content: frameReport({ name, id, status, text, error: remark || undefined, receipt, acceptance }),
    summary: status,
    isBounded: true,
    ...(status === 'failed' && { isError: true }),
    ...(artifact !== undefined && { artifact }),
  };
}

/** Of a worktree of its own git says what was changed there in the end. */
function withWorktree(receipt: Receipt, kept: WorktreeFacts | undefined): Receipt {
  if (!kept) return receipt;
  return { ...receipt, filesChanged: kept.files.map((file) => join(kept.path, file)), worktree: kept };
}

function keptWords({ worktree }: Receipt): readonly string[] {
  if (!worktree) return [];
  const { branch, path, files, commits } = worktree;
  const count = `${files.length} files changed, ${commits} commits`;
  return [
    `Its work is not in the checkout: it lies in the worktree ${path} on the branch ${branch} (${count}). The user merges it with “Offshoot: Worktrees”.`,
  ];
}

export function launched({ agent }: Delegated): ToolResult {
  const { id, name } = agent.identity;
  return {
    content: `<report agent="${name}" id="${id}" status="launched">\nIt works in the background; its report reaches you when it ends. TaskOutput waits for it, SendMessage tells it something, TaskStop stops it.\n</report>`,
    summary: 'launched',
    isBounded: true,
  };
}

/** How the end of a background agent is told to the one that started it. */
export function notification(report: string): string {
  return `A background agent has ended.\n${report}`;
}

/** To an agent that goes on without a new task. */
export const goOnInstruction =
  'Your work was interrupted. Calls without a result may have taken effect or not: look before you run them again. Go on with your task where it stopped, and report as you were asked to.';

/** What can be said of an agent that still works. */
export function progressOf({ agent }: Delegated): ToolResult {
  const { id, name } = agent.identity;
  const facts = agent.receipt(0);
  const state = agent.controls.isPaused ? 'paused' : 'running';
  return {
    content: `<report agent="${name}" id="${id}" status="${state}">\n${facts.steps} steps, ${facts.calls} calls so far. Its report comes when it ends.\n</report>`,
    summary: state,
  };
}
