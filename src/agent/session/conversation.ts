import { readInstructions } from '../context/instructions.ts';
import { environmentOf, leadSystem } from '../context/system.ts';
import { createBroker } from '../gate/broker.ts';
import { createGate, type Gate } from '../gate/gate.ts';
import { createPathResolver, type PathResolver } from '../gate/paths.ts';
import type { Clock, Host, Workspace } from '../host.ts';
import { type Agent, createReadLog } from '../loop/agent.ts';
import { executeCall } from '../loop/call.ts';
import type { AgentEvent } from '../loop/events.ts';
import { type LoopDependencies, type RunEnd, run } from '../loop/run.ts';
import type { Message } from '../messages/types.ts';
import type { ModelCatalog } from '../model/catalog.ts';
import { noUsage } from '../model/pricing.ts';
import type { Provider } from '../model/provider.ts';
import type { Mode, Settings } from '../settings.ts';
import type { Artifacts } from '../store/artifacts.ts';
import type { Lease } from '../store/lease.ts';
import { journalPath } from '../store/sessions.ts';
import type { DefinitionProblem } from '../subagents/definitions/problem.ts';
import type { AgentDefinition } from '../subagents/definitions.ts';
import { Delegator } from '../subagents/delegate.ts';
import { createBuiltInTools } from '../tools/list.ts';
import { claimJournal } from './claim.ts';
import { askForMore, createToolContext } from './context.ts';
import { chooseLeadModel, createLead, fitHistory, lead } from './lead.ts';
import type { EventLog } from './log.ts';
import type { Session, TurnResult } from './session.ts';
import { TurnDefinitions } from './turnDefinitions.ts';

export type SessionDependencies = {
  readonly host: Host;
  readonly provider: Provider;
  readonly workspace: Workspace;
  readonly settings: () => Settings;
  /** Agent types beside the built-in ones; one of the same name takes its place. Asked for when a turn begins. */
  readonly definitions?: () => readonly AgentDefinition[];
  /** What is wrong with the files they are read from; told when it changed. */
  readonly definitionProblems?: () => readonly DefinitionProblem[];
  /** Where journals and artifacts are kept. */
  readonly stateDirectory: string;
  readonly clock: Clock;
  /** For people who look for a fault. */
  readonly log: (text: string) => void;
};

type Parts = SessionDependencies & {
  readonly id: string;
  readonly events: EventLog;
  readonly history: readonly Message[];
  readonly turns: number;
  readonly artifacts: Artifacts;
  readonly catalog: ModelCatalog;
};

type Waiting = { readonly prompt: string; readonly resolve: (result: TurnResult) => void };

const leadSource = { agent: lead.id, parent: null };

/** A session as it lives: its lead, the turns one after another, and what all its agents share. */
export class Conversation implements Session {
  readonly id: string;
  readonly #parts: Parts;
  readonly #environment: string;
  readonly #paths: PathResolver;
  readonly #gate: Gate;
  readonly #definitions: TurnDefinitions;
  readonly #reads = createReadLog();
  readonly #waiting: Waiting[] = [];
  #history: readonly Message[];
  #turns: number;
  #mode: Mode;
  #model: string;
  #lease: Lease | undefined;
  #delegator: Delegator | undefined;
  #turn: { readonly controller: AbortController; readonly ended: Promise<TurnResult> } | undefined;

  constructor(parts: Parts) {
    const { workspace, artifacts, host } = parts;
    this.id = parts.id;
    this.#parts = parts;
    this.#history = parts.history;
    this.#turns = parts.turns;
    this.#mode = parts.settings()['permissions.mode'];
    this.#model = parts.settings().model;
    this.#definitions = new TurnDefinitions(parts);
    this.#environment = environmentOf(workspace, process.platform);
    this.#paths = createPathResolver({ roots: workspace.roots, readOnlyRoots: [artifacts.directory] });
    this.#gate = createGate({
      mode: () => this.#mode,
      workspace,
      paths: this.#paths,
      broker: createBroker(host.prompts),
    });
  }

  get isRunning(): boolean {
    return this.#turn !== undefined;
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
    const result = new Promise<TurnResult>((resolve) => this.#waiting.push({ prompt, resolve }));
    this.#tellQueue();
    return result;
  }

  stop(agent?: string): void {
    if (agent !== undefined && agent !== lead.id) {
      this.#delegator?.stop(agent);
      return;
    }
    const waiting = this.#waiting.splice(0);
    if (waiting.length > 0) this.#tellQueue();
    for (const { resolve } of waiting) resolve({ status: 'stopped', text: '', usage: noUsage, cost: 0 });
    this.#turn?.controller.abort();
  }

  async close(): Promise<void> {
    this.stop();
    await this.#turn?.ended;
    await this.#parts.events.close();
    await this.#lease?.release();
    this.#lease = undefined;
  }

  #begin(prompt: string): Promise<TurnResult> {
    const controller = new AbortController();
    const ended = this.#runTurn(prompt, controller.signal).finally(() => {
      this.#turn = undefined;
      const next = this.#waiting.shift();
      if (!next) return;
      this.#tellQueue();
      void this.#begin(next.prompt).then(next.resolve);
    });
    this.#turn = { controller, ended };
    return ended;
  }

  #tellQueue(): void {
    this.#parts.events.emit(leadSource, { type: 'prompt-queue', prompts: this.#waiting.map(({ prompt }) => prompt) });
  }

  /** Never rejects. */
  async #runTurn(prompt: string, signal: AbortSignal): Promise<TurnResult> {
    const { events, workspace, clock } = this.#parts;
    const startedAt = clock.now();
    try {
      await this.#open();
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      events.emit(leadSource, { type: 'notice', level: 'error', text });
      return { status: 'failed', text: '', usage: noUsage, cost: 0, error: text };
    }
    if (this.#turns === 0) {
      events.emit(leadSource, { type: 'session-start', workspace: workspace.roots[0] ?? '', title: titleOf(prompt) });
    }
    this.#turns += 1;
    const turn = this.#turns;
    events.emit(leadSource, { type: 'turn-start', turn, prompt });
    let agent: Agent | undefined;
    let end: RunEnd;
    try {
      agent = await this.#createLead(signal);
      agent.append({ role: 'user', content: [{ type: 'text', text: prompt }] });
      end = await run(agent, this.#loop(), signal);
      this.#history = agent.history;
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
    events.emit(leadSource, { type: 'turn-end', turn, status, ...error });
    await events.durable();
    return { status, text, usage: agent?.meter.usage ?? noUsage, cost: agent ? agent.meter.cost : 0, ...error };
  }

  /** Takes the right to write this session and opens its journal. */
  async #open(): Promise<void> {
    if (this.#lease) return;
    const { stateDirectory, clock, events } = this.#parts;
    const path = journalPath(stateDirectory, this.id);
    const lease = await claimJournal(path, clock, () => this.#loseLease());
    try {
      await events.open(path);
      this.#lease = lease;
    } catch (error) {
      await lease.release();
      throw error;
    }
  }

  /** Another process writes this session now: this one must not. */
  #loseLease(): void {
    const { events, log } = this.#parts;
    this.#lease = undefined;
    this.stop();
    const text = 'This conversation goes on in another window, since this one did not answer for a while.';
    events.emit(leadSource, { type: 'notice', level: 'warning', text });
    events.close().catch((error: unknown) => log(String(error)));
  }

  async #createLead(signal: AbortSignal): Promise<Agent> {
    const { host, workspace, events, settings, catalog, provider } = this.#parts;
    const [model, instructions] = await Promise.all([
      chooseLeadModel(provider, catalog, this.#model, signal),
      readInstructions(host.files, workspace, signal),
    ]);
    const notice = this.#definitions.begin(events);
    if (notice) events.emit(leadSource, notice);
    this.#delegator ??= this.#createDelegator(instructions);
    this.#delegator.beginTurn();
    return createLead({
      model,
      system: leadSystem(this.#environment, instructions),
      history: fitHistory(this.#history, events.events, model),
      delegator: this.#delegator,
      maxSteps: settings()['agents.maxTurns'],
      reads: this.#reads,
      emit: (body) => events.emit(leadSource, body),
    });
  }

  #createDelegator(instructions: string): Delegator {
    const { settings, catalog, artifacts, events } = this.#parts;
    return new Delegator({
      settings,
      catalog,
      loop: () => this.#loop(),
      definitions: () => this.#definitions.current,
      tools: createBuiltInTools({ bashTimeoutMs: settings()['bash.timeoutSeconds'] * 1000 }),
      environment: this.#environment,
      instructions,
      keep: (text) => artifacts.write(text, 'md'),
      emit: ({ id, parent }, body) => events.emit({ agent: id, parent }, body),
    });
  }

  #loop(): LoopDependencies {
    const { host, provider, clock, settings, events, artifacts } = this.#parts;
    const shared = { ...this.#parts, paths: this.#paths, mode: () => this.#mode };
    const surroundings = {
      gate: this.#gate,
      now: () => clock.now(),
      contextFor: (agent: Agent, call: string, signal: AbortSignal) => createToolContext(shared, agent, call, signal),
      durable: () => events.durable(),
      keep: (text: string) => artifacts.write(text, 'txt'),
    };
    return {
      provider,
      clock,
      random: Math.random,
      stallMs: settings()['agents.stallSeconds'] * 1000,
      compactAt: settings()['context.compactAt'],
      askForMore: (agent, limit, signal) => askForMore(host, agent, limit, signal),
      execute: (agent) => (call, signal) => executeCall(agent, call, surroundings, signal),
    };
  }
}

function titleOf(prompt: string): string {
  const line = prompt.trim().split('\n')[0] ?? '';
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
