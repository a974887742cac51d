import type { Agent } from '../../../loop/agent.ts';
import type { Message } from '../../../messages/types.ts';
import { type FireFor, inFrame } from '../callHooks.ts';

/** Times that hooks may send an agent back to work before it ends all the same. */
const maxRounds = 8;

/** Shows hooks that an agent has answered. @returns a function that returns what it must act on before it may end */
export function createEndHooks(fireFor: FireFor): (agent: Agent, signal: AbortSignal) => Promise<string | undefined> {
  const rounds = new WeakMap<Agent, number>();
  return async (agent, signal) => {
    const isLead = agent.identity.parent === null;
    const event = isLead ? 'Stop' : 'SubagentStop';
    const round = rounds.get(agent) ?? 0;
    const fields = { stop_hook_active: round > 0, last_assistant_message: lastWords(agent.history) };
    const about = isLead ? { fields } : { subjects: [agent.identity.type], fields };
    const fired = await fireFor(event, agent, about, signal);
    if (fired?.halt !== undefined || fired?.decision !== 'deny') return undefined;
    if (round >= maxRounds) {
      const text = `Hooks sent ${agent.identity.name} back to work ${maxRounds} times; now it ends. ${fired.reason}`;
      agent.emit({ type: 'notice', level: 'warning', text });
      return undefined;
    }
    rounds.set(agent, round + 1);
    return inFrame(event, `You cannot end yet. ${fired.words}`);
  };
}

function lastWords(history: readonly Message[]): string {
  const last = history.findLast(({ role }) => role === 'assistant');
  return last?.content.map((block) => (block.type === 'text' ? block.text : '')).join('') ?? '';
}
