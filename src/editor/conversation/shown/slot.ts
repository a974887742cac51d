import type { Session } from '../../../agent/index.ts';

/** The place for the one session of a window: empty, being filled, or filled. */
export type Slot<Open extends { readonly session: Session }> = {
  /** What is there now. */
  readonly open: Open | undefined;
  /** What is there, or was there before a reload; a new one only where that is wanted. */
  take(isWanted: boolean): Promise<Open | undefined>;
  /** Empties it and puts in what was made meanwhile. */
  replace(adopt: () => Open): Promise<void>;
  /** Empties it, closing what was there; who takes meanwhile gets another. */
  empty(): Promise<void>;
};

export type SlotParts<Open> = {
  /** A new one. */
  readonly start: () => Promise<Open | undefined>;
  /** The session from before the reload. Never rejects. */
  readonly startLast: () => Promise<Open | undefined>;
  /** The slot is empty by now; what was in it goes on until it is closed. */
  readonly onEmpty: () => void;
  /** Nothing more is to be told about this one. */
  readonly onLeave: (open: Open) => void;
};

export function createSlot<Open extends { readonly session: Session }>(parts: SlotParts<Open>): Slot<Open> {
  let opening: Promise<Open | undefined> | undefined;
  let open: Open | undefined;

  /** What was emptied meanwhile is never shown. */
  function keep(starting: Promise<Open | undefined>): Promise<Open | undefined> {
    const kept: Promise<Open | undefined> = starting.then((started) => {
      if (opening === kept) open = started;
      return started;
    });
    opening = kept;
    return kept;
  }

  /** Rejects as the start does; the slot is empty again then. */
  async function begin(): Promise<Open | undefined> {
    try {
      return await keep(parts.start());
    } catch (error) {
      opening = Promise.resolve(undefined);
      throw error;
    }
  }

  async function take(isWanted: boolean): Promise<Open | undefined> {
    const awaited = opening ?? keep(parts.startLast());
    const there = await awaited;
    if (there || !isWanted) return there;
    return opening === awaited ? begin() : take(isWanted);
  }

  async function empty(): Promise<void> {
    const leaving = opening;
    opening = Promise.resolve(undefined);
    open = undefined;
    parts.onEmpty();
    const left = await leaving?.catch(() => undefined);
    if (!left) return;
    parts.onLeave(left);
    await left.session.close();
  }

  return {
    get open() {
      return open;
    },
    take,
    async replace(adopt) {
      // While one is closed, a prompt may have begun another.
      do await empty();
      while ((await opening?.catch(() => undefined)) !== undefined);
      const next = adopt();
      opening = Promise.resolve(next);
      open = next;
    },
    empty,
  };
}
