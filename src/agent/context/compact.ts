import type { Agent } from '../loop/agent.ts';
import type { StepDependencies } from '../loop/step.ts';
import { estimateTokens } from '../messages/tokens.ts';
import type { Message } from '../messages/types.ts';
import { dropAndKeep } from './drop.ts';
import { sumOf } from './measure.ts';
import { beforeRequest, keepEnd, withSummary, withText } from './shorten.ts';
import { isCheap } from './stale.ts';
import { summarise } from './summarise.ts';

export type CompactDependencies = StepDependencies & {
  /** Share of the context window at which the history is made shorter. */
  readonly compactAt: number;
  /** Who works and which tasks are open, for an agent whose history no longer says so; empty when there is nothing. */
  readonly roster: (agent: Agent) => string;
  /** Whether somebody wants the history to stay as it is. Must not reject. */
  readonly refusesCompaction?: (agent: Agent, reason: CompactReason, signal: AbortSignal) => Promise<boolean>;
  /** Keeps a text that leaves a history. @returns the path of the artifact */
  readonly keep: (text: string) => Promise<string>;
};

/**
 * `full`: the history comes near the window. `over`: by the count, the next request does not fit. `exceeded`: the server said
 * so, whatever was counted. `asked`: the user wants it short.
 */
export type CompactReason = 'full' | 'over' | 'exceeded' | 'asked';

/** Dropping is enough when it brings the context below this share of the threshold: less would soon have to be done again. */
const enough = 0.75;
/** Of the window: what is left when nothing could be summarised, and the most that a last step may keep. */
const fallbackShare = 0.4;
const lastStepShare = 0.1;
/** Of the window: below this, making it shorter is not worth a request. */
const leastGain = 0.1;

/** Does what the user asked for through `agent.controls`. Whatever comes of it is told; it fails no turn. */
export async function compactIfAsked(
  agent: Agent,
  dependencies: CompactDependencies,
  signal: AbortSignal,
): Promise<void> {
  if (!agent.controls.takeCompaction()) return;
  if (!isCompactable(agent, 'asked')) {
    agent.emit({ type: 'notice', level: 'info', text: 'There is nothing yet that could be summarised.' });
    return;
  }
  try {
    await compact(agent, dependencies, 'asked', signal);
  } catch (error) {
    if (signal.aborted) return;
    const reason = error instanceof Error ? error.message : String(error);
    agent.emit({ type: 'notice', level: 'warning', text: `The conversation stays as it is. ${reason}` });
  }
}

/** Whether there is anything in the history but the request in hand. */
export function isCompactable(agent: Agent, reason: CompactReason): boolean {
  if (agent.history.length < 2) return false;
  if (reason !== 'full') return true;
  const spare = estimateTokens(agent.history) - estimateTokens([{ role: 'user', content: agent.request }]);
  return spare > leastGain * agent.model.contextWindow;
}

/**
 * Makes the history shorter: drops old tool results where that is enough, else puts a summary in its place, else keeps its
 * end. The agent's request stays word for word, and the result is valid.
 * @returns false when it was not made shorter
 * @throws ModelError when a summary is wanted and no request would be answered now
 */
export async function compact(
  agent: Agent,
  dependencies: CompactDependencies,
  reason: CompactReason,
  signal: AbortSignal,
): Promise<boolean> {
  if (!isCompactable(agent, reason)) return false;
  if (await dependencies.refusesCompaction?.(agent, reason, signal)) return false;
  const { history, request, fixed } = agent;
  const { contextWindow } = agent.model;
  const counted = agent.contextSize().tokens;
  const before = reason === 'exceeded' ? Math.max(counted, contextWindow) : counted;
  const estimate = Math.max(1, sumOf(fixed) + estimateTokens(history));
  const scale = before / estimate;
  const sizeOf = (messages: readonly Message[]) => Math.round(scale * (sumOf(fixed) + estimateTokens(messages)));
  const replace = (how: 'drop' | 'summary', shorter: readonly Message[]) => {
    const told = withText(shorter, dependencies.roster(agent));
    agent.replaceHistory(how, told, before, sizeOf(told));
    return true;
  };

  const dropped = await dropAndKeep(history, (name) => isCheap(agent, name), dependencies.keep);
  const target = enough * dependencies.compactAt * contextWindow;
  if (reason !== 'asked' && dropped !== history && sizeOf(dropped) < target) return replace('drop', dropped);

  if (agent.isRunning) agent.emit({ type: 'agent-status', activity: 'running', detail: 'Summarising' });
  // What the server has just refused need not be sent again; else the whole is best, and a prompt cache serves it.
  const sources = (reason === 'exceeded' ? [dropped] : [history, dropped]).map(beforeRequest);
  const summary = await summarise(agent, sources, counted / estimate, dependencies, signal);
  if (agent.isRunning) agent.emit({ type: 'agent-status', activity: 'running' });
  if (summary.ok) {
    const maxStepTokens = (lastStepShare * contextWindow) / scale;
    return replace('summary', withSummary(history, request, summary.text, maxStepTokens));
  }
  const most = reason === 'exceeded' ? estimateTokens(history) / 2 : Number.POSITIVE_INFINITY;
  const shorter = keepEnd(dropped, request, Math.min(most, (fallbackShare * contextWindow) / scale));
  const isShorter = shorter !== history;
  const outcome = isShorter ? 'Older parts of it were left out instead.' : 'It stays as it is.';
  const text = `The conversation could not be summarised: ${summary.reason.replace(/[.\s]+$/, '')}. ${outcome}`;
  agent.emit({ type: 'notice', level: 'warning', text });
  return isShorter && replace('drop', shorter);
}
