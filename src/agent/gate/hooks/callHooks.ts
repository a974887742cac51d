import type { Agent } from '../../loop/agent.ts';
import type { PreparedCall, Tool, ToolResult } from '../../tools/tool.ts';
import type { HookEventName } from './eventNames.ts';
import type { Fired } from './firing/fire.ts';

/** A call as it stands before the gate. */
export type HookedCall = {
  readonly agent: Agent;
  readonly call: string;
  readonly tool: Tool;
  readonly input: Readonly<Record<string, unknown>>;
  readonly prepared: PreparedCall;
};

/** What hooks make of a call before rules and mode have their say. */
export type CallHooked = {
  readonly decision: 'allow' | 'ask' | 'deny' | undefined;
  readonly reason: string;
  /** Another input, valid for the tool; it is gated and shown in the place of the one that the model sent. */
  readonly rewritten: { readonly input: HookedCall['input']; readonly prepared: PreparedCall } | undefined;
  /** For the model, with the result. */
  readonly contexts: readonly string[];
};

/** Before and after calls. Each returns undefined at once where nothing is hooked. */
export interface CallHooks {
  before(call: HookedCall, signal: AbortSignal): Promise<CallHooked> | undefined;
  /** Before the user is asked, or is shown what an edit would change. */
  onAsk(
    call: HookedCall,
    why: AskedWhy,
    signal: AbortSignal,
  ): Promise<{ readonly decision: 'allow' | 'deny' | undefined; readonly reason: string }> | undefined;
  /** When it has run. @returns what the model gets */
  after(call: HookedCall, result: ToolResult, signal: AbortSignal): Promise<ToolResult> | undefined;
  /** Adds what was said before it ran. */
  explain(result: ToolResult, contexts: readonly string[]): ToolResult;
}

export type AskedWhy = {
  readonly reason: string;
  /** No rule and no protection wants the user himself. */
  readonly mayAllow: boolean;
  /** It is put to the user as a change, which is told of when it shows. */
  readonly isProposal?: boolean;
};

/** Runs the hooks of an event for an agent; undefined where there are none. */
export type FireFor = (
  event: HookEventName,
  agent: Agent,
  about: {
    readonly subjects?: readonly string[];
    readonly call?: string;
    readonly fields: Readonly<Record<string, unknown>>;
  },
  signal: AbortSignal,
) => Promise<Fired> | undefined;

/** Tells that the user's attention is wanted; nobody waits for it. */
export type Notify = (agent: Agent, kind: string, message: string) => void;

export function createCallHooks(fireFor: FireFor, notify: Notify): CallHooks {
  const aboutCall = ({ call, tool, input }: HookedCall, more: Readonly<Record<string, unknown>> = {}) => ({
    subjects: [tool.name, ...tool.aliases],
    call,
    fields: { tool_name: tool.name, tool_input: input, tool_use_id: call, ...more },
  });

  return {
    before(call, signal) {
      const { halted } = call.agent.controls;
      if (halted !== undefined) return Promise.resolve(refused(`The agent is to end: ${halted}`));
      return fireFor('PreToolUse', call.agent, aboutCall(call), signal)?.then((fired) => toHooked(call, fired));
    },
    onAsk(call, { reason, mayAllow, isProposal }, signal) {
      const asked = fireFor('PermissionRequest', call.agent, aboutCall(call, { reason }), signal);
      const tell = () =>
        isProposal ||
        notify(call.agent, 'permission_prompt', `${call.agent.identity.name} asks: ${call.prepared.summary}`);
      if (!asked) tell();
      return asked?.then((fired) => {
        if (fired.decision === 'deny') return { decision: 'deny', reason: deniedWords(fired.words) };
        if (fired.decision === 'allow' && mayAllow) return { decision: 'allow', reason: fired.reason };
        tell();
        return { decision: undefined, reason: fired.reason };
      });
    },
    after(call, result, signal) {
      const event = result.isError ? 'PostToolUseFailure' : 'PostToolUse';
      const { content, summary, isError } = result;
      const response = { content, summary, is_error: isError ?? false };
      const more = isError ? { error: content, tool_response: response } : { tool_response: response };
      return fireFor(event, call.agent, aboutCall(call, more), signal)?.then((fired) =>
        afterwards(event, call.agent, result, fired),
      );
    },
    explain: (result, contexts) => withContexts('PreToolUse', result, contexts),
  };
}

function toHooked(call: HookedCall, fired: Fired): CallHooked {
  const { halt, contexts } = fired;
  if (halt !== undefined) {
    call.agent.controls.halt(halt);
    return refused(halt);
  }
  if (fired.decision === 'deny') return refused([deniedWords(fired.words), ...contexts].join('\n'));
  const { decision, reason, input } = fired;
  if (input === undefined) return { decision, reason, rewritten: undefined, contexts };
  try {
    return { decision, reason, rewritten: { input, prepared: call.tool.prepare(input) }, contexts };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { ...refused(`A hook changed the input of this call to one that does not fit: ${problem}`), contexts };
  }
}

function refused(reason: string): CallHooked {
  return { decision: 'deny', reason, rewritten: undefined, contexts: [] };
}

function deniedWords(reason: string): string {
  return `A hook of the user blocks this call. ${reason}`;
}

function afterwards(event: HookEventName, agent: Agent, result: ToolResult, fired: Fired): ToolResult {
  if (fired.halt !== undefined) agent.controls.halt(fired.halt);
  const { output, decision, words, contexts } = fired;
  const changed = output === undefined ? result : { ...result, content: output };
  return withContexts(event, changed, [...(decision === 'deny' ? [words] : []), ...contexts]);
}

function withContexts(event: HookEventName, result: ToolResult, contexts: readonly string[]): ToolResult {
  if (contexts.length === 0) return result;
  const added = contexts.map((context) => inFrame(event, context)).join('\n');
  const { content } = result;
  if (typeof content === 'string') return { ...result, content: content === '' ? added : `${content}\n\n${added}` };
  return { ...result, content: [...content, { type: 'text', text: added }] };
}

/** Marks a text as what a hook has added. */
export function inFrame(event: HookEventName, text: string): string {
  return `<hook event="${event}">\n${text}\n</hook>`;
}
