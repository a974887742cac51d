import type * as vscode from 'vscode';
import type {
  AgentEvent,
  Broker,
  Host,
  Mode,
  Redactor,
  RegisteredHooks,
  Session,
  SpawnPreview,
} from '../../agent/index.ts';
import type { EarlierPart, PanelState, Snapshot } from '../../webview/protocol.ts';
import type { Definitions } from '../agents/definitions.ts';
import type { Attention } from '../asking/attention.ts';
import type { Log } from '../log/log.ts';
import type { Providers } from '../settings/providers.ts';
import type { EditorSettings } from '../settings/settings.ts';
import type { AgentSummary } from './telling/agentList.ts';

export type ConversationListener = {
  event(session: string, event: AgentEvent): void;
  state(state: PanelState): void;
  /** The counts of `attention()` are others now. */
  attention(): void;
  reset(snapshot: Snapshot): void;
};

type SpawnTask = Parameters<Session['previewSpawn']>[0];

type AgentControls = Pick<Session, 'pause' | 'resume' | 'tell' | 'detach' | 'retry' | 'unqueue'>;

/** The one conversation of this window: its session, which is made at the first prompt, and what the page shows beside it. */
export type Conversation = {
  /**
   * Call what it resolves to when you begin to listen: from then on events are told.
   * @param agent whose transcript; left out: that of the conversation
   */
  snapshot(agent?: string): Promise<() => Snapshot>;
  /** What was before an event of the session that shows, in the transcript of that agent. @throws Error for people */
  readEarlier(before: number, agent: string): Promise<EarlierPart>;
  /** @returns whether the prompt went to an agent */
  send(prompt: string): Promise<boolean>;
  stop(agent?: string): void;
  /** The subagents, those that started last first. */
  agents(): readonly AgentSummary[];
  /** What can be done with agents and waiting prompts; undefined as long as there is no session. */
  controls(): AgentControls | undefined;
  /** Has the history of the lead summarised, now or before its next step. */
  compact(): Promise<void>;
  /** What a spawn by the lead would start; starts nothing. @throws Error for people */
  previewSpawn(task: SpawnTask): Promise<SpawnPreview>;
  newChat(): Promise<void>;
  /** Agents of the session that shows are at work. */
  isRunning(): boolean;
  /** Lets an agent go on that was interrupted, stopped or failed. @throws Error for people */
  goOn(agent: string): Promise<void>;
  /** The session that shows; undefined before the first prompt. */
  current(): string | undefined;
  /**
   * Shows an earlier session in the place of this one, which stays as it is until the other has been read.
   * @returns false when the user, the signal or another call gave up the reading of it @throws Error when it cannot be read
   */
  openPast(session: string, isReadOnly?: boolean, signal?: AbortSignal): Promise<boolean>;
  /** Has the window that holds the session that shows let go of it. @throws Error for people */
  takeOver(): Promise<void>;
  setMode(mode: Mode): Promise<void>;
  setModel(model: string): Promise<void>;
  /** Looks again at settings, key, folders and trust. */
  refresh(): Promise<void>;
  stage(): Promise<PanelState['stage']>;
  /** Whether the next prompt goes to the provider that the settings name. */
  isCurrent(): boolean;
  attention(): Attention;
  subscribe(listener: ConversationListener): vscode.Disposable;
  close(): Promise<void>;
};

export type ConversationParts = {
  readonly host: Host;
  readonly broker: Broker;
  readonly settings: EditorSettings;
  readonly providers: Providers;
  readonly definitions: Pick<Definitions, 'current' | 'settled'>;
  readonly memory: vscode.Memento;
  readonly stateDirectory: string;
  readonly registeredHooks: RegisteredHooks;
  readonly redactor: Redactor;
  readonly log: Log;
};
