/** A path that is not as in the last commit. Identities are compared, never parsed; equal ones mean equal contents. */
export type DirtyFile = {
  /** Of what is there now. */
  readonly content: string;
  /** Of what the last commit holds. */
  readonly committed: string;
};

export type GitState = {
  /** The top folder of the work tree; absolute, real. */
  readonly top: string;
  /** undefined before the first commit. */
  readonly head: string | undefined;
  /** undefined when no branch is checked out. */
  readonly branch: string | undefined;
  /** By absolute path: changed, staged, untracked, deleted; not what git ignores. */
  readonly dirty: ReadonlyMap<string, DirtyFile>;
  /** Repositories inside of this one: submodules and others. */
  readonly nested: readonly GitState[];
  /** Differs when anything above differs, or the index does. */
  readonly fingerprint: string;
};

/**
 * Reads repositories. Nothing that a repository names is ever run: hooks, monitors, filters, external programs. Call it in
 * trusted workspaces only.
 */
export interface Git {
  /** undefined: no repository is there, or its state cannot be told (no git, too large, too slow). */
  state(root: string, signal: AbortSignal): Promise<GitState | undefined>;
  /** Files whose content is another in the later state; absolute, sorted. A commit alone changes none. */
  changedBetween(before: GitState, after: GitState, signal: AbortSignal): Promise<readonly string[]>;
}
