import { createPathResolver } from '../gate/paths.ts';
import type { Agent } from '../loop/agent.ts';
import type { AgentEvent } from '../loop/events.ts';
import { type RunEnd, run } from '../loop/run.ts';
import type { Message } from '../messages/types.ts';
import type { ModelCatalog } from '../model/catalog.ts';
import { noUsage } from '../model/pricing.ts';
import type { Usage } from '../model/provider.ts';
import type { Mode } from '../settings.ts';
import type { Artifacts } from '../store/artifacts.ts';
import { journalPath } from '../store/sessions.ts';
import type { SpawnPreview } from '../subagents/preview.ts';
import type { DelegationInput } from '../tools/agent.ts';
import { Crew } from './crew.ts';
import { createSessionGate } from './gate.ts';
import { JournalClaim } from './journalClaim.ts';
import { lead } from './lead.ts';
import type { EventLog } from './log.ts';
import { untoldReports } from './past.ts';
import { PromptQueue } from './promptQueue.ts';
import type { Session, SessionDependencies, TurnResult } from './session.ts';
import { titleOf } from './title.ts';

type Parts = SessionDependencies & {
  readonly id: string;
  readonly events: EventLog;
  readonly history: readonly Message[];
  readonly turns: number;
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
  readonly #journal: JournalClaim;
  readonly #queue: PromptQueue;
  /** Reports of background agents for the next turn. */
  readonly #notes: string[];
  #history: readonly Message[];
  #turns: number;
  #mode: Mode;
  #model: string;
  #turn: Turn | undefined;
  #last: TurnResult | undefined;

  constructor(parts: Parts) {
    const { workspace, artifacts, settings, events } = parts;
    this.id = parts.id;
    this.#parts = parts;
    this.#history = parts.history;
    this.#turns = parts.turns;
    this.#notes = [...untoldReports(events.events)];
    this.#mode = settings()['permissions.mode'];
    this.#model = settings().model;
    this.#queue = new PromptQueue((prompts) => events.emit(leadSource, { type: 'prompt-queue', prompts }));
    const path = journalPath(parts.stateDirectory, this.id);
    this.#journal = new JournalClaim({ ...parts, path, onLost: () => this.stop() });
    const mode = () => this.#mode;
    const paths = createPathResolver({ roots: workspace.roots, readOnlyRoots: [artifacts.directory] });
    const gate = createSessionGate(parts, paths, mode);
    this.#crew = new Crew({ ...parts, gate, paths, mode, tellLead: (note, isQuiet) => this.#tellLead(note, isQuiet) });
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
    return this.#parts.events.snapshot();
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
    this.#turn?.controller.abort();
    this.#crew.delegator.stopAll();
  }

  pause(agent: string): void {
    const working = this.#working(agent);
    if (!working || working.controls.isPaused) return;
    working.controls.pause();
    working.emit({ type: 'agent-status', activity: 'pausing' });
  }

  resume(agent: string, instruction: string): void {
    const working = this.#working(agent);
    if (!working) return;
    const { controls } = working;
    if (instruction.trim() !== '') controls.tell(`The user changed your instruction. It now reads:\n${instruction}`);
    const { isPausing } = controls;
    controls.resume();
    if (isPausing) working.emit({ type: 'agent-status', activity: 'running' });
  }

  tell(agent: string, message: string): boolean {
    const working = this.#working(agent);
    working?.controls.tell(`Message from the user:\n${message}`);
    return working !== undefined;
  }

  detach(agent: string): boolean {
    return this.#crew.delegator.detach(agent);
  }

  async retry(agent: string): Promise<void> {
    await this.#journal.open();
    await this.#crew.delegator.retry(agent, AbortSignal.timeout(retryTimeoutMs));
  }

  async compact(): Promise<void> {
    if (this.#turn) return this.#turn.lead?.controls.askToCompact();
    await this.#occupy((turn) => this.#compactAtRest(turn.controller.signal));
  }

  async previewSpawn(task: DelegationInput): Promise<SpawnPreview> {
    const signal = AbortSignal.timeout(previewTimeoutMs);
    const parent = this.#turn?.lead ?? (await this.#crew.restingLead(this.#history, this.#model, signal));
    return this.#crew.previewSpawn(parent, task, signal);
  }

  async close(): Promise<void> {
    this.stop();
    await this.settled();
    await this.#journal.close();
  }

  #working(agent: string): Agent | undefined {
    if (agent === lead.id) return this.#turn?.lead;
    const delegated = this.#crew.delegator.roster.find(agent);
    return delegated && !delegated.result ? delegated.agent : undefined;
  }

  #begin(prompt: string, by?: 'agent'): Promise<TurnResult> {
    return this.#occupy(async (turn) => {
      this.#last = await this.#runTurn(prompt, by, turn);
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

  async #compactAtRest(signal: AbortSignal): Promise<TurnResult> {
    const refused = this.#history.length > 0 ? await this.#tryOpen() : undefined;
    if (refused) return refused;
    this.#history = await this.#crew.compact(this.#history, this.#model, signal);
    await this.#parts.events.durable();
    return { status: signal.aborted ? 'stopped' : 'completed', text: '', usage: noUsage, cost: 0 };
  }

  /** What comes after a turn: the next prompt, or what background agents reported meanwhile. */
  #goOn({ status }: TurnResult): void {
    const next = this.#queue.take();
    if (next) void this.#begin(next.prompt).then(next.resolve);
    else if (status !== 'stopped') this.#wake();
  }

  #wake(): void {
    const [note, ...others] = this.#notes.splice(0);
    if (note === undefined) return;
    this.#notes.push(...others);
    void this.#begin(note, 'agent');
  }

  /** A working lead reads it before its next step, a resting one is woken. */
  #tellLead(note: string, isQuiet: boolean): void {
    const working = this.#turn?.lead;
    if (working?.isRunning) working.controls.tell(note);
    else this.#notes.push(note);
    if (!this.#turn && !isQuiet) this.#wake();
  }

  /** Never rejects. */
  async #runTurn(prompt: string, by: 'agent' | undefined, turn: Turn): Promise<TurnResult> {
    const { signal } = turn.controller;
    const { events, workspace, clock } = this.#parts;
    const startedAt = clock.now();
    const refused = await this.#tryOpen();
    if (refused) return refused;
    if (this.#turns === 0) {
      events.emit(leadSource, { type: 'session-start', workspace: workspace.roots[0] ?? '', title: titleOf(prompt) });
    }
    this.#turns += 1;
    const number = this.#turns;
    events.emit(leadSource, { type: 'turn-start', turn: number, prompt, ...(by && { by }) });
    let agent: Agent | undefined;
    let end: RunEnd;
    try {
      agent = await this.#crew.createLead(this.#history, this.#model, signal);
      turn.lead = agent;
      agent.append({ role: 'user', content: [{ type: 'text', text: prompt }] });
      for (const note of this.#notes.splice(0)) agent.controls.tell(note);
      end = await run(agent, this.#crew.loop(), signal);
      this.#history = agent.history;
      this.#notes.push(...agent.controls.takeNotes());
    } catch (error) {
      const status = signal.aborted ? 'stopped' : 'failed';
      end = { status, text: '', error: error instanceof Error ? error.message : String(error) };
    }
    const { status, text } = end;
    // Whoever pressed Stop need not be told.
    const error = end.error !== undefined && status !== 'stopped' && { error: end.error };
    if (agent) {
      const receipt = agent.receipt(clock.now() - startedAt);
      events.emit(leadSource, { type: 'agent-end', status, report: text, receipt, ...error });
    }
    events.emit(leadSource, { type: 'turn-end', turn: number, status, ...error });
    await events.durable();
    return { status, text, usage: agent?.meter.usage ?? noUsage, cost: agent ? agent.meter.cost : 0, ...error };
  }

  /** @returns the end of a turn that cannot begin, since another window has the session or the disk is full */
  async #tryOpen(): Promise<TurnResult | undefined> {
    try {
      await this.#journal.open();
      return undefined;
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      this.#parts.events.emit(leadSource, { type: 'notice', level: 'error', text });
      return { status: 'failed', text: '', usage: noUsage, cost: 0, error: text };
    }
  }
}
