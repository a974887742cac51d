import type { Broker } from '../gate/asking/broker.ts';
import type { RegisteredHooks } from '../gate/hooks/hook.ts';
import type { Clock, Host, Workspace } from '../host.ts';
import type { AgentEvent, EndStatus } from '../loop/events.ts';
import type { ModelCatalog } from '../model/catalog.ts';
import type { Provider, Usage } from '../model/provider.ts';
import type { Mode, Settings } from '../settings.ts';
import type { Skill } from '../skills/skill.ts';
import type { DefinitionProblem } from '../subagents/definitions/problem.ts';
import type { AgentDefinition } from '../subagents/definitions.ts';
import type { SpawnPreview } from '../subagents/spawn/preview.ts';
import type { DelegationInput } from '../tools/agent.ts';
import type { Redactor } from './secrets/redactor.ts';

export type SessionDependencies = {
  readonly host: Host;
  /** Of the window or the process: puts the questions of all its sessions. */
  readonly broker: Broker;
  readonly provider: Provider;
  readonly workspace: Workspace;
  readonly settings: () => Settings;
  /** Agent types beside the built-in ones; one of the same name takes its place. Asked for when a turn begins. */
  readonly definitions?: () => readonly AgentDefinition[];
  /** What agents can read up on when they need it. Asked for when a turn begins. */
  readonly skills?: () => readonly Skill[];
  /** What is wrong with the files they are read from; told when it changed. */
  readonly definitionProblems?: () => readonly DefinitionProblem[];
  /** Hooks that other extensions have registered by now. */
  readonly registeredHooks?: RegisteredHooks;
  /** Where journals and artifacts are kept. */
  readonly stateDirectory: string;
  /** Files and folders that settings and agent types come from, beside those of the editor and the repository; absolute. Protected. */
  readonly configured?: readonly string[];
  readonly clock: Clock;
  /** Of this provider, where it is shared; left out: the session has its own. */
  readonly catalog?: ModelCatalog;
  /** Another process writes this session from now on. */
  readonly onGivenUp?: () => void;
  /** After its first turn the small model is asked for a title. Left out: no request goes out that nobody asked for. */
  readonly isNamedByModel?: boolean;
  /** Knows the secrets that must not be shown, kept or sent. */
  readonly redactor?: Redactor;
  /** For people who look for a fault. */
  readonly log: (text: string) => void;
};

export type TurnResult = {
  readonly status: Exclude<EndStatus, 'cached'>;
  /** The lead's final text. */
  readonly text: string;
  /** Of the lead and of all agents below it, in this turn. */
  readonly usage: Usage;
  /** US dollars; undefined when a model's price is not known. */
  readonly cost: number | undefined;
  readonly error?: string;
};

/** One conversation: a lead, its subagents, and everything they did. */
export interface Session {
  readonly id: string;
  readonly isRunning: boolean;
  readonly mode: Mode;
  /** What all agents spent since the session was opened; the cost is undefined when a model's price is not known. */
  readonly spent: { readonly usage: Usage; readonly cost: number | undefined };
  /** As asked for: a model id or an alias. */
  readonly model: string;
  /** Lasting events so far, oldest first; of a long session the latest, and an outline of what was before. */
  events(): readonly AgentEvent[];
  /**
   * For someone who comes in the middle: these events, without what only models read, then what the running steps have streamed so far, as one delta
   * each. `seq` is the last event that is in it.
   */
  snapshot(): { readonly events: readonly AgentEvent[]; readonly seq: number };
  /** @returns ends the subscription */
  subscribe(listener: (event: AgentEvent) => void): () => void;
  /** Runs a turn; while one is running the prompt waits for its end. Never rejects for a model's or tool's failure. */
  send(prompt: string): Promise<TurnResult>;
  /** Takes back a prompt that waits. @returns false when that one does not wait there any more */
  unqueue(index: number, prompt: string): boolean;
  /** Resolves when nothing works any more, background agents included: the last turn's result. */
  settled(): Promise<TurnResult | undefined>;
  /** Stops one agent and all below it; without an id, the turn and what waits behind it. */
  stop(agent?: string): void;
  /** The agent waits before its next step. */
  pause(agent: string): void;
  /** @param instruction takes the place of its last instruction; empty: it stays */
  resume(agent: string, instruction: string): void;
  /** Tells a working agent something before its next step. @returns false when it does not work */
  tell(agent: string, message: string): boolean;
  /** Moves a subagent to the background. @returns false when it does not work in the foreground */
  detach(agent: string): boolean;
  /** Does a subagent's task again, with a new history, in the background. @throws Error for people */
  retry(agent: string): Promise<void>;
  /**
   * Lets an agent go on where it was interrupted, stopped or failed: the lead with another turn, a subagent with its history,
   * in the background. @throws Error for people
   */
  goOn(agent: string): Promise<void>;
  /** Takes the right to write it, which else comes with the first turn. @throws Error for people */
  claim(): Promise<void>;
  /** Another process has written the session since it was read: open it again. */
  isBehind(): Promise<boolean>;
  /**
   * Makes the lead's history shorter: now, or before its next step while a turn runs. What came of it is an event. Never
   * rejects.
   */
  compact(): Promise<void>;
  /** What a call of Agent by the lead would start; starts nothing. @throws Error for people when it would be refused */
  previewSpawn(task: DelegationInput): Promise<SpawnPreview>;
  setMode(mode: Mode): void;
  setModel(model: string): void;
  /** Stops everything and flushes the journal. */
  close(): Promise<void>;
}
