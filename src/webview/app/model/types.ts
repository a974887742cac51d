import type { Signal } from '@preact/signals';
import type { AgentActivity, AgentEvent, EndStatus, Receipt, ToolStatus } from '../../protocol.ts';
import type { EarlierChunk, List } from './list.ts';

type EventOf<Type extends AgentEvent['type']> = Extract<AgentEvent, { readonly type: Type }>;

export type TextItem = { readonly kind: 'text'; readonly text: string; readonly isStreaming: boolean };
export type ThinkingItem = { readonly kind: 'thinking'; readonly text: string; readonly isStreaming: boolean };

export type CallItem = {
  readonly kind: 'call';
  readonly agent: string;
  readonly tool: string;
  readonly summary: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly state: 'running' | ToolStatus;
  /** A few words about the result. */
  readonly result: string;
  readonly preview: string;
  /** The tail of what a running call says. */
  readonly progress: string;
  readonly startedAt: number;
  readonly durationMs: number;
};

/** Delegations of one step; each member is the item of a delegating call. */
export type GroupItem = { readonly kind: 'group'; readonly members: readonly string[] };

/** `closed`: nobody answered and nobody waits any more. */
export type PermissionItem = {
  readonly kind: 'permission';
  readonly ask: EventOf<'permission-ask'>;
  readonly answer: EventOf<'permission-answer'> | 'closed' | undefined;
};
export type EditItem = {
  readonly kind: 'edit';
  readonly edit: string;
  /** The call that wants it; the edit stands in its place. */
  readonly call: string | undefined;
  readonly path: string;
  readonly isNew: boolean;
  readonly added: number | undefined;
  readonly removed: number | undefined;
  readonly decision: EventOf<'edit-decide'> | 'closed' | undefined;
};
export type QuestionItem = {
  readonly kind: 'question';
  readonly question: string;
  readonly text: string;
  readonly options: readonly string[];
  readonly answer: { readonly text: string | null } | undefined;
};

export type EndItem = {
  readonly kind: 'end';
  readonly turn: number;
  readonly status: EndStatus;
  /** Nobody ended it: the editor or the process did. */
  readonly isInterrupted: boolean;
  readonly error: string | undefined;
  readonly endedAt: number;
  readonly durationMs: number;
  readonly cost: number | undefined;
  /** The last text of the turn. */
  readonly answer: string;
};

export type Item =
  | { readonly kind: 'prompt'; readonly turn: number; readonly text: string }
  /** What follows was copied from another conversation. */
  | { readonly kind: 'branch'; readonly from: NonNullable<EventOf<'session-start'>['from']> }
  /** Said to an agent by the user or by the agent above it. */
  | {
      readonly kind: 'note';
      readonly by: 'user' | 'agent';
      /** It takes the place of the agent's task. */
      readonly isInstruction: boolean;
      readonly text: string;
    }
  /** A background agent has ended; the text is its report. */
  | {
      readonly kind: 'wake';
      readonly name: string;
      readonly agent: string;
      readonly status: string;
      readonly text: string;
    }
  | TextItem
  | ThinkingItem
  | CallItem
  | GroupItem
  | PermissionItem
  | EditItem
  | QuestionItem
  | { readonly kind: 'notice'; readonly level: 'info' | 'warning' | 'error'; readonly text: string }
  | { readonly kind: 'compact'; readonly before: number; readonly after: number }
  | EndItem;

export type AgentInfo = {
  readonly name: string;
  readonly agentType: string;
  /** A name such as `blue`; undefined: none of its own. */
  readonly color: string | undefined;
  readonly effort: string | undefined;
  /** It works in a git worktree of its own. */
  readonly worktree: EventOf<'agent-start'>['worktree'];
  readonly description: string;
  readonly prompt: string;
  readonly model: string;
  readonly modelRule: string;
  readonly activity: AgentActivity;
  /** About the activity, e.g. why a step is tried again. */
  readonly detail: string;
  readonly startedAt: number;
  /** Nobody waits for it. */
  readonly isBackground: boolean;
  /** The name of the agent whose task it does again. */
  readonly retryOf: string;
  readonly tokens: number;
  readonly cost: number | undefined;
  readonly contextTokens: number;
  readonly contextWindow: number;
  readonly contextParts: EventOf<'usage-update'>['contextParts'];
  readonly end:
    | {
        readonly status: EndStatus;
        readonly report: string;
        readonly receipt: Receipt;
        readonly error: string | undefined;
        readonly isInterrupted: boolean;
      }
    | undefined;
};

/** What the reducer knows about the step that runs. */
export type StepState = {
  /** Where the agent's step begins in the session, so that ids neither repeat nor depend on what is known of before. */
  serial: number;
  /** Where the step begins in the agent's flow. */
  from: number;
  /** Items that hold streamed text and are void unless a message confirms them. */
  drafts: string[];
  /** Streamed text from before this event is void. */
  seq: number;
};

export type AgentNode = {
  readonly id: string;
  readonly parent: string | null;
  readonly info: Signal<AgentInfo>;
  /** Ids of items, in order. */
  readonly flow: List<string>;
  /** Ids of the calls that started last. */
  readonly recent: Signal<readonly string[]>;
  /** Ids of items that wait for the user. */
  readonly pending: Signal<readonly string[]>;
  /** Ids of items that hold children. */
  readonly groups: Signal<readonly string[]>;
  /** Ids of children that have not ended. */
  readonly live: Signal<readonly string[]>;
  /** Item ids by the ids that the model gave its calls. */
  readonly calls: Map<string, string>;
  /** Calls that have not ended, by the model's ids. */
  readonly running: Set<string>;
  readonly step: StepState;
  /** The next message that it gets is its task. */
  awaitsTask: boolean;
  /** When the agent last showed a sign of life; read by the clock, so no signal. */
  lastTime: number;
};

export type Turn = {
  readonly turn: number;
  readonly isRunning: boolean;
  /** How it ended. */
  readonly status: EndStatus | undefined;
  readonly startedAt: number;
  readonly costBefore: number | undefined;
};

/** A portion of what was before; it can be put away again. */
export type Part = {
  /** Reading before these numbers gives the part above it, and this one. */
  readonly from: number;
  readonly before: number;
  readonly items: readonly string[];
  /** Agents that it brought. */
  readonly agents: readonly string[];
  readonly chunks: ReadonlySet<EarlierChunk<string>>;
};

/** What was before the events that the page was opened with. */
export type Past = {
  /** From the top down; each goes on where the one above it ends. */
  readonly parts: readonly Part[];
  /** Nothing was before the first part. */
  readonly isWhole: boolean;
  /** Where the parts began that were put away, the one right below `parts` last. */
  readonly away: readonly number[];
};

export type Conversation = {
  readonly session: string;
  readonly past: Signal<Past>;
  /** Where the events that the page was opened with begin. */
  before: number;
  readonly lead: AgentNode;
  readonly agents: Map<string, AgentNode>;
  readonly items: Map<string, Signal<Item>>;
  /** Agents by the item of the call that started them. */
  readonly agentOfCall: Map<string, Signal<string | undefined>>;
  /** Items of all agents that wait for the user, oldest first. */
  readonly pending: Signal<readonly string[]>;
  /** Who waits for the answer to an item. */
  readonly askers: Map<string, AgentNode>;
  /** Ids of agents that work in the background. */
  readonly background: Signal<readonly string[]>;
  readonly queue: Signal<readonly string[]>;
  readonly turn: Signal<Turn | undefined>;
  /** How many turns the user has begun at once; the others waited in the queue, or an agent's end began them. */
  readonly asked: Signal<number>;
  /** What the lead said last in its turn. */
  answer: string;
  /** The next turn is one that waited. */
  isQueueTaken: boolean;
  readonly isEmpty: Signal<boolean>;
  /** The folder that is worked on. */
  root: string;
  lastingSeq: number;
  transientSeq: number;
};
