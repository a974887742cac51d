import type { Agent } from '../loop/agent.ts';
import { estimateTokens } from '../messages/tokens.ts';
import { findTool } from '../tools/tool.ts';
import { dropAndKeep, resultChars } from './drop.ts';
import { sumOf } from './measure.ts';

/**
 * Of the window, and at least so many characters: once the results in a history take the first, those that are older than the
 * second are sent no more. A prompt cache then reads what follows anew, once for each time that this much has come in; before,
 * it was sent with every request.
 */
const most = { share: 0.16, chars: 128_000 };
const kept = { share: 0.06, chars: 48_000 };
const charsPerToken = 4;

/** Takes results out of the agent's history that it read long ago, before they are sent over and over. */
export async function dropStaleResults(agent: Agent, keep: (text: string) => Promise<string>): Promise<void> {
  const window = charsPerToken * agent.model.contextWindow;
  if (resultChars(agent.history) < Math.max(most.share * window, most.chars)) return;
  const room = { results: Number.POSITIVE_INFINITY, chars: Math.max(kept.share * window, kept.chars) };
  const shorter = await dropAndKeep(agent.history, (name) => isCheap(agent, name), keep, room);
  if (shorter === agent.history) return;
  const before = agent.contextSize().tokens;
  const estimate = Math.max(1, sumOf(agent.fixed) + estimateTokens(agent.history));
  const after = Math.round((before / estimate) * (sumOf(agent.fixed) + estimateTokens(shorter)));
  agent.replaceHistory('drop', shorter, before, after);
}

/** Whether a call of this tool can simply be made again. */
export function isCheap(agent: Agent, name: string): boolean {
  const tool = findTool(agent.tools, name);
  return tool !== undefined && tool.effect === 'read' && tool.isConcurrent && tool.name !== 'Agent';
}
