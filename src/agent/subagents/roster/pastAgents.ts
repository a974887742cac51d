import type { Agent, AgentIdentity } from '../../loop/agent.ts';
import type { Message } from '../../messages/types.ts';
import type { Delegation } from '../../tools/agent.ts';
import { ToolError } from '../../tools/tool.ts';
import type { Roster } from './roster.ts';

/** An agent of this session that has ended, perhaps before a restart. */
export type PastAgent = {
  readonly identity: AgentIdentity;
  readonly history: readonly Message[];
  /** What it was first asked to do, and the call that asked. */
  readonly task: Delegation;
  readonly call: string;
};

export type FindPast = (idOrName: string, signal: AbortSignal) => Promise<PastAgent | undefined>;

/** For a user who wants more of it. @throws ToolError when there is none such that has ended */
export async function findEnded(
  roster: Roster,
  past: FindPast,
  idOrName: string,
  lead: Agent,
  signal: AbortSignal,
): Promise<PastAgent & { readonly parent: Agent }> {
  const living = roster.find(idOrName);
  const found = await past(idOrName, signal);
  if (!found) throw new ToolError(`There is no agent ${idOrName} in this conversation.`);
  if (living && !living.result) throw new ToolError(`${found.identity.name} is still at work.`);
  return { ...found, parent: living?.parent ?? lead };
}

/** For an agent that delegates to it again. @throws ToolError that says what to do instead */
export async function findPast(
  roster: Roster,
  past: FindPast,
  idOrName: string,
  signal: AbortSignal,
): Promise<Pick<PastAgent, 'identity' | 'history'>> {
  const living = roster.find(idOrName);
  if (living && !living.result) throw stillAtWork(living.agent.identity.name);
  const found = living
    ? { identity: living.agent.identity, history: living.agent.history }
    : await past(idOrName, signal);
  if (!found) throw new ToolError(`There is no agent ${idOrName} in this session. Start a new one without \`resume\`.`);
  return found;
}

export function stillAtWork(name: string): ToolError {
  return new ToolError(`${name} is still at work. Tell it with SendMessage.`);
}
