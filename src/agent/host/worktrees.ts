/** What a worktree that is made now would start from. */
export type WorktreeBase = {
  /** The top folder of the checkout; absolute, real. */
  readonly top: string;
  /** Its commit. */
  readonly commit: string;
  /** undefined when no branch is checked out. */
  readonly branch: string | undefined;
};

export type WorktreePlace = {
  /** The checkout whose repository it shares; absolute. */
  readonly main: string;
  /** Absolute. */
  readonly path: string;
  readonly branch: string;
  /** The commit that it was made from. */
  readonly base: string;
  /** The tree that its agent began with, where that is not the one of `base`. */
  readonly start?: string;
};

/** What an agent has left in its worktree. */
export type WorktreeState = {
  /** Files that are not as in the base, committed or not; relative, with `/`. */
  readonly files: readonly string[];
  /** Those of them that the base lacks, and those that are gone. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Commits behind the base. */
  readonly commits: number;
  /** Something is not committed. */
  readonly isDirty: boolean;
};

/** How taking changes over went. `conflict`: what could be taken over is there, the rest stands in conflict marks. */
export type TakeOver =
  | { readonly outcome: 'done'; readonly files: readonly string[] }
  | { readonly outcome: 'conflict'; readonly files: readonly string[] }
  | { readonly outcome: 'refused'; readonly reason: string };

/**
 * Worktrees of the user's repositories. Nothing that a repository names is ever run: hooks, monitors, filters, drivers. Call it
 * in trusted workspaces only. Every method throws WorktreeError with words for people.
 */
export interface Worktrees {
  /** undefined: there is no repository, or no commit to start from. Changes nothing. */
  base(root: string, signal: AbortSignal): Promise<WorktreeBase | undefined>;
  /** Whether its folder or its branch is there already. */
  isTaken(place: Pick<WorktreePlace, 'main' | 'path' | 'branch'>, signal: AbortSignal): Promise<boolean>;
  /**
   * Makes the folder, the branch and the files.
   * @param carried what is not committed in the checkout is there as well
   * @returns the tree that it holds, where that is not the one of the base, and the ignored files that `.worktreeinclude`
   * names and that were copied
   */
  create(
    place: WorktreePlace,
    carried: boolean,
    signal: AbortSignal,
  ): Promise<{ readonly start: string | undefined; readonly added: readonly string[] }>;
  /** @throws WorktreeError when it is damaged or gone */
  state(place: WorktreePlace, signal: AbortSignal): Promise<WorktreeState>;
  /** Throws when git would not find its repository there. Cheap. */
  check(place: WorktreePlace): Promise<void>;
  /** Removes a worktree that holds nothing of its own, and its branch. @throws WorktreeError when it does */
  removeUnchanged(place: WorktreePlace, signal: AbortSignal): Promise<void>;
  /** Removes a worktree whose commits the checkout has, and its branch. @throws WorktreeError when it holds anything else */
  removeMerged(place: WorktreePlace, signal: AbortSignal): Promise<void>;
  /** Removes it with all that is in it, and its branch: the user has said so. */
  discard(place: WorktreePlace, signal: AbortSignal): Promise<void>;
  /** Puts its changes, three-way, into the checkout, uncommitted. */
  apply(place: WorktreePlace, signal: AbortSignal): Promise<TakeOver>;
  /** Commits what is not committed there, and merges its branch into that of the checkout. */
  merge(place: WorktreePlace, message: string, signal: AbortSignal): Promise<TakeOver>;
}

/** A worktree cannot be made, read or removed; the message says why and what to do. */
export class WorktreeError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'WorktreeError';
  }
}
