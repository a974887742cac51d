import { type ContextParts, contextParts } from '../../context/measure.ts';
import { buildRequest } from '../../context/request.ts';
import { Agent } from '../../loop/agent.ts';
import type { Budget } from '../../loop/limits.ts';
import type { Message } from '../../messages/types.ts';
import type { ModelRequest, Provider } from '../../model/provider.ts';
import type { Delegation } from '../../tools/agent.ts';
import { forkHistory } from './fork.ts';
import type { SpawnPlan } from './plan.ts';

/** What a spawn would start, for people. */
export type SpawnPreview = {
  readonly type: string;
  readonly model: string;
  /** Which rule chose it. */
  readonly modelRule: string;
  readonly system: string;
  /** The first message of its own. */
  readonly prompt: string;
  readonly tools: readonly string[];
  /** Where its commands run. */
  readonly directory: string;
  /** Of a worktree of its own; undefined: it works in the folder of the session. */
  readonly branch: string | undefined;
  /** undefined without a repository, or before its first commit. */
  readonly baseCommit: string | undefined;
  readonly maxSteps: number;
  readonly budget: Budget;
  readonly effort: string | undefined;
  /** Names of skills that stand in its prompt. */
  readonly skills: readonly string[];
  /** Where its notes lie. */
  readonly memory: string | undefined;
  readonly firstRequest: {
    readonly tokens: number;
    /** By the server; else it is an estimate. */
    readonly isCounted: boolean;
    readonly parts: ContextParts;
    readonly contextWindow: number;
  };
  /** What would be done otherwise than asked. */
  readonly notes: readonly string[];
};

/** What a spawn sends first, and how large that is. Nothing is started, and nothing but a count is asked of the server. */
export async function previewRequest(
  parent: Agent,
  task: Delegation,
  plan: SpawnPlan,
  past: readonly Message[] | undefined,
  provider: Provider,
  signal: AbortSignal,
): Promise<{ readonly request: ModelRequest; readonly size: SpawnPreview['firstRequest'] }> {
  const toolNames = plan.tools.map(({ name }) => name);
  const agent = new Agent({
    identity: { id: 'preview', name: 'preview', parent: parent.identity.id, depth: 1, type: plan.definition.name },
    model: plan.model,
    system: plan.system,
    tools: plan.tools,
    maxSteps: plan.maxSteps,
    effort: plan.effort,
    history: past ?? (task.context === 'fork' ? forkHistory(parent.history, toolNames) : []),
    parent: undefined,
    emit: () => undefined,
  });
  agent.append({ role: 'user', content: [{ type: 'text', text: plan.prompt }] });
  const request = buildRequest(agent, 'auto');
  const counted = await provider.countTokens(request, signal).catch(() => undefined);
  signal.throwIfAborted();
  const tokens = counted ?? agent.contextSize().tokens;
  const { contextWindow } = plan.model;
  const parts = contextParts(tokens, agent.fixed);
  return { request, size: { tokens, isCounted: counted !== undefined, parts, contextWindow } };
}
