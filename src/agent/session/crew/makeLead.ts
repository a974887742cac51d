import type { Measure } from '../../context/measure.ts';
import { Agent } from '../../loop/agent.ts';
import type { EventBody } from '../../loop/events.ts';
import type { Budget } from '../../loop/limits.ts';
import type { Meter } from '../../loop/meter.ts';
import type { Message } from '../../messages/types.ts';
import type { ResolvedModel } from '../../model/catalog.ts';
import type { Settings } from '../../settings.ts';
import type { Delegator } from '../../subagents/delegate.ts';
import type { ReadLog } from '../../tools/tool.ts';
import { lead } from '../lead.ts';

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
export function startLead(setup: LeadSetup): Agent {
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

/** 0 in a setting stands for no limit. */
export function turnBudget(settings: Settings): Budget {
  const { 'budget.turnUsd': usd, 'budget.turnTokens': tokens } = settings;
  return { ...(usd > 0 && { usd }), ...(tokens > 0 && { tokens }) };
}
