import type { Clock } from '../host.ts';
import type { AgentDesk } from '../tools/background.ts';
import { ToolError, type ToolResult } from '../tools/tool.ts';
import { progressOf } from './conclude.ts';
import type { Delegated, Roster } from './roster.ts';

/** What agents may do with each other, by id or name. */
export function createDesk(roster: Roster, clock: Clock): AgentDesk {
  return {
    async output(agent, waitMs, context) {
      const delegated = find(roster, agent);
      if (!delegated.result && waitMs > 0) {
        const hasEnded = new AbortController();
        const given = clock.sleep(waitMs, AbortSignal.any([context.signal, hasEnded.signal]));
        await Promise.race([delegated.ended, given]);
        // A timer that is left running would keep the process alive.
        hasEnded.abort();
      }
      if (!delegated.result) return progressOf(delegated);
      delegated.isDelivered = true;
      return delegated.result;
    },
    async stop(agent) {
      const delegated = find(roster, agent);
      if (delegated.result) return say(`${delegated.agent.identity.name} had ended before.`, 'had ended');
      delegated.controller.abort();
      delegated.isDelivered = true;
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
