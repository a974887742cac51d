import type { Agent } from '../loop/agent.ts';
import type { StepDependencies } from '../loop/step.ts';
import { estimateTokens } from '../messages/tokens.ts';
import type { Message, UserBlock } from '../messages/types.ts';
import { ModelError, type ModelErrorKind, type ModelRequest } from '../model/provider.ts';
import { streamWithRetry } from '../model/retry.ts';
import { buildRequest } from './request.ts';

export type Summary = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string };

const summaryTokens = 16_000;
const instruction = `The history above is about to be replaced by your summary of it. Do not go on with the work and call no tools: write the summary.
Put down all that is needed to go on without the history: the user's requests in their words, decisions and their reasons, files looked at or changed with paths and lines, results of commands, agents with their ids and reports, what is done and what comes next.`;

/** Failures that any other request would meet as well: shortening the history would lose it for nothing. */
const hopeless: ReadonlySet<ModelErrorKind> = new Set([
  'authentication',
  'spend_limit',
  'rate_limit',
  'network',
  'model_not_found',
]);

/**
 * Has the agent's model write down what the history says. The request extends the agent's last one, so a prompt cache serves it.
 * @param scale tokens in truth to a token of the estimate
 * @throws ModelError when no request would be answered now
 */
export async function summarise(
  agent: Agent,
  histories: readonly (readonly Message[])[],
  scale: number,
  dependencies: StepDependencies,
  signal: AbortSignal,
): Promise<Summary> {
  if (dependencies.provider.id === 'demo') return { ok: false, reason: 'the demo has no model' };
  const { system, instructions, tools } = agent.fixed;
  const room = agent.model.contextWindow - scale * (system + instructions + tools) - 2 * estimateTokens(instruction);
  const maxTokens = Math.min(summaryTokens, Math.floor(agent.model.contextWindow / 8), agent.model.maxOutputTokens);
  const fitting = histories.find((history) => scale * estimateTokens(history) + maxTokens <= room);
  if (!fitting) return { ok: false, reason: 'it is too long for that' };
  // With another tool choice the cached history would be read anew, at full price; the words keep most models from calls.
  const first = await ask(agent, { ...requestFor(agent, fitting, 'auto'), maxTokens }, dependencies, signal);
  if (first.ok || !first.isWorthAnotherTry) return first;
  return await ask(agent, { ...requestFor(agent, fitting, 'none'), maxTokens }, dependencies, signal);
}

function requestFor(agent: Agent, history: readonly Message[], choice: ModelRequest['toolChoice']): ModelRequest {
  const request = buildRequest(agent, choice, history);
  const last = request.messages.at(-1);
  const block: UserBlock = { type: 'text', text: instruction };
  if (last?.role !== 'user') return { ...request, messages: [...request.messages, { role: 'user', content: [block] }] };
  const messages = [...request.messages.slice(0, -1), { role: 'user' as const, content: [...last.content, block] }];
  return { ...request, messages };
}

/** An answer that is no part of the conversation: nothing of it is streamed, its tokens are counted. */
async function ask(
  agent: Agent,
  request: ModelRequest,
  { provider, clock, random, stallMs }: StepDependencies,
  signal: AbortSignal,
): Promise<Summary & { readonly isWorthAnotherTry?: boolean }> {
  let text = '';
  let hasCalls = false;
  try {
    for await (const event of streamWithRetry(provider, request, { clock, random, stallMs }, signal)) {
      if (event.type === 'retry') [text, hasCalls] = ['', false];
      else if (event.type === 'block-end') {
        if (event.block.type === 'text') text += event.block.text;
        hasCalls ||= event.block.type === 'tool_use';
      } else if (event.type === 'message-end') {
        agent.countAside(event.usage);
        if (event.stopReason === 'refusal') return { ok: false, reason: 'the model declined' };
      }
    }
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ModelError) || hopeless.has(error.kind)) throw error;
    return { ok: false, reason: error.message };
  }
  if (text.trim() !== '') return { ok: true, text: text.trim() };
  return { ok: false, reason: 'the model wrote nothing', isWorthAnotherTry: hasCalls };
}
