import type { AgentEvent } from '../loop/events.ts';
import { readJournal } from './journal/readJournal.ts';
import { journalPath, listSessions } from './sessions.ts';

type Decision = Extract<AgentEvent, { readonly type: 'permission-decide' }>;
type HookRun = Extract<AgentEvent, { readonly type: 'hook-run' }>;

/** One decision of the gate, or one run of a hook. */
export type AuditEntry = {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly session: string;
  readonly workspace: string;
  readonly agent: string;
  /** What people know the agent by. */
  readonly agentName: string;
  /** Empty for a hook that ran without one. */
  readonly call: string;
  readonly tool: string;
  /** What was to be done: the whole command, or one line about the call. */
  readonly input: string;
  /** Of a hook: what it wanted, or that it ran, or how it failed. */
  readonly decision: Decision['decision'] | 'ask' | 'ran' | Exclude<HookRun['outcome'], 'ok'>;
  readonly by: Decision['by'] | 'hookRun';
  /** What ran, and when. */
  readonly hook?: string;
  readonly event?: string;
  readonly rule?: string;
  /** Where the rule is from. */
  readonly source?: string;
  /** How long the answer of a person was to hold. */
  readonly scope?: string;
  /** The words of the person. */
  readonly reason?: string;
};

export type AuditFilter = {
  /** One session; left out: all, the oldest first. */
  readonly session?: string;
  readonly decision?: AuditEntry['decision'];
  readonly tool?: string;
  readonly agent?: string;
  /** Milliseconds since the epoch. */
  readonly since?: number;
};

/**
 * Every decision that the journals of a state folder hold, a record at a time; no journal is held in memory.
 * @param onProblem told about what cannot be read; the rest is there
 * @throws when there is no such session, or the signal aborts
 */
export async function* readAudit(
  stateDirectory: string,
  filter: AuditFilter,
  signal: AbortSignal,
  onProblem: (message: string) => void = () => undefined,
): AsyncGenerator<AuditEntry, void, undefined> {
  const sessions = filter.session === undefined ? await idsOf(stateDirectory, signal) : [filter.session];
  for (const session of sessions) {
    const path = journalPath(stateDirectory, session);
    const onBadLine = ({ message }: { readonly message: string }) => onProblem(`${session}: ${message}`);
    try {
      for await (const entry of entriesOf(readJournal(path, { onProblem: onBadLine, signal }))) {
        if (fits(entry, filter)) yield entry;
      }
    } catch (error) {
      signal.throwIfAborted();
      if (filter.session !== undefined) throw noSuchSession(session, stateDirectory, error);
      // It was removed while others were read.
      onProblem(`${session} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

/** Ids sort by time. */
async function idsOf(stateDirectory: string, signal: AbortSignal): Promise<readonly string[]> {
  return (await listSessions(stateDirectory, signal)).map(({ id }) => id).sort();
}

function noSuchSession(session: string, stateDirectory: string, cause: unknown): Error {
  const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
  if (!isMissing) return cause instanceof Error ? cause : new Error(String(cause));
  return new Error(`There is no session ${session} in ${stateDirectory}. Leave the id out to read all.`, { cause });
}

/** What is known of a call between its start and its end. */
type Call = { readonly tool: string; readonly input: string; scope?: string; reason?: string };

async function* entriesOf(events: AsyncIterable<AgentEvent>): AsyncGenerator<AuditEntry, void, undefined> {
  let workspace = '';
  const names = new Map<string, string>();
  const calls = new Map<string, Call>();
  for await (const event of events) {
    const key = 'call' in event ? `${event.agent} ${event.call}` : '';
    switch (event.type) {
      case 'session-start':
        workspace = event.workspace;
        break;
      case 'agent-start':
        names.set(event.agent, event.name);
        break;
      case 'tool-start':
        calls.set(key, {
          tool: event.tool,
          input: typeof event.input.command === 'string' ? event.input.command : event.summary,
        });
        break;
      case 'tool-end':
        calls.delete(key);
        break;
      case 'permission-answer': {
        const call = calls.get(key);
        if (!call) break;
        if (event.by === 'user') call.scope = event.scope;
        if (event.reason !== undefined) call.reason = event.reason;
        break;
      }
      case 'hook-run':
        yield toHookEntry(event, workspace, names.get(event.agent) ?? event.agent, calls.get(key));
        break;
      case 'permission-decide':
        yield toEntry(event, workspace, names.get(event.agent) ?? event.agent, calls.get(key));
        break;
    }
  }
}

function toEntry(event: Decision, workspace: string, agentName: string, known: Call | undefined): AuditEntry {
  const { time, session, agent, call, tool, decision, by, rule, source } = event;
  return {
    time,
    session,
    workspace,
    agent,
    agentName,
    call,
    tool,
    input: known?.input ?? '',
    decision,
    by,
    ...(rule !== undefined && { rule }),
    ...(source !== undefined && { source }),
    ...(known?.scope !== undefined && { scope: known.scope }),
    ...(known?.reason !== undefined && { reason: known.reason }),
  };
}

function toHookEntry(run: HookRun, workspace: string, agentName: string, known: Call | undefined): AuditEntry {
  const { time, session, agent, call = '', hook, event, origin, outcome, decision, reason } = run;
  return {
    ...{ time, session, workspace, agent, agentName, call, hook, event },
    tool: known?.tool ?? '',
    input: known?.input ?? '',
    decision: outcome === 'ok' ? (decision ?? 'ran') : outcome,
    by: 'hookRun',
    source: origin,
    ...(reason !== undefined && { reason }),
  };
}

function fits(entry: AuditEntry, { decision, tool, agent, since }: AuditFilter): boolean {
  return (
    (decision === undefined || entry.decision === decision) &&
    (tool === undefined || entry.tool === tool) &&
    (agent === undefined || entry.agent === agent || entry.agentName === agent) &&
    (since === undefined || entry.time >= since)
  );
}
