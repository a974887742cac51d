import type { Ground, GroundWorktree } from '../../gate/places/ground.ts';
import { createPathResolver, type PathRoots } from '../../gate/places/paths.ts';
import type { Workspace } from '../../host.ts';

/** Where the agents of a session work unless something else is said. */
export type GroundPlaces = {
  readonly workspace: Workspace;
  readonly roots: PathRoots;
};

/** Notes of an agent that it may keep. */
export type PlannedMemory = {
  /** Absolute. */
  readonly folder: string;
  /** It lies in Offshoot's storage, not in the workspace. */
  readonly isOutside: boolean;
  /** It is all that the agent may change. */
  readonly isConfined: boolean;
};

/** A checkout of its own, and which folders of the session it takes the place of. */
export type PlannedWorktree = GroundWorktree & {
  /** Of the folders of its workspace; the first is where its commands run. */
  readonly copies: readonly { readonly of: string; readonly at: string }[];
};

/** undefined: it works where the session does. What a parent may not touch, its child may not either. */
export function makeGround(
  places: GroundPlaces,
  parent: Ground | undefined,
  { worktree, memory }: { readonly worktree: PlannedWorktree | undefined; readonly memory: PlannedMemory | undefined },
): Ground | undefined {
  if (!worktree && !memory) return parent;
  const base = parent ?? { ...places, own: [], worktree: undefined };
  const moved = worktree ? moveTo(worktree, base) : base;
  const roots = memory ? withMemory(moved.roots, memory) : moved.roots;
  const own = [...base.own, ...(worktree ? [worktree.path] : []), ...(memory?.isOutside ? [memory.folder] : [])];
  return {
    workspace: moved.workspace,
    roots,
    paths: createPathResolver(roots),
    own,
    worktree: worktree ?? base.worktree,
  };
}

/** The worktree is all that it may change; the rest of the workspace it may read at most. */
function moveTo(
  worktree: PlannedWorktree,
  base: Pick<Ground, 'workspace' | 'roots'>,
): Pick<Ground, 'workspace' | 'roots'> {
  const { copies } = worktree;
  const taken = new Set(copies.map(({ of }) => of));
  const roots = copies.map(({ at }) => at);
  const others = base.workspace.roots.filter((root) => !taken.has(root));
  const { workspace } = base;
  return {
    workspace: {
      roots,
      get isTrusted() {
        return workspace.isTrusted;
      },
    },
    roots: {
      roots,
      readOnlyRoots: [...base.roots.readOnlyRoots, ...others],
      copies: [...(base.roots.copies ?? []), ...copies, { of: worktree.main, at: worktree.path }],
    },
  };
}

function withMemory(roots: PathRoots, { folder, isConfined, isOutside }: PlannedMemory): PathRoots {
  const start = roots.start ?? roots.roots[0];
  const where = start === undefined ? {} : { start };
  if (isConfined) {
    return { ...roots, ...where, roots: [folder], readOnlyRoots: [...roots.roots, ...roots.readOnlyRoots] };
  }
  return isOutside ? { ...roots, ...where, roots: [...roots.roots, folder] } : roots;
}
