import type { Workspace } from '../../host.ts';
import type { PathResolver, PathRoots } from './paths.ts';

/** Where an agent works, and what it may touch there. */
export type Ground = {
  /** The first of its roots is where its commands run. */
  readonly workspace: Workspace;
  readonly roots: PathRoots;
  readonly paths: PathResolver;
  /** Folders that are its own although they lie in Offshoot's storage. */
  readonly own: readonly string[];
  /** Set where it works in a git worktree of its own. */
  readonly worktree: GroundWorktree | undefined;
};

export type GroundWorktree = {
  /** Absolute; its top folder. */
  readonly path: string;
  /** Absolute: the checkout in whose place it is. Commands that reach into it are refused. */
  readonly main: string;
  /** @throws ToolError when it is damaged, so that git would take another repository for it */
  readonly check: () => Promise<void>;
};
