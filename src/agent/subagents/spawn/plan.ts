import { childSystem } from '../../context/system.ts';
import type { Agent } from '../../loop/agent.ts';
import type { Budget } from '../../loop/limits.ts';
import type { ModelCatalog, ResolvedModel } from '../../model/catalog.ts';
import type { Effort } from '../../model/provider.ts';
import type { Settings } from '../../settings.ts';
import type { Skill } from '../../skills/skill.ts';
import type { Delegation } from '../../tools/agent.ts';
import { type Tool, ToolError } from '../../tools/tool.ts';
import type { Lodgings, PlannedIsolation } from '../../worktrees/lodgings.ts';
import type { AgentDefinition } from '../definitions.ts';
import { checkAcceptance } from '../reports/acceptance.ts';
import { writeBriefing } from './briefing.ts';
import { chooseEffort } from './effort.ts';
import type { PlannedMemory } from './grounds.ts';
import { type MemoryPlaces, planMemory } from './memory.ts';
import { chooseModel } from './models.ts';

/** Everything about a spawn that is known before it: what a dry run shows and what is then started. */
export type SpawnPlan = {
  readonly definition: AgentDefinition;
  readonly model: ResolvedModel;
  /** Which rule chose the model. */
  readonly modelRule: string;
  readonly system: string;
  /** The first message. */
  readonly prompt: string;
  readonly tools: readonly Tool[];
  readonly maxSteps: number;
  readonly budget: Budget;
  /** What its model is sent. */
  readonly effort: Effort | undefined;
  /** Names of those that stand in its prompt. */
  readonly skills: readonly string[];
  /** What the worktree is made from that it will work in. */
  readonly isolation: PlannedIsolation | undefined;
  /** Its notes from task to task. */
  readonly memory: PlannedMemory | undefined;
  /** What was asked for and is done otherwise, for people and the model. */
  readonly notes: readonly string[];
};

export type PlanDependencies = {
  readonly settings: () => Settings;
  readonly catalog: ModelCatalog;
  readonly definitions: () => readonly AgentDefinition[];
  readonly environment: string;
  /** What the project tells agents; empty when there is nothing. */
  readonly instructions: () => string;
  /** The same for agents in worktrees: their prompts do not tell one from another. */
  readonly isolatedEnvironment: string;
  readonly lodgings: Lodgings;
  readonly skills: () => readonly Skill[];
  readonly memory: MemoryPlaces;
};

/**
 * @param tools what a child at its depth may use at most
 * @throws ToolError that says what to ask for instead
 */
export async function planSpawn(
  parent: Pick<Agent, 'model' | 'ground'>,
  task: Delegation,
  tools: (definition: AgentDefinition) => readonly Tool[],
  dependencies: PlanDependencies,
  signal: AbortSignal,
): Promise<SpawnPlan> {
  const { settings, catalog, definitions, instructions } = dependencies;
  const definition = findDefinition(definitions(), task.subagent_type);
  const choice = await chooseModel(
    {
      environment: process.env.OFFSHOOT_SUBAGENT_MODEL,
      call: task.model,
      definition,
      parent: parent.model,
      settings: settings(),
    },
    catalog,
    signal,
  );
  if ('unknown' in choice) {
    const known = (await catalog.list(signal)).map(({ id }) => id).join(', ');
    throw new ToolError(
      `There is no model ${choice.unknown}. The server has: ${known || 'no list'}. Or leave model out.`,
    );
  }
  const most = Math.min(definition.maxTurns ?? Number.POSITIVE_INFINITY, settings()['agents.maxTurns']);
  const isClamped = task.max_turns !== undefined && task.max_turns > most;
  const offered = tools(definition);
  const { memory, notes: memoryNotes, ...rights } = planMemory(definition, offered, dependencies.memory);
  const [{ effort, notes }, briefing] = await Promise.all([
    chooseEffort(definition.effort, choice.model, signal),
    writeBriefing(task, definition, { skills: dependencies.skills(), memory, tools: rights.tools }),
  ]);
  checkAcceptance(task, rights.tools, definition);
  const isIsolated = (task.isolation ?? definition.isolation) === 'worktree';
  const isolation = isIsolated ? await dependencies.lodgings.plan(parent.ground, signal) : undefined;
  const isElsewhere = isIsolated || parent.ground?.worktree !== undefined;
  const environment = isElsewhere ? dependencies.isolatedEnvironment : dependencies.environment;
  return {
    definition,
    model: choice.model,
    modelRule: choice.rule,
    system: childSystem(definition, environment, instructions()),
    prompt: briefing.prompt,
    tools: rights.tools,
    maxSteps: Math.min(task.max_turns ?? most, most),
    budget: budgetOf(task, settings()),
    effort,
    skills: briefing.skills,
    isolation,
    memory,
    notes: [
      ...(isClamped ? [`max_turns ${task.max_turns} is over the limit; it was set to ${most}.`] : []),
      ...notes,
      ...memoryNotes,
      ...briefing.notes,
    ],
  };
}

export function findDefinition(definitions: readonly AgentDefinition[], type: string): AgentDefinition {
  const found = definitions.find(({ name }) => name.toLowerCase() === type.toLowerCase());
  if (found) return found;
  const names = definitions.map(({ name }) => name).join(', ');
  throw new ToolError(`There is no agent type ${type}. There are: ${names}.`);
}

/** What the call gives it, within the minutes that the user gives any agent; 0 there is no limit. */
function budgetOf({ budget = {} }: Delegation, settings: Settings): Budget {
  const { tokens, usd } = budget;
  const most = settings['budget.agentMinutes'];
  const minutes = most > 0 ? Math.min(most, budget.minutes ?? most) : budget.minutes;
  return {
    ...(tokens !== undefined && { tokens }),
    ...(usd !== undefined && { usd }),
    ...(minutes !== undefined && { minutes }),
  };
}
