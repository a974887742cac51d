import type { Clock } from '../../host.ts';
import type { Agent } from '../../loop/agent.ts';
import type { AgentDesk } from '../../tools/agentDesk.ts';
import { ToolError, type ToolResult } from '../../tools/tool.ts';
import { progressOf } from '../reports/conclude.ts';
import type { Delegated } from './delegated.ts';
import type { Roster } from './roster.ts';

/**
 * What an agent may do with others, by id or name.
 * @param asker a report that it gets is told nobody again, if it has started the agent
 */
export function createDesk(roster: Roster, clock: Clock, asker: () => Agent): AgentDesk {
  const isParent = ({ parent }: Delegated) => parent.identity.id === asker().identity.id;
  return {
    async output(agent, waitMs, context) {
      const delegated = find(roster, agent);
      const isTold = isParent(delegated);
      if (!delegated.result && waitMs > 0) {
        const hasEnded = new AbortController();
        const given = clock.sleep(waitMs, AbortSignal.any([context.signal, hasEnded.signal]));
        if (isTold) delegated.awaited += 1;
        await Promise.race([delegated.ended, given]);
        if (isTold) delegated.awaited -= 1;
        // A timer that is left running would keep the process alive.
        hasEnded.abort();
      }
      if (!delegated.result) return progressOf(delegated);
      if (isTold) delegated.isDelivered = true;
      return delegated.result;
    },
    async stop(agent) {
      const delegated = find(roster, agent);
      if (delegated.result) return say(`${delegated.agent.identity.name} had ended before.`, 'had ended');
      if (isParent(delegated)) delegated.isDelivered = true;
      delegated.controller.abort();
      return await delegated.ended;
    },
    async tell(agent, message) {
      const delegated = find(roster, agent);
      const { name, id } = delegated.agent.identity;
      if (delegated.result) {
        throw new ToolError(`${name} has ended. To let it go on, call Agent with resume: "${id}" and your message.`);
      }
      delegated.agent.controls.tell(`Message from the agent that delegated to you:\n${message}`);
      return say(`${name} reads it before its next step.`, 'sent');
    },
  };
}

function find(roster: Roster, idOrName: string): Delegated {
  const found = roster.find(idOrName);
  if (found) return found;
  const working = roster.working.map(({ agent }) => `${agent.identity.name} (${agent.identity.id})`).join(', ');
  throw new ToolError(`There is no agent ${idOrName}. At work: ${working || 'none'}.`);
}

function say(content: string, summary: string): ToolResult {
  return { content, summary };
}
