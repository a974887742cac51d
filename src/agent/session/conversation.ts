import type { Hooks } from '../gate/hooks/hooks.ts';
import type { Agent } from '../loop/agent.ts';
import { Interruption } from '../loop/endings.ts';
import type { AgentEvent } from '../loop/events.ts';
import type { ModelCatalog } from '../model/catalog.ts';
import type { Usage } from '../model/provider.ts';
import type { Mode } from '../settings.ts';
import type { Artifacts } from '../store/artifacts.ts';
import { journalPath } from '../store/sessions.ts';
import type { SpawnPreview } from '../subagents/spawn/preview.ts';
import type { DelegationInput } from '../tools/agent.ts';
import { createCrew } from './crew/createCrew.ts';
import type { Crew } from './crew/crew.ts';
import { pause, resume, tell } from './crew/steering.ts';
import { lead, leadSource } from './lead.ts';
import type { Past } from './past/readPast.ts';
import type { EventLog } from './record/eventLog.ts';
import { JournalClaim } from './record/journalClaim.ts';
import { shownEvent } from './record/shownEvent.ts';
import type { Session, SessionDependencies, TurnResult } from './session.ts';
import { LeadTurns } from './turns/leadTurns.ts';
import { Naming } from './turns/naming.ts';
import { TurnSchedule } from './turns/turnSchedule.ts';

type Parts = SessionDependencies & {
  readonly id: string;
  readonly events: EventLog;
  readonly past: Past;
  readonly artifacts: Artifacts;
  readonly catalog: ModelCatalog;
};

const retryTimeoutMs = 30_000;
const previewTimeoutMs = 30_000;

/** A session as it lives: its crew at work, its turns one after another, and the right to write its journal. */
export class Conversation implements Session {
  readonly id: string;
  readonly #parts: Parts;
  readonly #crew: Crew;
  readonly #hooks: Hooks;
  readonly #journal: JournalClaim;
  readonly #schedule: TurnSchedule;
  readonly #naming: Naming;
  #mode: Mode;
  #model: string;

  constructor(parts: Parts) {
    this.id = parts.id;
    this.#parts = parts;
    this.#mode = parts.settings()['permissions.mode'];
    this.#model = parts.settings().model;
    const path = journalPath(parts.stateDirectory, this.id);
    const { crew, hooks } = createCrew({
      ...parts,
      journal: path,
      mode: () => this.#mode,
      tellLead: (note, isQuiet) => this.#schedule.tellLead(note, isQuiet),
    });
    this.#crew = crew;
    this.#hooks = hooks;
    this.#journal = new JournalClaim({
      ...parts,
      size: parts.past.size,
      path,
      onLost: () => this.#lose(),
      onWanted: () => this.#giveUp(),
    });
    this.#naming = new Naming({ ...parts, meter: crew.meter });
    const turns = new LeadTurns({ ...parts, ...parts.past, crew, journal: this.#journal });
    this.#schedule = new TurnSchedule({ ...parts, lead: turns, naming: this.#naming, model: () => this.#model });
  }

  get isRunning(): boolean {
    return this.#schedule.isRunning || this.#crew.delegator.isBusy;
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
    return this.#schedule.send(prompt);
  }

  unqueue(index: number, prompt: string): boolean {
    return this.#schedule.unqueue(index, prompt);
  }

  async settled(): Promise<TurnResult | undefined> {
    while (this.isRunning) {
      await (this.#schedule.ended ?? Promise.race(this.#crew.delegator.roster.working.map(({ ended }) => ended)));
    }
    return this.#schedule.last;
  }

  stop(agent?: string): void {
    if (agent !== undefined && agent !== lead.id) {
      this.#crew.delegator.roster.find(agent)?.controller.abort();
      return;
    }
    this.#stopAll();
  }

  /** @param reason left out: the user wants it */
  #stopAll(reason?: Interruption): void {
    this.#schedule.stop(reason);
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
    await this.#crew.delegator.retry(agent, await this.#schedule.leadNow(signal), signal);
  }

  async goOn(agent: string): Promise<void> {
    if (agent === lead.id) return this.#schedule.goOn();
    const signal = AbortSignal.timeout(retryTimeoutMs);
    await this.#journal.open();
    await this.#crew.delegator.goOn(agent, await this.#schedule.leadNow(signal), signal);
  }

  claim(): Promise<void> {
    return this.#journal.open();
  }

  isBehind(): Promise<boolean> {
    return this.#journal.isBehind();
  }

  compact(): Promise<void> {
    return this.#schedule.compact();
  }

  async previewSpawn(task: DelegationInput): Promise<SpawnPreview> {
    const signal = AbortSignal.timeout(previewTimeoutMs);
    return this.#crew.previewSpawn(await this.#schedule.leadNow(signal), task, signal);
  }

  /** What waits in the queue is there again when the session is opened. */
  async close(): Promise<void> {
    this.#schedule.close();
    this.#stopAll(new Interruption());
    await Promise.all([this.settled(), this.#naming.close()]);
    this.#hooks.close();
    await this.#journal.close();
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
        this.#schedule.reopen();
        this.#parts.onGivenUp?.();
      });
  }

  #working(agent: string): Agent | undefined {
    if (agent === lead.id) return this.#schedule.lead;
    const delegated = this.#crew.delegator.roster.find(agent);
    return delegated && !delegated.result ? delegated.agent : undefined;
  }
}
