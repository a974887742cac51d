import type { Usage } from '../../model/provider.ts';
import type { Mode } from '../../settings.ts';
import type { HookEventName, HookOrigin } from './eventNames.ts';

/** Who did what, as every hook is told. Names as Claude Code writes them, so that hooks written for it work. */
export type HookInput = {
  readonly session_id: string;
  readonly cwd: string;
  readonly hook_event_name: HookEventName;
  /** `lead`, or the id of a subagent. */
  readonly agent_id: string;
  readonly agent_name: string;
  readonly agent_type: string;
  readonly parent_agent_id: string | null;
  /** 0 for the lead. */
  readonly agent_depth: number;
  readonly permission_mode: Mode;
  /** Of the agent and all below it, in this turn. */
  readonly usage: HookUsage;
} & Readonly<Record<string, unknown>>;

export type HookUsage = {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_read_input_tokens: number;
  readonly cache_creation_input_tokens: number;
  /** US dollars; null when a model's price is not known. */
  readonly cost_usd: number | null;
};

export function toHookUsage(usage: Usage, cost: number | undefined): HookUsage {
  return {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cache_read_input_tokens: usage.cacheReadTokens,
    cache_creation_input_tokens: usage.cacheWriteTokens,
    cost_usd: cost ?? null,
  };
}

/** What another extension registers. It gets what a command gets on its standard input, and returns what one prints. */
export type HookHandler = (input: HookInput, context: { readonly signal: AbortSignal }) => unknown;

export type HookAction =
  | { readonly kind: 'command'; readonly command: string; readonly timeoutMs: number }
  | { readonly kind: 'handler'; readonly name: string; readonly handler: HookHandler; readonly timeoutMs: number }
  | { readonly kind: 'unusable'; readonly text: string; readonly problem: string };

export type Hook = {
  readonly event: HookEventName;
  readonly origin: HookOrigin;
  readonly matcher?: string | undefined;
  readonly action: HookAction;
  /** The project that it is of; left out: the first folder of the workspace. */
  readonly directory?: string;
};

/** The hooks that other extensions have registered by now. */
export type RegisteredHooks = () => readonly Hook[];

/** How people name a hook. */
export function nameOf({ action }: Hook): string {
  if (action.kind === 'command') return action.command;
  return action.kind === 'handler' ? action.name : action.text;
}

/** Of several that are the same, in the same folder, one is run. */
export function withoutTwins(hooks: readonly Hook[]): readonly Hook[] {
  const isSame = (one: Hook, other: Hook) => {
    const [left, right] = [one.action, other.action];
    if (left.kind === 'handler' || right.kind === 'handler') return one === other;
    return left.kind === right.kind && nameOf(one) === nameOf(other) && one.directory === other.directory;
  };
  return hooks.filter((hook, index) => hooks.findIndex((other) => isSame(hook, other)) === index);
}
