import type { Agent } from '../../loop/agent.ts';
import type { Delegator } from '../../subagents/delegate.ts';
import { type FindPast, findPast } from '../../subagents/roster/pastAgents.ts';
import { previewRequest, type SpawnPreview } from '../../subagents/spawn/preview.ts';
import { type DelegationInput, toDelegation } from '../../tools/agent.ts';
import { ToolError } from '../../tools/toolError.ts';
import type { Lodgings } from '../../worktrees/lodgings.ts';
import type { SessionDependencies } from '../session.ts';

/**
 * What a spawn by this lead would start; starts nothing.
 * @throws ToolError where the spawn would be refused, in the same words
 */
export async function previewSpawn(
  {
    delegator,
    lodgings,
    parts,
    findIn,
  }: {
    readonly delegator: Delegator;
    readonly lodgings: Lodgings;
    readonly parts: Pick<SessionDependencies, 'host' | 'workspace' | 'provider' | 'settings'>;
    readonly findIn: FindPast;
  },
  parent: Agent,
  input: DelegationInput,
  signal: AbortSignal,
): Promise<SpawnPreview> {
  const { host, workspace, provider, settings } = parts;
  if (settings()['agents.maxDepth'] === 0) {
    throw new ToolError('The setting agents.maxDepth is 0: no agent is started. Set it to 1 or more.');
  }
  if (parent.isRunning) delegator.checkLimits();
  const task = toDelegation(input);
  const past = task.resume === undefined ? undefined : await findPast(delegator.roster, findIn, task.resume, signal);
  const earlier = past && (await lodgings.find(past.identity.id));
  const planned = past ? { ...task, subagent_type: past.identity.type } : task;
  const plan = await delegator.plan(parent, earlier ? { ...planned, isolation: 'worktree' } : planned, signal);
  const identity = past?.identity ?? delegator.roster.suggest(parent.identity, task, plan.definition.name);
  const lodging =
    plan.isolation && (await lodgings.preview(plan.isolation, identity, task.description, earlier, signal));
  const prompt = lodging ? `${lodging.words}\n\n${plan.prompt}` : plan.prompt;
  const [first, state] = await Promise.all([
    previewRequest(parent, task, { ...plan, prompt }, past?.history, provider, signal),
    lodging || !workspace.isTrusted ? undefined : host.git.state(workspace.roots[0] ?? '', signal),
  ]);
  const { model, modelRule, system, tools, maxSteps, budget, effort, skills, memory, notes } = plan;
  return {
    type: plan.definition.name,
    model: model.id,
    modelRule,
    system,
    prompt,
    tools: tools.map(({ name }) => name),
    directory: lodging?.worktree.copies[0]?.at ?? workspace.roots[0] ?? '',
    branch: lodging?.place.branch,
    baseCommit: lodging?.place.base ?? state?.head,
    maxSteps,
    budget,
    effort,
    skills,
    memory: memory?.folder,
    firstRequest: first.size,
    notes,
  };
}
