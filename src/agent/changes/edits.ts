import { randomUUID } from 'node:crypto';
import { diffLines } from 'diff';
import type { PathResolver } from '../gate/places/paths.ts';
import { isProtectedPath } from '../gate/places/protected.ts';
import type { EditDecision, Host } from '../host.ts';
import type { Agent } from '../loop/agent.ts';
import { type EditOutcome, ToolError } from '../tools/tool.ts';

export type Edit = {
  readonly agent: Agent;
  readonly call: string;
  /** Resolved. */
  readonly path: string;
  /** undefined: the file is new. */
  readonly before: { readonly text: string; readonly version: string } | undefined;
  readonly after: string;
};

export type EditSurroundings = {
  readonly host: Host;
  readonly paths: PathResolver;
  /** The user decides; otherwise it is written at once. */
  readonly isProposed: boolean;
  /** Told before a file is written. */
  readonly onWrite: (path: string) => void;
};

/**
 * The one way in which an agent changes a file: as a proposal that the user decides on, or at once where the gate says so.
 * What the user left in the proposal is what is written.
 */
export async function applyEdit(
  { host, paths, isProposed, onWrite }: EditSurroundings,
  edit: Edit,
  signal: AbortSignal,
): Promise<EditOutcome> {
  const { agent, call, path, before, after } = edit;
  const shownPath = paths.show(path);
  const id = randomUUID();
  const counts = countLines(before?.text ?? '', after);
  agent.emit({ type: 'edit-propose', edit: id, call, path: shownPath, isNew: before === undefined, ...counts });
  const decision: EditDecision = isProposed
    ? await review(host, edit, shownPath, id, signal)
    : { decision: 'accept', text: after };
  signal.throwIfAborted();

  const decided = { type: 'edit-decide', edit: id, call, path: shownPath, by: isProposed ? 'user' : 'mode' } as const;
  if (decision.decision === 'reject') {
    const reason = decision.reason?.trim() || undefined;
    agent.emit({ ...decided, decision: 'reject', isAmended: false, ...(reason !== undefined && { reason }) });
    return { decision: 'reject', reason };
  }
  // A link may have been put in its place while the user decided.
  if ((await paths.resolve(path, 'write')) !== path) {
    throw new ToolError(`${shownPath} leads elsewhere by now, so nothing was written. Look at it again.`);
  }
  onWrite(path);
  const written = await host.files.writeText(path, decision.text, before?.version ?? 'absent', signal);
  agent.reads.record(path, written.version);
  agent.tally.countChange(path);
  const isAmended = decision.text !== after;
  agent.emit({ ...decided, decision: 'accept', isAmended });
  return { decision: 'accept', text: decision.text, isAmended };
}

async function review(
  host: Host,
  edit: Edit,
  shownPath: string,
  id: string,
  signal: AbortSignal,
): Promise<EditDecision> {
  const { agent, call, path, before, after } = edit;
  agent.emit({ type: 'agent-status', activity: 'waiting_user', detail: `Review ${shownPath}` });
  const decision = await host.prompts.review(
    {
      id,
      agent: agent.identity.id,
      agentName: agent.identity.name,
      call,
      path,
      before: before?.text,
      after,
      isProtected: isProtectedPath(shownPath),
    },
    signal,
  );
  agent.emit({ type: 'agent-status', activity: 'running' });
  return decision;
}

/** Lines added and removed; a difference too large to compute in time counts every line. */
function countLines(before: string, after: string): { added: number; removed: number } {
  const parts = diffLines(before, after, { timeout: 100 });
  if (!parts) return { added: after.split('\n').length, removed: before.split('\n').length };
  const sum = (key: 'added' | 'removed') => parts.reduce((total, part) => total + (part[key] ? part.count : 0), 0);
  return { added: sum('added'), removed: sum('removed') };
}
