import type { Gate, Grant } from '../gate/gate.ts';
import type { CallHooks, HookedCall } from '../gate/hooks/callHooks.ts';
import { FileError } from '../host.ts';
import type { ToolResultBlock, ToolUseBlock } from '../messages/types.ts';
import { findTool, type PreparedCall, type Tool, type ToolContext, ToolError, type ToolResult } from '../tools/tool.ts';
import type { Agent } from './agent.ts';
import type { RequestedCall } from './batch.ts';
import type { ToolStatus } from './events.ts';

/** No tool's result takes more of a history than this, in characters; the whole is kept as an artifact. */
const maxResultChars = 60_000;
const previewChars = 2_000;

/** What calls need from the session around them. */
export type CallSurroundings = {
  readonly gate: Gate;
  readonly hooks: Pick<CallHooks, 'after' | 'explain'>;
  readonly now: () => number;
  contextFor(agent: Agent, call: string, grant: Grant, signal: AbortSignal): ToolContext;
  /** Resolves once everything emitted so far is safe on disk. */
  durable(): Promise<void>;
  /** @returns the path of the artifact */
  keep(text: string): Promise<string>;
  /** Runs a call that may change anything, and counts what it changed. */
  observe(agent: Agent, run: () => Promise<ToolResult>): Promise<ToolResult>;
};

export type CallEnding = { readonly status: ToolStatus; readonly result: ToolResult };

/** One call: known → valid → allowed → run → bounded. Never rejects. */
export async function executeCall(
  agent: Agent,
  call: RequestedCall,
  surroundings: CallSurroundings,
  signal: AbortSignal,
): Promise<ToolResultBlock> {
  const { name, input, id } = call.block;
  const refusal = agent.guard.admit(name, input);
  const { result } = await perform(agent, call, refusal, surroundings, signal);
  agent.guard.record(name, input, result.content);
  return {
    type: 'tool_result',
    tool_use_id: id,
    content: result.content,
    ...(result.isError && { is_error: true }),
  };
}

/**
 * A call that the harness makes in an agent's place: by the same gate, shown and counted like its own, but no part of its
 * history, so the guard against circles does not count it. Never rejects.
 */
export function executeForAgent(
  agent: Agent,
  block: ToolUseBlock,
  surroundings: CallSurroundings,
  signal: AbortSignal,
): Promise<CallEnding> {
  return perform(agent, { block }, undefined, surroundings, signal);
}

/** @param refusal why it is not to be run */
async function perform(
  agent: Agent,
  call: RequestedCall,
  refusal: string | undefined,
  surroundings: CallSurroundings,
  signal: AbortSignal,
): Promise<CallEnding> {
  const { block } = call;
  const startedAt = surroundings.now();
  const prepared: Prepared | Refused = refusal === undefined ? prepare(agent, call) : { ok: false, error: refusal };
  const tool = prepared.ok ? prepared.tool.name : block.name;
  const summary = prepared.ok ? prepared.call.summary : block.name;
  agent.tally.countCall();
  agent.emit({ type: 'tool-start', step: agent.steps, call: block.id, tool, input: block.input, summary });
  const ending = prepared.ok
    ? await runAllowed(agent, block, prepared, surroundings, signal)
    : failed('error', prepared.error);
  const result = await bound(ending.result, surroundings);
  agent.tally.countResult(result);
  agent.emit({
    type: 'tool-end',
    call: block.id,
    tool,
    status: ending.status,
    summary: result.summary,
    preview: textOfContent(result.content).slice(0, previewChars),
    durationMs: surroundings.now() - startedAt,
    ...(result.artifact !== undefined && { artifact: result.artifact }),
  });
  return { status: ending.status, result };
}

type Prepared = { readonly ok: true; readonly tool: Tool; readonly call: PreparedCall };
type Refused = { readonly ok: false; readonly error: string };

function prepare(agent: Agent, { block, invalidInput }: RequestedCall): Prepared | Refused {
  const tool = findTool(agent.tools, block.name);
  if (!tool) {
    const offered = agent.tools.map(({ name }) => name).join(', ');
    const advice =
      block.name === 'Agent' || block.name === 'Task'
        ? 'You cannot delegate from here: do the task yourself.'
        : 'Use one of those, or say in your answer what is missing.';
    return { ok: false, error: `${block.name} is not in your toolset (${offered || 'no tools'}). ${advice}` };
  }
  if (invalidInput !== undefined) {
    const excerpt = invalidInput.slice(0, 200);
    return {
      ok: false,
      error: `The input of ${block.name} is not a JSON object, so the call was not run. It began: ${excerpt}`,
    };
  }
  try {
    return { ok: true, tool, call: tool.prepare(block.input) };
  } catch (error) {
    return { ok: false, error: messageOf(error) };
  }
}

async function runAllowed(
  agent: Agent,
  { id: call, input }: ToolUseBlock,
  { tool, call: asked }: Prepared,
  surroundings: CallSurroundings,
  signal: AbortSignal,
): Promise<CallEnding> {
  try {
    if (signal.aborted) return failed('cancelled', 'Stopped by the user before this call was run.');
    const verdict = await surroundings.gate.check({ agent, call, tool, input, prepared: asked }, signal);
    if (signal.aborted) return failed('cancelled', 'Stopped by the user before this call was run.');
    if (verdict.decision === 'deny') return failed('denied', verdict.reason);
    if (tool.effect !== 'read') await surroundings.durable();
    const made = { agent, call, tool, ...(verdict.hooked?.rewritten ?? { input, prepared: asked }) };
    const ending = await runMade(made, verdict, surroundings, signal);
    if (ending.status === 'cancelled') return ending;
    return { ...ending, result: await hear(made, ending.result, verdict, surroundings, signal) };
  } catch (error) {
    return signal.aborted ? interrupted : failed('error', messageOf(error));
  }
}

const interrupted = failed('cancelled', 'Stopped by the user before this call ended. What it did so far may stand.');

/** The call as the gate has let it through. */
async function runMade(
  { agent, call, tool, prepared }: HookedCall,
  grant: Grant,
  surroundings: CallSurroundings,
  signal: AbortSignal,
): Promise<CallEnding> {
  try {
    const run = () => prepared.run(surroundings.contextFor(agent, call, grant, signal));
    const result = tool.effect === 'execute' ? await surroundings.observe(agent, run) : await run();
    if (signal.aborted && result.isError) return { status: 'cancelled', result };
    return { status: result.isError ? 'error' : 'ok', result };
  } catch (error) {
    return signal.aborted ? interrupted : failed('error', messageOf(error));
  }
}

/** What hooks say about a call and its result, for the model. */
async function hear(
  made: HookedCall,
  result: ToolResult,
  { hooked }: Grant,
  { hooks }: CallSurroundings,
  signal: AbortSignal,
): Promise<ToolResult> {
  const after = (await hooks.after(made, result, signal)) ?? result;
  return hooked ? hooks.explain(after, hooked.contexts) : after;
}

function failed(status: ToolStatus, text: string): CallEnding {
  const summary = status === 'error' ? (text.split('\n')[0] ?? '').slice(0, 120) : status;
  return { status, result: { content: text, summary, isError: true } };
}

function messageOf(error: unknown): string {
  if (error instanceof ToolError || error instanceof FileError) return error.message;
  return `The call failed inside Offshoot: ${error instanceof Error ? error.message : String(error)}`;
}

async function bound(result: ToolResult, surroundings: CallSurroundings): Promise<ToolResult> {
  const { content } = result;
  if (typeof content !== 'string') return result;
  if (content.length === 0) return { ...result, content: '(no output)' };
  if (content.length <= maxResultChars || result.isBounded || result.artifact !== undefined) return result;
  const artifact = await surroundings.keep(content);
  return { ...result, content: headAndTail(content, maxResultChars, artifact), artifact };
}

/** The beginning and the end of a long text, with a note where the whole of it can be read. */
export function headAndTail(text: string, limit: number, artifact: string): string {
  const half = Math.floor((limit - 200) / 2);
  const left = text.length - 2 * half;
  return `${text.slice(0, half)}\n[… ${left} characters left out; the whole is in ${artifact}, readable with Read …]\n${text.slice(-half)}`;
}

function textOfContent(content: ToolResult['content']): string {
  if (typeof content === 'string') return content;
  return content.map((block) => (block.type === 'text' ? block.text : '[image]')).join('\n');
}
