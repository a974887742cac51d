import type { Workspace } from '../../host.ts';
import type { PathResolver } from '../places/paths.ts';
import type { Protection } from '../places/protection.ts';
import type { GateRequest } from '../request.ts';
import type { Policy } from '../rules/policy.ts';

/** Where the agents of a session work unless they have a ground of their own, and what is protected there. */
export type Surroundings = {
  readonly workspace: Workspace;
  readonly paths: PathResolver;
  readonly stateDirectory: string;
  readonly configured: readonly string[];
};

/** Where an agent works. */
export type Surface = {
  /** What its paths mean. */
  readonly paths: PathResolver;
  readonly protection: Protection;
  /** Where its commands start. */
  readonly directory: string;
};

/** What calls are judged by. */
export type JudgeSetup = Surface & { readonly policy: Policy };

export function surfaceOf(
  { ground }: GateRequest['agent'],
  { workspace, paths, stateDirectory, configured }: Surroundings,
): Surface {
  const { roots } = ground?.workspace ?? workspace;
  const protection: Protection = { roots, stateDirectory, configured, ...(ground && { own: ground.own }) };
  return { paths: ground?.paths ?? paths, protection, directory: roots[0] ?? '' };
}
