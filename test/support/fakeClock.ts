import type { Clock } from '../../src/agent/host.ts';

export type FakeClock = Clock & {
  /** Moves time on and wakes who slept until then, the earliest first. */
  advance(ms: number): void;
  /** How long those sleep who sleep now, in the order they began, in milliseconds from now. */
  sleeping(): readonly number[];
  /** Resolves once someone sleeps for exactly so long from now. */
  untilSleeping(ms: number): Promise<void>;
};

type Sleeper = { readonly until: number; readonly wake: () => void };

/** A clock that stands still until a test moves it. */
export function createFakeClock(start = 1_800_000_000_000): FakeClock {
  let now = start;
  const sleepers = new Set<Sleeper>();
  const watchers = new Set<() => void>();

  const sleeping = () => [...sleepers].map((sleeper) => sleeper.until - now);

  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        const wake = () => {
          sleepers.delete(sleeper);
          signal.removeEventListener('abort', wake);
          resolve();
        };
        const sleeper: Sleeper = { until: now + ms, wake };
        if (signal.aborted || ms <= 0) return resolve();
        signal.addEventListener('abort', wake);
        sleepers.add(sleeper);
        for (const check of watchers) check();
      }),
    advance: (ms) => {
      now += ms;
      const due = [...sleepers].filter((sleeper) => sleeper.until <= now);
      for (const sleeper of due.toSorted((left, right) => left.until - right.until)) sleeper.wake();
    },
    sleeping,
    untilSleeping: (ms) =>
      new Promise((resolve) => {
        const check = () => {
          if (!sleeping().includes(ms)) return;
          watchers.delete(check);
          resolve();
        };
        watchers.add(check);
        check();
      }),
  };
}
