import { Agent, type AgentIdentity, type Meter } from '../loop/agent.ts';
import type { AgentEvent, EventBody } from '../loop/events.ts';
import type { Message } from '../messages/types.ts';
import type { ModelCatalog, ResolvedModel } from '../model/catalog.ts';
import type { Provider } from '../model/provider.ts';
import type { Delegator } from '../subagents/delegate.ts';
import type { ReadLog } from '../tools/tool.ts';

export const lead: AgentIdentity = { id: 'lead', name: 'lead', parent: null, depth: 0, type: 'lead' };

/** The lead of one turn: its history goes on, its model and limits are those of now. */
export function createLead(setup: {
  readonly model: ResolvedModel;
  readonly system: string;
  readonly history: readonly Message[];
  readonly delegator: Delegator;
  readonly maxSteps: number;
  readonly reads: ReadLog;
  readonly meter: Meter;
  readonly emit: (body: EventBody) => void;
}): Agent {
  const { delegator, ...rest } = setup;
  const agent: Agent = new Agent({
    ...rest,
    identity: lead,
    tools: delegator.toolsFor(() => agent, lead.depth),
    parent: undefined,
  });
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
