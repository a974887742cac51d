import type { TakeOver, WorktreePlace, WorktreeState, Worktrees } from '../host.ts';
import { isWithin } from './isWithin.ts';
import { createWorktreeRecords, isInUse, type WorktreeRecord } from './record.ts';

/** A worktree that is there, for people. */
export type DeskEntry = {
  readonly record: WorktreeRecord;
  /** An agent works in it: nothing can be done with it. */
  readonly isInUse: boolean;
  /** undefined: it is damaged. */
  readonly state: WorktreeState | undefined;
  /** Why there is no state. */
  readonly problem: string | undefined;
};

/** What is done with worktrees after their agents have ended. */
export type WorktreeDesk = {
  /** Those of the repositories of these folders, oldest first. */
  list(roots: readonly string[], signal: AbortSignal): Promise<readonly DeskEntry[]>;
  /**
   * Looks after what a crash has left: empty ones go, the others are kept.
   * @returns those that are kept now and were not before
   */
  reconcile(signal: AbortSignal): Promise<readonly WorktreeRecord[]>;
  apply(record: WorktreeRecord, signal: AbortSignal): Promise<TakeOver>;
  merge(record: WorktreeRecord, signal: AbortSignal): Promise<TakeOver>;
  /** After a merge. @throws WorktreeError when something in it is in no commit of the checkout */
  removeMerged(record: WorktreeRecord, signal: AbortSignal): Promise<void>;
  /** With all that is in it. @throws WorktreeError also where an agent works in it */
  discard(record: WorktreeRecord, signal: AbortSignal): Promise<void>;
};

/** @param stateDirectory where the records of worktrees are kept */
export function createWorktreeDesk(worktrees: Worktrees, stateDirectory: string): WorktreeDesk {
  const records = createWorktreeRecords(stateDirectory);

  async function look(record: WorktreeRecord, signal: AbortSignal): Promise<DeskEntry> {
    try {
      const state = await worktrees.state(placeOf(record), signal);
      return { record, isInUse: isInUse(record), state, problem: undefined };
    } catch (error) {
      signal.throwIfAborted();
      return { record, isInUse: isInUse(record), state: undefined, problem: messageOf(error) };
    }
  }

  /** @returns whether it is kept */
  async function settle(record: WorktreeRecord, signal: AbortSignal): Promise<boolean> {
    const place = placeOf(record);
    try {
      // It may have ended before there was anything.
      if (await worktrees.isTaken(place, signal)) await worktrees.removeUnchanged(place, signal);
      await records.forget(record);
      return false;
    } catch {
      signal.throwIfAborted();
      await records.write({ ...record, state: 'kept' });
      return true;
    }
  }

  return {
    async list(roots, signal) {
      const all = await records.list();
      const wanted = all.filter(({ main }) => roots.some((root) => isWithin(main, root)));
      return Promise.all(wanted.map((record) => look(record, signal)));
    },
    async reconcile(signal) {
      const kept: WorktreeRecord[] = [];
      for (const record of await records.list()) {
        if (record.state !== 'active' || isInUse(record)) continue;
        if (await settle(record, signal)) kept.push(record);
      }
      return kept;
    },
    apply: (record, signal) => worktrees.apply(placeOf(record), signal),
    merge: (record, signal) => worktrees.merge(placeOf(record), messageFor(record), signal),
    async removeMerged(record, signal) {
      await worktrees.removeMerged(placeOf(record), signal);
      await records.forget(record);
    },
    async discard(record, signal) {
      const now = (await records.list()).find(({ path }) => path === record.path);
      if (now && isInUse(now)) throw new Error(`${record.name} works in it. Stop it first.`);
      await worktrees.discard(placeOf(record), signal);
      await records.forget(record);
    },
  };
}

export function placeOf({ main, path, branch, base, start }: WorktreeRecord): WorktreePlace {
  return { main, path, branch, base, ...(start !== undefined && { start }) };
}

function messageFor({ name, description }: WorktreeRecord): string {
  return description.trim() === '' ? `Work of ${name}` : `${description.trim()} (${name})`;
}

/** For a conversation in which it turned out. */
export function leftoverWords(kept: readonly WorktreeRecord[]): string {
  const names = kept.map(({ branch }) => branch).join(', ');
  return `Worktrees of agents that were interrupted are kept: ${names}. “Offshoot: Worktrees” shows what is in them.`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
