import type { GroundWorktree } from '../gate/places/ground.ts';
import { type WorktreeBase, WorktreeError, type WorktreePlace, type Worktrees } from '../host.ts';
import type { Agent, AgentIdentity } from '../loop/agent.ts';
import type { WorktreeFacts } from '../loop/events.ts';
import type { RunEnd } from '../loop/run.ts';
import { ToolError } from '../tools/toolError.ts';
import { placeOf } from './desk.ts';
import type { WorktreeRecord, WorktreeRecords } from './record.ts';

type Copies = readonly { readonly of: string; readonly at: string }[];

export type LodgingParts = {
  readonly worktrees: Worktrees;
  readonly records: WorktreeRecords;
  readonly record: WorktreeRecord;
  readonly base: WorktreeBase;
  readonly isCarried: boolean;
  /** It is there from an earlier run of its agent. */
  readonly isThere: boolean;
  readonly copies: Copies;
  /** Resolves when the others that work in it have ended; undefined: there are none. */
  readonly others: (identity: AgentIdentity) => Promise<unknown> | undefined;
};

const closeTimeoutMs = 120_000;

/** The worktree of one agent, from before it is made until it is removed or kept. */
export class Lodging {
  readonly baseBranch: string | undefined;
  readonly worktree: GroundWorktree & { readonly copies: Copies };
  /** For the agent's first message. */
  readonly words: string;
  readonly #parts: LodgingParts;
  #record: WorktreeRecord;
  #kept: WorktreeFacts | undefined;

  constructor(parts: LodgingParts) {
    const { path, main } = parts.record;
    this.#parts = parts;
    this.#record = parts.record;
    this.baseBranch = parts.base.branch;
    this.words = wordsFor(parts);
    this.worktree = { path, main, copies: parts.copies, check: () => this.#check() };
  }

  get place(): WorktreePlace {
    return placeOf(this.#record);
  }

  /** After its end; undefined: there is nothing left. */
  kept(): WorktreeFacts | undefined {
    return this.#kept;
  }

  /** Makes it, runs the agent, and removes it or keeps it. Never rejects where `run` does not. */
  async around<End extends RunEnd>(agent: Agent, signal: AbortSignal, run: () => Promise<End>): Promise<End | RunEnd> {
    try {
      await this.#open(agent, signal);
    } catch (error) {
      // A run that is stopped before it begins says so itself.
      if (signal.aborted) return run();
      this.#tellFailure(agent, error);
      const words =
        error instanceof WorktreeError ? messageOf(error) : `Its worktree could not be made: ${messageOf(error)}`;
      return { status: 'failed', text: '', error: words };
    }
    try {
      return await run();
    } finally {
      await this.#close(agent);
    }
  }

  async #open(agent: Agent, signal: AbortSignal): Promise<void> {
    const { worktrees, records, isThere, isCarried } = this.#parts;
    await this.#note({ state: 'active', process: process.pid });
    if (isThere) return worktrees.check(this.place);
    try {
      const { start, added } = await worktrees.create(this.place, isCarried, signal);
      if (start !== undefined) await this.#note({ start });
      const { branch, path, base } = this.#record;
      agent.emit({ type: 'worktree-create', branch, path, base, isCarried, added });
    } catch (error) {
      await records.forget(this.#record);
      throw error;
    }
  }

  async #close(agent: Agent): Promise<void> {
    const others = this.#parts.others(agent.identity);
    const kept = await this.#removeOrKeep(agent, others !== undefined);
    if (!kept) return;
    this.#kept = kept;
    const release = () => this.#note({ state: 'kept' }).catch(() => undefined);
    // As long as somebody works in it nobody may take it away.
    if (others !== undefined) void others.then(release);
    else await release();
    agent.emit({ type: 'worktree-keep', ...kept });
  }

  /** @returns what there is to keep; undefined: it was removed, since nothing had changed in it */
  async #removeOrKeep(agent: Agent, isShared: boolean): Promise<WorktreeFacts | undefined> {
    const { worktrees, records } = this.#parts;
    const { branch, path, base } = this.#record;
    const signal = AbortSignal.timeout(closeTimeoutMs);
    try {
      const { files, commits } = await worktrees.state(this.place, signal);
      if (files.length > 0 || commits > 0 || isShared) return { branch, path, base, files, commits };
      await worktrees.removeUnchanged(this.place, signal);
      await records.forget(this.#record);
      agent.emit({ type: 'worktree-remove', branch, path });
      return undefined;
    } catch (error) {
      // Whatever cannot be told is kept.
      this.#tellFailure(agent, error);
      return { branch, path, base, files: [], commits: 0 };
    }
  }

  async #check(): Promise<void> {
    try {
      await this.#parts.worktrees.check(this.place);
    } catch (error) {
      throw new ToolError(`${messageOf(error)} Do not go on: say so in your report.`, { cause: error });
    }
  }

  async #note(change: Partial<WorktreeRecord>): Promise<void> {
    this.#record = { ...this.#record, ...change };
    await this.#parts.records.write(this.#record);
  }

  #tellFailure(agent: Agent, error: unknown): void {
    const { branch, path } = this.#record;
    agent.emit({ type: 'worktree-fail', branch, path, error: messageOf(error) });
  }
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
