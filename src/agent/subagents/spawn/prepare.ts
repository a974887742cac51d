import type { AgentHooks } from '../../gate/hooks/agentHooks.ts';
import type { Ground } from '../../gate/places/ground.ts';
import type { Agent, AgentIdentity } from '../../loop/agent.ts';
import type { Delegation } from '../../tools/agent.ts';
import type { Lodging } from '../../worktrees/lodging.ts';
import type { Lodgings } from '../../worktrees/lodgings.ts';
import type { PastAgent } from '../roster/pastAgents.ts';
import { type GroundPlaces, makeGround } from './grounds.ts';
import type { SpawnPlan } from './plan.ts';

export type Spawn = {
  readonly parent: Agent;
  readonly task: Delegation;
  /** The agent that goes on; undefined for a new one. */
  readonly past: Pick<PastAgent, 'identity' | 'history'> | undefined;
};

/** Everything that an agent is made from. */
export type PreparedSpawn = {
  readonly plan: SpawnPlan;
  readonly identity: AgentIdentity;
  readonly lodging: Lodging | undefined;
  readonly ground: Ground | undefined;
};

/**
 * Plans a spawn and reserves what it needs. One that goes on keeps its name, its type and its worktree.
 * @throws ToolError that says what to do instead
 */
export async function prepareSpawn(
  { parent, task, past }: Spawn,
  means: {
    readonly plan: (task: Delegation) => Promise<SpawnPlan>;
    /** Takes a name that nobody has. */
    readonly identify: (plan: SpawnPlan) => AgentIdentity;
    readonly hooks: Pick<AgentHooks, 'admit'>;
    readonly lodgings: Lodgings;
    readonly grounds: GroundPlaces;
  },
  signal: AbortSignal,
): Promise<PreparedSpawn> {
  const { hooks, lodgings, grounds } = means;
  const earlier = past && (await lodgings.find(past.identity.id));
  const isolation = earlier && ({ isolation: 'worktree' } as const);
  const plan = await means.plan(past ? { ...task, ...isolation, subagent_type: past.identity.type } : task);
  await hooks.admit(parent, plan.definition.hooks, signal);
  const { id, depth } = parent.identity;
  const identity = past ? { ...past.identity, parent: id, depth: depth + 1 } : means.identify(plan);
  const lodging = plan.isolation
    ? await lodgings.reserve(plan.isolation, identity, task.description, earlier, signal)
    : undefined;
  const ground = makeGround(grounds, parent.ground, { worktree: lodging?.worktree, memory: plan.memory });
  return { plan, identity, lodging, ground };
}
