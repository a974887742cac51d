import type { Workspace } from '../../host.ts';
import type { Agent } from '../../loop/agent.ts';
import type { Approve } from './approval.ts';
import type { Hook } from './hook.ts';
import { readRepositoryHooks } from './repositoryHooks.ts';

/**
 * The hooks that files of a trusted workspace bring, where the user wants them; asks about what is new.
 * @param tell problems, and what is not run, for people
 */
export async function readApprovedHooks(
  {
    agent,
    workspace,
    approve,
    tell,
  }: {
    readonly agent: Agent;
    readonly workspace: Workspace;
    readonly approve: Approve;
    readonly tell: (text: string) => void;
  },
  signal: AbortSignal,
): Promise<readonly Hook[]> {
  if (!workspace.isTrusted) return [];
  const found = await readRepositoryHooks(workspace.roots);
  if (found.length === 0) return [];
  for (const problem of found.flatMap(({ problems }) => problems)) tell(problem);
  const brought = found.filter(({ hooks }) => hooks.length > 0);
  const approval = await approve(
    {
      brought,
      title: 'Run the hooks of this repository',
      reason: 'Files of this repository name commands that run by themselves, without further questions.',
      directory: workspace.roots[0] ?? '',
      agent,
    },
    signal,
  );
  if (approval === 'declined') {
    tell(`The hooks of this repository are not run: ${brought.map(({ file }) => file).join(', ')}.`);
  }
  if (approval !== 'approved') return [];
  return brought.flatMap(({ hooks, root }) =>
    hooks.map((hook): Hook => ({ ...hook, origin: 'repository', directory: root })),
  );
}
