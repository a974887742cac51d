import type { Ground } from '../../gate/places/ground.ts';
import { Agent, type AgentIdentity } from '../../loop/agent.ts';
import type { EventBody } from '../../loop/events.ts';
import type { Message } from '../../messages/types.ts';
import type { Delegation } from '../../tools/agent.ts';
import type { Lodging } from '../../worktrees/lodging.ts';
import { forkHistory } from './fork.ts';
import type { SpawnPlan } from './plan.ts';

/** Makes the agent of a plan, tells everybody, and gives it its task. */
export function createChild(child: {
  readonly identity: AgentIdentity;
  readonly parent: Agent;
  readonly task: Delegation;
  readonly plan: SpawnPlan;
  /** The call that asks for it. */
  readonly call: string;
  /** Of an agent that goes on; undefined for a new one. */
  readonly past: readonly Message[] | undefined;
  readonly ground: Ground | undefined;
  readonly lodging: Lodging | undefined;
  readonly emit: (body: EventBody) => void;
}): Agent {
  const { identity, parent, task, plan, call, past, ground, lodging, emit } = child;
  const { definition, model } = plan;
  const tools = plan.tools.map(({ name }) => name);
  const forked = task.context === 'fork' && !past ? forkHistory(parent.history, tools) : [];
  const agent = new Agent({
    identity,
    model,
    system: plan.system,
    tools: plan.tools,
    maxSteps: plan.maxSteps,
    budget: plan.budget,
    effort: plan.effort,
    ground,
    history: past ?? forked,
    parent,
    ...(definition.permissionMode && { modeLimit: definition.permissionMode }),
    emit,
  });
  agent.emit({
    type: 'agent-start',
    name: identity.name,
    agentType: definition.name,
    description: task.description,
    prompt: task.prompt,
    model: model.id,
    modelRule: plan.modelRule,
    tools,
    depth: identity.depth,
    ...(definition.color !== undefined && { color: definition.color }),
    ...(plan.effort !== undefined && { effort: plan.effort }),
    ...(lodging && { worktree: worktreeOf(lodging) }),
    call,
  });
  if (forked.length > 0) {
    const by = 'subagent';
    agent.emit({ type: 'context-compact', by, how: 'fork', tokensBefore: 0, tokensAfter: 0, history: forked });
  }
  const text = [placeWords(ground, lodging), plan.prompt].filter((part) => part !== '').join('\n\n');
  agent.append({ role: 'user', content: [{ type: 'text', text }] });
  return agent;
}

function worktreeOf({ place, baseBranch: from }: Lodging) {
  return { branch: place.branch, base: place.base, ...(from !== undefined && { from }) };
}

function placeWords(ground: Ground | undefined, lodging: Lodging | undefined): string {
  if (lodging) return lodging.words;
  return ground?.worktree
    ? `You work in ${ground.workspace.roots[0]}, the git worktree of the agent that delegates to you. Relative paths start there.`
    : '';
}
