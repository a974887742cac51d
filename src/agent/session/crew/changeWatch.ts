import type { Git, GitState } from '../../host.ts';
import type { Agent } from '../../loop/agent.ts';
import { isWithin } from '../../worktrees/isWithin.ts';

const lookTimeoutMs = 5000;
/** Commands are not held up by a repository that takes longer, twice in a row. */
const slowLookMs = 1500;
const maxSlowLooks = 2;

export type ChangeWatch = {
  /** Runs a command and counts the files that it changed, as git sees them, for its agent. */
  observe<Result>(agent: Agent, run: () => Promise<Result>): Promise<Result>;
  /** An edit is about to write this file: whoever made the edit counts it. */
  onWrite(path: string): void;
};

/** A watch for the workspace, and one for each worktree that agents work in. */
export type ChangeWatches = { of(agent: Agent): ChangeWatch };

export function createChangeWatches(git: Git, roots: readonly string[]): ChangeWatches {
  const shared = createChangeWatch(git, roots);
  const own = new Map<string, ChangeWatch>();
  return {
    of({ ground }) {
      if (!ground?.worktree) return shared;
      const { path } = ground.worktree;
      const watch = own.get(path) ?? createChangeWatch(git, [path]);
      own.set(path, watch);
      return watch;
    },
  };
}

/**
 * Looks at the repositories whenever a command begins or ends. What changed since the last look is put down to the commands
 * that ran meanwhile: where several did, to each of them, since nobody can tell. Where there is no repository, nothing is.
 */
export function createChangeWatch(git: Git, roots: readonly string[]): ChangeWatch {
  const running = new Set<{ readonly agent: Agent }>();
  /** Written by edits, with the number of the look that came last before. */
  const written = new Map<string, number>();
  let looks = 0;
  let slowLooks = 0;
  let last: readonly GitState[] = [];
  let queue: Promise<void> = Promise.resolve();

  async function look(agent: Agent): Promise<void> {
    if (slowLooks >= maxSlowLooks) return;
    const startedAt = performance.now();
    try {
      await compare();
    } catch {
      // Without a state there is nothing to compare with next time.
      last = [];
    }
    slowLooks = performance.now() - startedAt > slowLookMs ? slowLooks + 1 : 0;
    if (slowLooks < maxSlowLooks) return;
    last = [];
    const text = 'git takes long here, so receipts no longer say which files commands change; those of edits they do.';
    agent.emit({ type: 'notice', level: 'info', text });
  }

  async function compare(): Promise<void> {
    const signal = AbortSignal.timeout(lookTimeoutMs);
    const now = await readStates(git, roots, signal);
    // An edit may still have been writing when the look before this one was taken.
    const isEdited = (path: string) => (written.get(path) ?? -1) >= looks - 1;
    for (const path of running.size === 0 ? [] : await changedSince(git, last, now, signal)) {
      if (!isEdited(path)) for (const { agent } of running) agent.tally.countChange(path);
    }
    for (const [path, number] of written) if (number < looks) written.delete(path);
    looks += 1;
    last = now;
  }

  /** @param change happens right after the look */
  function lookThen(agent: Agent, change: () => void): Promise<void> {
    queue = queue.then(() => look(agent)).then(change);
    return queue;
  }

  return {
    async observe(agent, run) {
      const command = { agent };
      await lookThen(agent, () => running.add(command));
      try {
        return await run();
      } finally {
        // Before the result is out: what comes after it may be the user's doing.
        await lookThen(agent, () => running.delete(command));
      }
    },
    onWrite: (path) => void written.set(path, looks),
  };
}

async function readStates(git: Git, roots: readonly string[], signal: AbortSignal): Promise<readonly GitState[]> {
  const states: GitState[] = [];
  for (const root of roots) {
    if (states.some(({ top }) => isWithin(top, root))) continue;
    const state = await git.state(root, signal);
    if (state) states.push(state);
  }
  return states;
}

async function changedSince(
  git: Git,
  before: readonly GitState[],
  after: readonly GitState[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const changes = after.map(async (state) => {
    const earlier = before.find(({ top }) => top === state.top);
    return earlier ? git.changedBetween(earlier, state, signal) : [];
  });
  return (await Promise.all(changes)).flat();
}
