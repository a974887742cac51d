import type { Agent } from '../loop/agent.ts';
import { estimateTokens } from '../messages/tokens.ts';
import { ModelError, type ModelRequest } from '../model/provider.ts';
import { type CompactDependencies, compact } from './compact.ts';
import { contextParts, requestBytes } from './measure.ts';
import { buildRequest } from './request.ts';
import { dropStaleResults } from './stale.ts';

/** What Anthropic's servers take: https://docs.anthropic.com/en/api/errors */
const maxBytes = 32 * 1024 * 1024;
const megabyte = 1024 * 1024;
/** Of the window: from here on its true size matters, and from there on an estimate is not good enough. */
const worthKnowing = 0.25;
const worthCounting = 0.6;
/** Of the window: a guess of less cannot be far off. */
const smallGuess = 0.1;
const countTimeoutMs = 20_000;

/**
 * The agent's next request, which fits: its history is made shorter when it comes near the window.
 * @throws ModelError that says what does not fit and what to cut; nothing is sent then
 */
export async function fitRequest(
  agent: Agent,
  choice: ModelRequest['toolChoice'],
  dependencies: CompactDependencies,
  signal: AbortSignal,
): Promise<ModelRequest> {
  await dropStaleResults(agent, dependencies.keep);
  const first = await examine(agent, choice, dependencies, signal);
  const threshold = dependencies.compactAt * agent.model.contextWindow;
  if (!first.problem && first.tokens < threshold) return first.request;
  const reason = first.problem ? 'over' : 'full';
  if (!(await compact(agent, dependencies, reason, signal))) return sendable(first);
  return sendable(await examine(agent, choice, dependencies, signal));
}

type Examined = {
  readonly request: ModelRequest;
  readonly tokens: number;
  readonly problem: ModelError | undefined;
};

function sendable({ request, problem }: Examined): ModelRequest {
  if (problem) throw problem;
  return request;
}

async function examine(
  agent: Agent,
  choice: ModelRequest['toolChoice'],
  dependencies: CompactDependencies,
  signal: AbortSignal,
): Promise<Examined> {
  const { model } = agent;
  const guess = agent.contextSize();
  if (guess.tokens > worthCounting * model.contextWindow) await model.learnLimits(signal);
  else if (guess.tokens > worthKnowing * model.contextWindow) void model.learnLimits(signal).catch(() => {});
  const request = buildRequest(agent, choice);
  const isUnsure =
    guess.tokens > worthCounting * model.contextWindow && guess.guessed > smallGuess * model.contextWindow;
  if (isUnsure) await count(agent, request, dependencies, signal);
  const { tokens } = agent.contextSize();
  return { request, tokens, problem: tooLong(agent, tokens, request.maxTokens) ?? tooLarge(agent, request) };
}

/** A server that cannot count leaves the estimate. */
async function count(
  agent: Agent,
  request: ModelRequest,
  { provider }: CompactDependencies,
  signal: AbortSignal,
): Promise<void> {
  try {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(countTimeoutMs)]);
    agent.countRequest(await provider.countTokens(request, limited));
  } catch {
    signal.throwIfAborted();
  }
}

function tooLong(agent: Agent, tokens: number, maxTokens: number): ModelError | undefined {
  const { contextWindow, id } = agent.model;
  if (tokens + maxTokens <= contextWindow) return undefined;
  const sizes = sizesOf(agent, tokens);
  const list = sizes.map(({ name, size }) => `${name} ${show(size)}`).join(', ');
  const text = `Not sent: ${show(tokens)} tokens and ${show(maxTokens)} for the answer do not fit into the ${show(contextWindow)} of ${id} (${list}). ${adviceOn(sizes)}`;
  return new ModelError('context_exceeded', text);
}

function tooLarge(agent: Agent, request: ModelRequest): ModelError | undefined {
  const bytes = requestBytes(request, maxBytes);
  if (bytes <= maxBytes) return undefined;
  const size = `${(bytes / megabyte).toFixed(1)} MB`;
  const prompt = requestBytes(
    { ...request, system: [], tools: [], messages: [{ role: 'user', content: agent.request }] },
    0,
  );
  const cut =
    prompt > bytes / 2
      ? 'Shorten the prompt, or leave out images.'
      : 'Start a new chat, or ask for fewer images and large files.';
  return new ModelError(
    'too_large',
    `Not sent: the request has ${size}, and servers take ${maxBytes / megabyte} MB. ${cut}`,
  );
}

type Size = { readonly name: keyof typeof advice; readonly size: number };

const advice = {
  prompt: 'Shorten the prompt: name files by their path instead of pasting them.',
  history: 'Start a new chat, or choose a model with a larger window.',
  instructions: 'Shorten AGENTS.md or CLAUDE.md.',
  tools: 'Use an agent type with fewer tools, or a model with a larger window.',
  system: 'Shorten the instructions of the agent type, or choose a model with a larger window.',
} as const;

/** Largest first; parts that are nothing are left out. */
function sizesOf(agent: Agent, tokens: number): readonly Size[] {
  const { system, instructions, tools, messages } = contextParts(tokens, agent.fixed);
  const all = Math.max(1, estimateTokens(agent.history));
  const own = Math.min(1, estimateTokens([{ role: 'user', content: agent.request }]) / all);
  const prompt = Math.round(messages * own);
  const sizes: readonly Size[] = [
    { name: 'prompt', size: prompt },
    { name: 'history', size: messages - prompt },
    { name: 'instructions', size: instructions },
    { name: 'tools', size: tools },
    { name: 'system', size: system },
  ];
  return sizes.filter(({ size }) => size > 0).toSorted((left, right) => right.size - left.size);
}

function adviceOn(sizes: readonly Size[]): string {
  return advice[sizes[0]?.name ?? 'prompt'];
}

function show(tokens: number): string {
  return tokens.toLocaleString('en-US');
}
