import type { Measure } from '../../context/measure.ts';
import { Agent, type AgentIdentity } from '../../loop/agent.ts';
import type { AgentEvent, EventBody } from '../../loop/events.ts';
import type { Budget } from '../../loop/limits.ts';
import type { Meter } from '../../loop/meter.ts';
import type { Message } from '../../messages/types.ts';
import type { ModelCatalog, ResolvedModel } from '../../model/catalog.ts';
import { ModelError, type Provider } from '../../model/provider.ts';
import type { Settings } from '../../settings.ts';
import type { Delegator } from '../../subagents/delegate.ts';
import type { ReadLog } from '../../tools/tool.ts';

export const lead: AgentIdentity = { id: 'lead', name: 'lead', parent: null, depth: 0, type: 'lead' };

type LeadSetup = {
  readonly model: ResolvedModel;
  readonly system: string;
  readonly history: readonly Message[];
  readonly measure: Measure | undefined;
  readonly delegator: Delegator;
  readonly maxSteps: number;
  readonly budget: Budget;
  readonly reads: ReadLog;
  readonly meter: Meter;
  readonly emit: (body: EventBody) => void;
};

/** A lead that begins no turn. */
export function makeLead(setup: LeadSetup): Agent {
  const { delegator, ...rest } = setup;
  const agent: Agent = new Agent({
    ...rest,
    identity: lead,
    tools: delegator.toolsFor(() => agent, lead.depth),
    parent: undefined,
  });
  return agent;
}

/** The lead of one turn: its history goes on, its model and limits are those of now. */
export function createLead(setup: LeadSetup): Agent {
  const agent = makeLead(setup);
  agent.emit({
    type: 'agent-start',
    name: lead.name,
    agentType: lead.type,
    description: '',
    prompt: '',
    model: agent.model.id,
    modelRule: 'session',
    tools: agent.tools.map(({ name }) => name),
    depth: lead.depth,
    call: null,
  });
  return agent;
}

/**
 * The model that a name or alias means.
 * @throws Error that lists what the server has
 */
export async function chooseLeadModel(
  provider: Provider,
  catalog: ModelCatalog,
  name: string,
  signal: AbortSignal,
): Promise<ResolvedModel> {
  const [only] = provider.id === 'demo' ? await catalog.list(signal) : [];
  const model = await catalog.resolve(only?.id ?? name, signal);
  if (model) return model;
  const known = (await catalog.list(signal)).map(({ id }) => id).join(', ');
  throw new Error(`The server has no model ${name}. Choose another: ${known || 'it lists none'}.`);
}

/** A model's thinking is signed for that model: another one is not sent it. */
export function fitHistory(
  history: readonly Message[],
  events: readonly AgentEvent[],
  model: ResolvedModel,
): readonly Message[] {
  const before = events.findLast((event) => event.type === 'agent-start' && event.agent === lead.id);
  if (before?.type !== 'agent-start' || before.model === model.id) return history;
  return history.map((message) => {
    if (message.role === 'user') return message;
    const content = message.content.filter(({ type }) => type !== 'thinking' && type !== 'redacted_thinking');
    return { role: 'assistant', content };
  });
}

/** How large the history was when last something was said about it; undefined when that was of another model. */
export function lastMeasure(
  history: readonly Message[],
  events: readonly AgentEvent[],
  model: ResolvedModel,
): Measure | undefined {
  let appended = 0;
  let found: Measure | undefined;
  for (let index = events.length - 1; index >= 0; index -= 1) {
    const event = events[index];
    if (event?.agent !== lead.id) continue;
    if (event.type === 'agent-start' && event.model !== model.id) return undefined;
    if (event.type === 'agent-start' && found) return found;
    if (found) continue;
    const messages = Math.max(0, history.length - appended);
    if (event.type === 'message-append') appended += 1;
    else if (event.type === 'usage-update') found = { tokens: event.contextTokens, messages, by: 'usage' };
    else if (event.type === 'context-compact') found = { tokens: event.tokensAfter, messages, by: 'estimate' };
  }
  return undefined;
}

/** 0 in a setting stands for no limit. */
export function turnBudget(settings: Settings): Budget {
  const { 'budget.turnUsd': usd, 'budget.turnTokens': tokens } = settings;
  return { ...(usd > 0 && { usd }), ...(tokens > 0 && { tokens }) };
}

/** An unknown model is answered with those there are. */
export async function adviseOnModel(
  error: unknown,
  catalog: ModelCatalog,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!(error instanceof ModelError) || error.kind !== 'model_not_found') return undefined;
  const models = await catalog.list(signal).catch(() => []);
  return models.length > 0 ? `The server has: ${models.map(({ id }) => id).join(', ')}.` : undefined;
}
