import type { AgentEvent } from '../../loop/events.ts';
import { HistoryReader } from '../../store/history.ts';
import { readJournal } from '../../store/journal/readJournal.ts';
import type { PastAgent } from '../../subagents/roster/pastAgents.ts';
import { type Delegation, readDelegation, toDelegation } from '../../tools/agent.ts';

type Of<Type extends AgentEvent['type']> = Extract<AgentEvent, { type: Type }>;

/**
 * An agent of a session from its journal, as after a restart; undefined when there was none of that id or name.
 * @throws when the journal cannot be read, or the signal aborts
 */
export async function readPastAgent(
  path: string,
  idOrName: string,
  signal: AbortSignal,
): Promise<PastAgent | undefined> {
  const asked = new Map<string, Of<'tool-start'>>();
  let first: Of<'agent-start'> | undefined;
  let last: Of<'agent-start'> | undefined;
  let task: Delegation | undefined;
  let history = new HistoryReader();
  const wants = ({ type, agent }: { readonly type: string; readonly agent: string }) =>
    type === 'agent-start' || type === 'tool-start' || agent === last?.agent;
  for await (const event of readJournal(path, { onProblem: () => undefined, signal, wants })) {
    if (event.type === 'tool-start' && event.tool === 'Agent') asked.set(event.call, event);
    if (event.agent === last?.agent) history.add(event);
    if (event.type !== 'agent-start' || event.parent === null) continue;
    const call = asked.get(event.call ?? '');
    if (event.agent === idOrName || event.name === idOrName) {
      if (event.agent !== first?.agent) {
        // Another one of that name.
        history = new HistoryReader();
        first = event;
        task = taskOf(call, first);
      }
      last = event;
    }
  }
  if (!first || !last || !task) return undefined;
  const { agent: id, parent, name, depth, agentType: type } = last;
  return { identity: { id, name, parent, depth, type }, history: history.messages, task, call: first.call ?? '' };
}

/** As it was asked for; where that is not there any more, what is known of it. */
function taskOf(
  asked: Of<'tool-start'> | undefined,
  { description, prompt, agentType }: Of<'agent-start'>,
): Delegation {
  const known = { prompt, subagent_type: agentType };
  const given = asked && readDelegation(asked.input);
  return given ? { ...given, ...known } : toDelegation({ description: description || agentType, ...known });
}
