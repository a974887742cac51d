/**
 * What the page and the host say to each other: two sets of functions over one ordered channel (birpc). The host checks
 * every call of the page against these schemas; the page imports types only.
 */
import * as z from 'zod';
import type { AgentEvent } from '../agent/loop/events.ts';
import { modes } from '../agent/settings.ts';

export type { AgentActivity, AgentEvent, EndStatus, Receipt, ToolStatus } from '../agent/loop/events.ts';
export type { Mode } from '../agent/settings.ts';

const id = z.string().min(1).max(200);
const text = z.string().max(1_000_000);
const turn = z.int().min(1).max(1_000_000);
const index = z.int().min(0).max(10_000);

/** Arguments of every function that the page may call. */
export const hostCalls = {
  /** The page is there and wants everything. */
  ready: z.tuple([]),
  /** What was before an event of that number, in the transcript of that agent. */
  readEarlier: z.tuple([z.number().min(0), id]),
  send: z.tuple([text]),
  /** One agent and all below it; null: the whole turn. */
  stop: z.tuple([id.nullable()]),
  /** The agent waits before its next step. */
  pause: z.tuple([id]),
  /** It goes on; the text takes the place of its instruction, empty: it stays. */
  resume: z.tuple([id, text]),
  /** Tells a working agent something. */
  tell: z.tuple([id, text]),
  /** Sends an agent to the background. */
  detach: z.tuple([id]),
  /** Does the task of an ended agent again. */
  retry: z.tuple([id]),
  /** Shows what would start if the agent's task was given out again. */
  planAgent: z.tuple([id]),
  /** Shows all that an agent does in an editor of its own. */
  openTranscript: z.tuple([id]),
  /** Takes back a waiting prompt: its place in the queue, and its text. */
  cancelQueued: z.tuple([index, text]),
  /** The same, and puts its text into the composer. */
  editQueued: z.tuple([index, text]),
  newChat: z.tuple([]),
  /** Lets an agent go on that was interrupted, stopped or failed. */
  goOn: z.tuple([id]),
  /** Makes a branch from before that turn, with another prompt in its place. */
  editPrompt: z.tuple([turn, text]),
  /** Makes a branch whose last turn is that one. */
  branch: z.tuple([turn]),
  /** Has the window that holds the conversation let go of it, or ends reading only. */
  takeOver: z.tuple([]),
  closeHistory: z.tuple([]),
  /** A conversation of the list; true: only to be read. */
  openSession: z.tuple([id, z.boolean()]),
  renameSession: z.tuple([id, z.string().max(500)]),
  pinSession: z.tuple([id, z.boolean()]),
  deleteSession: z.tuple([id]),
  /** Brings the one back that was deleted last. */
  undoDelete: z.tuple([]),
  exportSession: z.tuple([id, z.enum(['markdown', 'json'])]),
  /** In all that was said; what is found comes as `historyHits`. */
  searchHistory: z.tuple([z.string().max(500)]),
  /** Has the history of the lead summarised. */
  compact: z.tuple([]),
  setMode: z.tuple([z.enum(modes)]),
  setModel: z.tuple([id]),
  /** `ask` is the one-use id that the host gave out. */
  answerPermission: z.tuple([id, z.enum(['allow', 'deny']), z.enum(['once', 'session', 'workspace', 'always']), text]),
  /** Shows why an open question is asked. */
  explainPermission: z.tuple([id]),
  /** Opens the diff of a proposal. */
  showEdit: z.tuple([id]),
  decideEdit: z.tuple([id, z.enum(['accept', 'reject']), text]),
  answerQuestion: z.tuple([id, text]),
  /** A path as an agent wrote it, and a 1-based line. */
  openFile: z.tuple([text, z.int().min(1).nullable()]),
  /** Shows what was changed in a file, or the file. */
  openChange: z.tuple([text]),
  /** A web address; the editor shows it and asks before it opens. */
  openLink: z.tuple([text]),
  copy: z.tuple([text]),
  /** Opens markdown as a new document that can be saved. */
  openAsDocument: z.tuple([text]),
  /** One of the ways in of the first run. */
  start: z.tuple([z.enum(['demo', 'key', 'folder', 'trust'])]),
  explore: z.tuple([]),
  showLogs: z.tuple([]),
} as const;

export type HostCall = keyof typeof hostCalls;
export type CallArguments = { [Name in HostCall]: z.output<(typeof hostCalls)[Name]> };
export type HostFunctions = {
  [Name in Exclude<HostCall, 'ready' | 'readEarlier'>]: (...args: CallArguments[Name]) => void;
} & {
  ready: () => Promise<Snapshot>;
  /** Rejects with words for people. */
  readEarlier: (...args: CallArguments['readEarlier']) => Promise<EarlierPart>;
};

/** What the page shows beside the conversation. */
export type PanelState = {
  /** `none`: no folder is open. `choose`: first run, no key and no demo yet. */
  readonly stage: 'none' | 'choose' | 'ready';
  readonly isTrusted: boolean;
  readonly provider: 'anthropic' | 'demo';
  readonly mode: (typeof modes)[number];
  readonly model: string;
  /** Model ids and aliases to choose from. */
  readonly models: readonly string[];
  /** A turn runs, or agents work in the background. */
  readonly isRunning: boolean;
  /** `held`: another window writes the conversation that shows. `readOnly`: it was opened so. */
  readonly access: 'write' | 'held' | 'readOnly';
  /** Name of the workspace's first folder. */
  readonly folder: string;
  /** Where permission asks are answered. */
  readonly prompt: 'modal' | 'sidebar';
};

/** A conversation as the list shows it. */
export type HistoryEntry = {
  readonly id: string;
  readonly title: string;
  /** `interrupted`: nobody ended its last turn. `elsewhere`: another window has it open. `empty`: nothing was said yet. */
  readonly state:
    | 'running'
    | 'elsewhere'
    | 'interrupted'
    | 'completed'
    | 'limit_reached'
    | 'failed'
    | 'stopped'
    | 'empty';
  /** It is the one that this window shows. */
  readonly isCurrent: boolean;
  readonly isPinned: boolean;
  /** US dollars, of the requests whose price is known. */
  readonly usd: number;
  readonly isWholeCost: boolean;
  readonly agents: number;
  /** Milliseconds since the epoch. */
  readonly updatedAt: number;
  /** Name of its folder. */
  readonly folder: string;
  /** Its folder is open in this window. */
  readonly isHere: boolean;
  /** Title of the conversation that it branched from. */
  readonly branchedFrom?: string;
};

/** Pinned ones first, then the newest. */
export type HistoryView = {
  readonly sessions: readonly HistoryEntry[];
  readonly now: number;
  /** Title of the one that was deleted last, as long as it can be had back. */
  readonly deleted?: string;
};

/** Places in what was said, by conversation; marks are [start, end) in the snippet. */
export type HistoryHits = {
  readonly text: string;
  readonly hits: readonly {
    readonly session: string;
    readonly who: string;
    readonly snippet: string;
    readonly marks: readonly (readonly [number, number])[];
  }[];
  /** Messages that could not be looked through. */
  readonly unsearched: number;
  /** Nothing more comes for this text; false: the conversations are still being read. */
  readonly isWhole: boolean;
};

export type Snapshot = {
  readonly session: string;
  /** The page shows this agent alone; left out: the conversation. */
  readonly agent?: string;
  readonly state: PanelState;
  /** Lasting events of the session so far, oldest first; what streams now follows as live events. */
  readonly events: readonly AgentEvent[];
  /** There is more before the event of this number; `readEarlier` has it. */
  readonly before?: number;
};

/** A portion of what was before the snapshot. */
export type EarlierPart = {
  readonly session: string;
  readonly events: readonly AgentEvent[];
  /** Nothing was before it. */
  readonly isFirst: boolean;
};

/** What the host may call in the page. */
export type PageFunctions = {
  /** A batch of live events, in order. */
  events(session: string, batch: readonly AgentEvent[]): void;
  state(state: PanelState): void;
  /** Another conversation takes the place of this one. */
  reset(snapshot: Snapshot): void;
  /** Puts the cursor into the composer. */
  focus(): void;
  /** Shows the list of conversations, or brings it up to date; null: it is closed. */
  history(view: HistoryView | null): void;
  historyHits(hits: HistoryHits): void;
  /** Puts text into the composer without sending it. */
  prefill(text: string): void;
};
