import type { Agent } from '../loop/agent.ts';
import type { StepDependencies } from '../loop/step.ts';
import { estimateTokens } from '../messages/tokens.ts';
import { type Message, textOf, type UserBlock } from '../messages/types.ts';
import type { ModelRequest } from '../model/provider.ts';
import { streamWithRetry } from '../model/retry.ts';
import { buildRequest } from './request.ts';

type CompactDependencies = StepDependencies & { readonly compactAt: number };

/** Tool results younger than this are never dropped, counted in messages. */
const keptMessages = 6;
const dropOverChars = 400;
const dropped = '[An old result, left out to make room. Call the tool again if you need it.]';
/** Dropping is enough when it brings the history below this share of the threshold. */
const enough = 0.75;

const summaryInstruction = `The history is about to be replaced by your summary of it. Write down all that is needed to go on without it:
the user's requests in their words, decisions and their reasons, files looked at or changed with paths and lines, results of commands, agents and their reports, what is done and what comes next. Call no tools.`;

/** Makes the history shorter when the last request came close to the context window. */
export async function compactIfNeeded(
  agent: Agent,
  dependencies: CompactDependencies,
  signal: AbortSignal,
): Promise<void> {
  if (agent.contextTokens < dependencies.compactAt * agent.model.contextWindow) return;
  await compact(agent, dependencies, signal);
}

/** First drops old tool results; when that is not enough, replaces the history by a summary. */
export async function compact(agent: Agent, dependencies: CompactDependencies, signal: AbortSignal): Promise<void> {
  const before = estimateTokens(agent.history);
  const target = enough * dependencies.compactAt * agent.model.contextWindow;
  const shorter = dropOldResults(agent.history);
  const after = estimateTokens(shorter);
  const isEnough = after < before && agent.contextTokens * (after / before) < target;
  if (after < before) replace(agent, 'drop', shorter);
  if (!isEnough) replace(agent, 'summary', await summarise(agent, dependencies, signal));
}

function replace(agent: Agent, how: 'drop' | 'summary', history: readonly Message[]): void {
  const tokensBefore = agent.contextTokens;
  const share = estimateTokens(history) / Math.max(1, estimateTokens(agent.history));
  agent.replaceHistory(history);
  agent.contextTokens = Math.round(tokensBefore * Math.min(1, share));
  agent.emit({
    type: 'context-compact',
    by: agent.identity.parent === null ? 'lead' : 'subagent',
    how,
    tokensBefore,
    tokensAfter: agent.contextTokens,
    history,
  });
}

function dropOldResults(history: readonly Message[]): readonly Message[] {
  return history.map((message, index) => {
    if (message.role !== 'user' || index >= history.length - keptMessages) return message;
    return { role: 'user', content: message.content.map(dropResult) };
  });
}

function dropResult(block: UserBlock): UserBlock {
  if (block.type !== 'tool_result') return block;
  const isLong = typeof block.content !== 'string' || block.content.length > dropOverChars;
  return isLong ? { ...block, content: dropped } : block;
}

async function summarise(
  agent: Agent,
  dependencies: CompactDependencies,
  signal: AbortSignal,
): Promise<readonly Message[]> {
  const request = buildRequest(agent, 'none');
  const last = request.messages.at(-1);
  const instruction: UserBlock = { type: 'text', text: summaryInstruction };
  const messages: readonly Message[] =
    last?.role === 'user'
      ? [...request.messages.slice(0, -1), { role: 'user', content: [...last.content, instruction] }]
      : [...request.messages, { role: 'user', content: [instruction] }];
  const summary = await answerQuietly(agent, { ...request, messages }, dependencies, signal);
  const first = agent.history.find(({ role }) => role === 'user');
  const task = first ? textOf(first) : '';
  return [
    {
      role: 'user',
      content: [
        {
          type: 'text',
          text: `${task}\n\n<summary of="the conversation so far">\n${summary}\n</summary>\n\nGo on from here.`,
        },
      ],
    },
  ];
}

/** An answer that is not part of the conversation: nothing of it is streamed, its tokens are counted. */
async function answerQuietly(
  agent: Agent,
  request: ModelRequest,
  { provider, clock, random, stallMs }: StepDependencies,
  signal: AbortSignal,
): Promise<string> {
  let text = '';
  for await (const event of streamWithRetry(provider, request, { clock, random, stallMs }, signal)) {
    if (event.type === 'retry') text = '';
    else if (event.type === 'block-end' && event.block.type === 'text') text += event.block.text;
    else if (event.type === 'message-end') agent.countUsage(event.usage);
  }
  return text;
}
