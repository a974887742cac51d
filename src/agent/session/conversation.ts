import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Hooks } from '../gate/hooks/hooks.ts';
import { createPathResolver } from '../gate/paths.ts';
import type { Agent } from '../loop/agent.ts';
import { Interruption } from '../loop/endings.ts';
import type { AgentEvent } from '../loop/events.ts';
import type { ModelCatalog } from '../model/catalog.ts';
import type { Usage } from '../model/provider.ts';
import type { Mode } from '../settings.ts';
import { homeSkillFolders } from '../skills/folders.ts';
import type { Artifacts } from '../store/artifacts.ts';
import { journalPath } from '../store/sessions.ts';
import type { SpawnPreview } from '../subagents/preview.ts';
import type { DelegationInput } from '../tools/agent.ts';
import { Crew } from './crew/crew.ts';
import { lead } from './crew/lead.ts';
import { pause, resume, tell } from './crew/steering.ts';
import { createSessionGate } from './guards/sessionGate.ts';
import { createSessionHooks, withNotifications } from './guards/sessionHooks.ts';
import type { Past } from './past/readPast.ts';
import type { EventLog } from './record/eventLog.ts';
import { JournalClaim } from './record/journalClaim.ts';
import { shownEvent } from './record/shownEvent.ts';
import type { Session, SessionDependencies, TurnResult } from './session.ts';
import { LeadTurns } from './turns/leadTurns.ts';
import { Naming } from './turns/naming.ts';
import { PromptQueue, queuedPrompts } from './turns/promptQueue.ts';

type Parts = SessionDependencies & {
  readonly id: string;
  readonly events: EventLog;
  readonly past: Past;
  readonly artifacts: Artifacts;
  readonly catalog: ModelCatalog;
};

type Turn = { readonly controller: AbortController; lead: Agent | undefined; ended?: Promise<TurnResult> };

const retryTimeoutMs = 30_000;
const previewTimeoutMs = 30_000;
const leadSource = { agent: lead.id, parent: null };

/** A session as it lives: its lead, the turns one after another, and what all its agents share. */
export class Conversation implements Session {
  readonly id: string;
  readonly #parts: Parts;
  readonly #crew: Crew;
  readonly #hooks: Hooks;
  readonly #journal: JournalClaim;
  readonly #queue: PromptQueue;
  readonly #lead: LeadTurns;
  readonly #naming: Naming;
  #isClosing = false;
  #mode: Mode;
  #model: string;
  #turn: Turn | undefined;
  #last: TurnResult | undefined;

  constructor(parts: Parts) {
    const { workspace, artifacts, settings, events } = parts;
    this.id = parts.id;
    this.#parts = parts;
    this.#mode = settings()['permissions.mode'];
    this.#model = settings().model;
    const tellQueue = (prompts: readonly string[]) => events.emit(leadSource, { type: 'prompt-queue', prompts });
    this.#queue = new PromptQueue(tellQueue, queuedPrompts(events.events));
    const path = journalPath(parts.stateDirectory, this.id);
    this.#journal = new JournalClaim({
      ...parts,
      size: parts.past.size,
      path,
      onLost: () => this.#lose(),
      onWanted: () => this.#giveUp(),
    });
    const mode = () => this.#mode;
    const readOnlyRoots = [artifacts.directory, ...homeSkillFolders.map((path) => join(homedir(), path))];
    const pathRoots = { roots: workspace.roots, readOnlyRoots };
    const paths = createPathResolver(pathRoots);
    this.#hooks = createSessionHooks({ ...parts, turns: parts.past.turns }, mode);
    const hooked = { ...parts, host: withNotifications(parts.host, this.#hooks), hooks: this.#hooks };
    const gate = createSessionGate({ ...hooked, hooks: this.#hooks.calls }, paths, mode);
    this.#crew = new Crew({
      ...hooked,
      journal: path,
      takenNames: parts.past.names,
      gate,
      paths,
      pathRoots,
      mode,
      tellLead: (note, isQuiet) => this.#tellLead(note, isQuiet),
    });
    this.#lead = new LeadTurns({ ...parts, ...parts.past, crew: this.#crew, journal: this.#journal });
    this.#naming = new Naming({ ...parts, meter: this.#crew.meter });
  }

  get isRunning(): boolean {
    return this.#turn !== undefined || this.#crew.delegator.isBusy;
  }

  get spent(): { readonly usage: Usage; readonly cost: number | undefined } {
    return { usage: this.#crew.meter.usage, cost: this.#crew.meter.cost };
  }

  get mode(): Mode {
    return this.#mode;
  }

  get model(): string {
    return this.#model;
  }

  events(): readonly AgentEvent[] {
    return this.#parts.events.events;
  }

  snapshot(): { readonly events: readonly AgentEvent[]; readonly seq: number } {
    const { events, seq } = this.#parts.events.snapshot();
    return { events: events.map(shownEvent), seq };
  }

  subscribe(listener: (event: AgentEvent) => void): () => void {
    return this.#parts.events.subscribe(listener);
  }

  setMode(mode: Mode): void {
    this.#mode = mode;
  }

  setModel(model: string): void {
    this.#model = model;
  }

  send(prompt: string): Promise<TurnResult> {
    if (!this.#turn) return this.#begin(prompt);
    return this.#queue.add(prompt);
  }

  unqueue(index: number, prompt: string): boolean {
    return this.#queue.remove(index, prompt);
  }

  async settled(): Promise<TurnResult | undefined> {
    while (this.isRunning) {
      await (this.#turn?.ended ?? Promise.race(this.#crew.delegator.roster.working.map(({ ended }) => ended)));
    }
    return this.#last;
  }

  stop(agent?: string): void {
    if (agent !== undefined && agent !== lead.id) {
      this.#crew.delegator.roster.find(agent)?.controller.abort();
      return;
    }
    this.#queue.clear();
    this.#stopAll();
  }

  /** @param reason left out: the user wants it */
  #stopAll(reason?: Interruption): void {
    this.#turn?.controller.abort(reason);
    this.#crew.delegator.stopAll(reason);
  }

  pause(agent: string): void {
    const working = this.#working(agent);
    if (working) pause(working);
  }

  resume(agent: string, instruction: string): void {
    const working = this.#working(agent);
    if (working) resume(working, instruction);
  }

  tell(agent: string, message: string): boolean {
    const working = this.#working(agent);
    if (working) tell(working, message);
    return working !== undefined;
  }

  detach(agent: string): boolean {
    return this.#crew.delegator.detach(agent);
  }

  async retry(agent: string): Promise<void> {
    const signal = AbortSignal.timeout(retryTimeoutMs);
    await this.#journal.open();
    await this.#crew.delegator.retry(agent, await this.#leadNow(signal), signal);
  }

  async goOn(agent: string): Promise<void> {
    if (agent === lead.id) {
      if (!this.#turn) void this.#begin(this.#lead.goOnPrompt());
      return;
    }
    const signal = AbortSignal.timeout(retryTimeoutMs);
    await this.#journal.open();
    await this.#crew.delegator.goOn(agent, await this.#leadNow(signal), signal);
  }

  claim(): Promise<void> {
    return this.#journal.open();
  }

  isBehind(): Promise<boolean> {
    return this.#journal.isBehind();
  }

  async compact(): Promise<void> {
    if (this.#turn) return this.#turn.lead?.controls.askToCompact();
    await this.#occupy((turn) => this.#lead.compact(this.#model, turn.controller.signal));
  }

  async previewSpawn(task: DelegationInput): Promise<SpawnPreview> {
    const signal = AbortSignal.timeout(previewTimeoutMs);
    return this.#crew.previewSpawn(await this.#leadNow(signal), task, signal);
  }

  /** What waits in the queue is there again when the session is opened. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#queue.leave();
    this.#stopAll(new Interruption());
    await Promise.all([this.settled(), this.#naming.close()]);
    this.#hooks.close();
    await this.#journal.close();
  }

  async #leadNow(signal: AbortSignal): Promise<Agent> {
    return this.#turn?.lead ?? (await this.#lead.resting(this.#model, signal));
  }

  #lose(): void {
    this.stop();
    this.#parts.onGivenUp?.();
  }

  /** Another window takes the session over. */
  #giveUp(): void {
    const text = 'This conversation goes on in another window now.';
    this.#parts.events.emit(leadSource, { type: 'notice', level: 'warning', text });
    void this.close()
      .catch((error: unknown) => this.#parts.log(String(error)))
      .finally(() => {
        this.#isClosing = false;
        this.#parts.onGivenUp?.();
      });
  }

  #working(agent: string): Agent | undefined {
    if (agent === lead.id) return this.#turn?.lead;
    const delegated = this.#crew.delegator.roster.find(agent);
    return delegated && !delegated.result ? delegated.agent : undefined;
  }

  #begin(prompt: string, by?: 'agent'): Promise<TurnResult> {
    return this.#occupy(async (turn) => {
      const onLead = (agent: Agent) => {
        turn.lead = agent;
      };
      this.#last = await this.#lead.run({ prompt, by, model: this.#model, onLead }, turn.controller.signal);
      this.#naming.consider(prompt, this.#model, this.#last);
      return this.#last;
    });
  }

  /** One thing at a time. @param work never rejects */
  #occupy(work: (turn: Turn) => Promise<TurnResult>): Promise<TurnResult> {
    const turn: Turn = { controller: new AbortController(), lead: undefined };
    this.#turn = turn;
    turn.ended = work(turn).then((result) => {
      this.#turn = undefined;
      this.#goOn(result);
      return result;
    });
    return turn.ended;
  }

  /** What comes after a turn: the next prompt, or what background agents reported meanwhile. */
  #goOn({ status }: TurnResult): void {
    if (this.#isClosing) return;
    const next = this.#queue.take();
    if (next) void this.#begin(next.prompt).then(next.resolve);
    else if (status !== 'stopped') this.#wake();
  }

  #wake(): void {
    const note = this.#lead.notes.shift();
    if (note === undefined) return;
    void this.#begin(note, 'agent');
  }

  /** A working lead reads it before its next step, a resting one is woken. */
  #tellLead(note: string, isQuiet: boolean): void {
    const working = this.#turn?.lead;
    if (working?.isRunning) working.controls.tell(note);
    else this.#lead.notes.push(note);
    if (!this.#turn && !isQuiet) this.#wake();
  }
}
