import type { GroundWorktree } from '../gate/ground.ts';
import { type WorktreeBase, WorktreeError, type WorktreePlace, type Worktrees } from '../host.ts';
import type { Agent, AgentIdentity } from '../loop/agent.ts';
import type { WorktreeFacts } from '../loop/events.ts';
import type { RunEnd } from '../loop/run.ts';
import { ToolError } from '../tools/toolError.ts';
import { placeOf } from './desk.ts';
import type { WorktreeRecord, WorktreeRecords } from './record.ts';

/** The worktree of one agent, from before it is made until it is removed or kept. */
export type Lodging = {
  readonly place: WorktreePlace;
  readonly baseBranch: string | undefined;
  readonly worktree: GroundWorktree & {
    readonly copies: readonly { readonly of: string; readonly at: string }[];
  };
  /** For the agent's first message. */
  readonly words: string;
  /** Makes it, runs the agent, and removes it or keeps it. Never rejects. */
  around<End extends RunEnd>(agent: Agent, signal: AbortSignal, run: () => Promise<End>): Promise<End | RunEnd>;
  /** After its end; undefined: there is nothing left. */
  kept(): WorktreeFacts | undefined;
};

export type LodgingParts = {
  readonly worktrees: Worktrees;
  readonly records: WorktreeRecords;
  readonly record: WorktreeRecord;
  readonly base: WorktreeBase;
  readonly isCarried: boolean;
  /** It is there from an earlier run of its agent. */
  readonly isThere: boolean;
  readonly copies: readonly { readonly of: string; readonly at: string }[];
  /** Resolves when the others that work in it have ended; undefined: there are none. */
  readonly others: (identity: AgentIdentity) => Promise<unknown> | undefined;
};

const closeTimeoutMs = 120_000;

export function createLodging(parts: LodgingParts): Lodging {
  const { worktrees, records, base, isCarried, isThere } = parts;
  let { record } = parts;
  let kept: WorktreeFacts | undefined;
  const place = () => placeOf(record);
  const note = async (change: Partial<WorktreeRecord>) => {
    record = { ...record, ...change };
    await records.write(record);
  };

  async function open(agent: Agent, signal: AbortSignal): Promise<void> {
    await note({ state: 'active', process: process.pid });
    if (isThere) return worktrees.check(place());
    try {
      const { start, added } = await worktrees.create(place(), isCarried, signal);
      if (start !== undefined) await note({ start });
      const { branch, path } = record;
      agent.emit({ type: 'worktree-create', branch, path, base: record.base, isCarried, added });
    } catch (error) {
      await records.forget(record);
      throw error;
    }
  }

  async function close(agent: Agent): Promise<void> {
    const { branch, path, base: commit } = record;
    const signal = AbortSignal.timeout(closeTimeoutMs);
    const others = parts.others(agent.identity);
    try {
      const { files, commits } = await worktrees.state(place(), signal);
      if (files.length === 0 && commits === 0 && others === undefined) {
        await worktrees.removeUnchanged(place(), signal);
        await records.forget(record);
        agent.emit({ type: 'worktree-remove', branch, path });
        return;
      }
      kept = { branch, path, base: commit, files, commits };
    } catch (error) {
      // Whatever cannot be told is kept.
      agent.emit({ type: 'worktree-fail', branch, path, error: messageOf(error) });
      kept = { branch, path, base: commit, files: [], commits: 0 };
    }
    const release = () => note({ state: 'kept' }).catch(() => undefined);
    // As long as somebody works in it nobody may take it away.
    if (others !== undefined) void others.then(release);
    else await release();
    agent.emit({ type: 'worktree-keep', ...kept });
  }

  return {
    get place() {
      return place();
    },
    baseBranch: base.branch,
    worktree: {
      path: record.path,
      main: record.main,
      copies: parts.copies,
      async check() {
        try {
          await worktrees.check(place());
        } catch (error) {
          throw new ToolError(`${messageOf(error)} Do not go on: say so in your report.`, { cause: error });
        }
      },
    },
    words: wordsFor(parts),
    kept: () => kept,
    async around(agent, signal, run) {
      try {
        await open(agent, signal);
      } catch (error) {
        // A run that is stopped before it begins says so itself.
        if (signal.aborted) return run();
        const { branch, path } = record;
        agent.emit({ type: 'worktree-fail', branch, path, error: messageOf(error) });
        const words =
          error instanceof WorktreeError ? messageOf(error) : `Its worktree could not be made: ${messageOf(error)}`;
        return { status: 'failed', text: '', error: words };
      }
      try {
        return await run();
      } finally {
        await close(agent);
      }
    },
  };
}

function wordsFor({ record, isCarried, isThere, copies }: LodgingParts): string {
  const { branch, base, main } = record;
  const folder = copies[0]?.at ?? record.path;
  const what = isCarried ? `commit ${base.slice(0, 12)} and what was not committed` : `commit ${base.slice(0, 12)}`;
  const how = isThere ? 'as you left it' : `with ${what}`;
  return `You work in a git worktree of your own: ${folder} (branch ${branch}, ${how}). Relative paths start there, and it is all that you may change. Leave the checkout ${main} alone: what you read by a path in it is read from your worktree, and commands that reach into it are refused. What git does not track, such as installed dependencies, is not there. Leave your work in the files or in commits on your branch; do not merge or push it.`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
