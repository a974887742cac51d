import type { Message } from '../messages/types.ts';
import type { StopReason, Usage } from '../model/provider.ts';
import type { CallEvent } from './events/calls.ts';
import type { Receipt, WorktreeFacts } from './events/receipt.ts';
import type { AgentActivity, EndStatus } from './events/states.ts';

export type { Receipt, WorktreeFacts } from './events/receipt.ts';
export type { AgentActivity, DecidedBy, EndStatus, ToolStatus } from './events/states.ts';

export type EventStamp = {
  readonly session: string;
  /** `lead`, or the id of a subagent. */
  readonly agent: string;
  readonly parent: string | null;
  /** Rises by one with every event of a session. */
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
};

export type EventBody =
  | {
      readonly type: 'session-start';
      readonly workspace: string;
      readonly title: string;
      /** What follows, up to that turn, was copied from another session; the stamps of those events name it. */
      readonly from?: { readonly session: string; readonly turn: number; readonly title: string };
    }
  /** The model's name for the conversation; one that the user gave it wins. */
  | { readonly type: 'session-title'; readonly title: string }
  /** By `agent`: the lead rested and a background agent's report woke it; the prompt is that report. Else by the user. */
  | { readonly type: 'turn-start'; readonly turn: number; readonly prompt: string; readonly by?: 'agent' }
  | {
      readonly type: 'turn-end';
      readonly turn: number;
      readonly status: EndStatus;
      readonly error?: string;
      /** Nobody ended it: the editor or the process did, and this was written when the session was opened again. */
      readonly isInterrupted?: true;
    }
  /** A prompt that waits for the running turn to end. */
  | { readonly type: 'prompt-queue'; readonly prompts: readonly string[] }
  | {
      readonly type: 'agent-start';
      readonly name: string;
      readonly agentType: string;
      readonly description: string;
      readonly prompt: string;
      readonly model: string;
      /** Which rule chose the model, e.g. `small model setting`. */
      readonly modelRule: string;
      readonly tools: readonly string[];
      readonly depth: number;
      /** Of its card, as its definition says: a name such as `blue`. */
      readonly color?: string;
      /** What its model was asked for. */
      readonly effort?: string;
      /** It works in a git worktree of its own. `from`: the branch that is checked out at the base. */
      readonly worktree?: { readonly branch: string; readonly base: string; readonly from?: string };
      /** The delegating call; null for the lead. */
      readonly call: string | null;
    }
  /** From now on the agent works in the background: nobody waits for it, its end is told. */
  | { readonly type: 'agent-detach' }
  | { readonly type: 'agent-status'; readonly activity: AgentActivity; readonly detail?: string }
  | {
      readonly type: 'agent-end';
      readonly status: EndStatus;
      readonly report: string;
      readonly receipt: Receipt;
      readonly error?: string;
      /** As of a turn. */
      readonly isInterrupted?: true;
    }
  | { readonly type: 'step-start'; readonly step: number; readonly model: string }
  /** What this step streamed so far is void; the request goes out again. */
  | { readonly type: 'step-retry'; readonly step: number; readonly reason: string; readonly delayMs: number }
  | { readonly type: 'step-end'; readonly step: number; readonly stopReason: StopReason }
  | { readonly type: 'text-delta'; readonly step: number; readonly text: string }
  | { readonly type: 'thinking-delta'; readonly step: number; readonly text: string }
  /** A message joined the agent's history. `step` 0: before the first answer. */
  | { readonly type: 'message-append'; readonly step: number; readonly message: Message }
  | CallEvent
  | {
      readonly type: 'usage-update';
      /** Of this step. */
      readonly step: number;
      readonly usage: Usage;
      readonly cost: number | undefined;
      /** Tokens that the last request and answer took, and how many fit. */
      readonly contextTokens: number;
      readonly contextWindow: number;
      /** What those tokens are; they add up. Left out in older journals. */
      readonly contextParts?: {
        readonly system: number;
        /** What the project tells its agents. */
        readonly instructions: number;
        readonly tools: number;
        readonly messages: number;
      };
      /** Of this agent and of all below it, in this turn. */
      readonly total: { readonly usage: Usage; readonly cost: number | undefined };
    }
  | {
      readonly type: 'context-compact';
      /** Who made its history shorter. */
      readonly by: 'lead' | 'subagent' | 'background';
      /** `fork`: the history begins as a copy of the parent's. `drop`: old tool results were left out. `summary`: the history was replaced by a summary. */
      readonly how: 'drop' | 'summary' | 'fork';
      readonly tokensBefore: number;
      readonly tokensAfter: number;
      /** The history from here on. */
      readonly history: readonly Message[];
    }
  /** An agent has a git worktree of its own. `added`: ignored files that were copied into it. */
  | {
      readonly type: 'worktree-create';
      readonly branch: string;
      readonly path: string;
      readonly base: string;
      /** What was not committed in the checkout is there as well. */
      readonly isCarried: boolean;
      readonly added: readonly string[];
    }
  /** It ended and left something there. */
  | ({ readonly type: 'worktree-keep' } & WorktreeFacts)
  /** It left nothing, so folder and branch are gone. */
  | { readonly type: 'worktree-remove'; readonly branch: string; readonly path: string }
  /** It could not be made, read or removed; what there is of it is kept. */
  | { readonly type: 'worktree-fail'; readonly branch: string; readonly path: string; readonly error: string }
  | { readonly type: 'notice'; readonly level: 'info' | 'warning' | 'error'; readonly text: string };

/** All that an agent puts out. The sidebar, the journal, the index, headless output and benchmarks live on it. */
export type AgentEvent = EventStamp & EventBody;

/** Who an event is from. */
export type EventSource = { readonly agent: string; readonly parent: string | null };

/** Stamps and passes on an event. Must not throw. */
export type Emit = (source: EventSource, body: EventBody) => void;

/** Shown while it happens and not kept: the message that ends it says the same. */
export function isTransient(body: EventBody): boolean {
  return body.type === 'text-delta' || body.type === 'thinking-delta' || body.type === 'tool-progress';
}
