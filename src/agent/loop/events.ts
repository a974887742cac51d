import type { HookEventName, HookOrigin } from '../gate/hooks/eventNames.ts';
import type { PermissionAnswer, PermissionAsk } from '../host.ts';
import type { Message } from '../messages/types.ts';
import type { StopReason, Usage } from '../model/provider.ts';

/** How an agent ended, or how a turn did. `cached` is for reports that were taken from an earlier delegation. */
export type EndStatus = 'completed' | 'limit_reached' | 'stopped' | 'failed' | 'cached';

/**
 * What an agent does now. `waiting_user`: a question is open. `waiting_agents`: its children work. `pausing`: it was asked to
 * pause, and does once its step has ended.
 */
export type AgentActivity =
  | 'queued'
  | 'running'
  | 'waiting_user'
  | 'waiting_agents'
  | 'retrying'
  | 'stalled'
  | 'pausing'
  | 'paused';

export type ToolStatus = 'ok' | 'error' | 'denied' | 'cancelled';

/**
 * What decided about a call. `tool`: it only reads; `readOnly`: so does every part of its command; `trust`: the workspace is
 * not trusted; `outside`: a path lies outside the workspace; `session`: the same call was allowed before; `hook`: a hook said so.
 */
export type DecidedBy =
  | 'rule'
  | 'mode'
  | 'tool'
  | 'readOnly'
  | 'trust'
  | 'outside'
  | 'session'
  | 'hook'
  | PermissionAnswer['by'];

/** Facts that the harness attaches to a report: what really happened, not what the model says happened. */
export type Receipt = {
  readonly calls: number;
  readonly steps: number;
  readonly filesRead: readonly string[];
  readonly filesChanged: readonly string[];
  readonly commands: readonly { readonly command: string; readonly exitCode: number | undefined }[];
  readonly usage: Usage;
  /** US dollars; undefined when the model's price is not known. */
  readonly cost: number | undefined;
  readonly durationMs: number;
  /** What it left in a worktree of its own. */
  readonly worktree?: WorktreeFacts;
};

/** What an agent left in a worktree of its own. */
export type WorktreeFacts = {
  readonly branch: string;
  readonly path: string;
  readonly base: string;
  /** Changed there, relative to it. */
  readonly files: readonly string[];
  /** Behind the base. */
  readonly commits: number;
};

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
  | {
      readonly type: 'tool-start';
      readonly step: number;
      readonly call: string;
      readonly tool: string;
      readonly input: Readonly<Record<string, unknown>>;
      /** One line for people, e.g. `Read src/a.ts`. */
      readonly summary: string;
    }
  | { readonly type: 'tool-progress'; readonly call: string; readonly text: string }
  | {
      readonly type: 'tool-end';
      readonly call: string;
      readonly tool: string;
      readonly status: ToolStatus;
      /** A few words for people, e.g. `212 lines`. */
      readonly summary: string;
      /** The head of what the model got. */
      readonly preview: string;
      readonly durationMs: number;
      /** Where the whole result is kept, when it was too long. */
      readonly artifact?: string;
    }
  | ({ readonly type: 'permission-ask' } & PermissionQuestion)
  | ({ readonly type: 'permission-answer'; readonly ask: string; readonly call: string } & PermissionAnswer)
  /** What the gate decided about a call, and what made it decide so. */
  | {
      readonly type: 'permission-decide';
      readonly call: string;
      readonly tool: string;
      readonly decision: 'allow' | 'deny';
      readonly by: DecidedBy;
      /** The rule, and where it is from. */
      readonly rule?: string;
      readonly source?: string;
    }
  /** A hook has been run. */
  | {
      readonly type: 'hook-run';
      readonly event: HookEventName;
      /** Its command, or the extension that registered it. */
      readonly hook: string;
      readonly origin: HookOrigin;
      readonly matcher?: string;
      /** The call that it was run for. */
      readonly call?: string;
      readonly outcome: 'ok' | 'failed' | 'timed_out' | 'cancelled';
      /** What it wanted; `deny` stands for whatever blocks. */
      readonly decision?: 'allow' | 'ask' | 'deny';
      /** Its words, or why it failed. */
      readonly reason?: string;
      /** What it put in the place of the call's input. */
      readonly input?: Readonly<Record<string, unknown>>;
      /** It put something in the place of the call's result. */
      readonly isOutputReplaced?: true;
      readonly durationMs: number;
    }
  | {
      readonly type: 'edit-propose';
      readonly edit: string;
      readonly call: string;
      readonly path: string;
      readonly isNew: boolean;
      readonly added: number;
      readonly removed: number;
    }
  | {
      readonly type: 'edit-decide';
      readonly edit: string;
      readonly call: string;
      readonly path: string;
      readonly decision: 'accept' | 'reject';
      /** The user changed the proposed text before it was written. */
      readonly isAmended: boolean;
      readonly reason?: string;
      /** `user` looked at a proposal; `mode` wrote at once. */
      readonly by: 'user' | 'mode';
    }
  | {
      readonly type: 'question-ask';
      readonly question: string;
      readonly text: string;
      readonly options: readonly string[];
    }
  | { readonly type: 'question-answer'; readonly question: string; readonly answer: string | null }
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

type PermissionQuestion = Omit<PermissionAsk, 'agent' | 'id'> & { readonly ask: string };

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
