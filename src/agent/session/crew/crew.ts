import { stat } from 'node:fs/promises';
import { compactIfAsked } from '../../context/compact.ts';
import { readInstructions } from '../../context/instructions.ts';
import { environmentOf, isolatedEnvironment, leadSystem } from '../../context/system.ts';
import type { Gate } from '../../gate/gate.ts';
import type { AgentHooks } from '../../gate/hooks/agentHooks.ts';
import type { Hooks } from '../../gate/hooks/hooks.ts';
import type { PathResolver, PathRoots } from '../../gate/places/paths.ts';
import type { Agent } from '../../loop/agent.ts';
import type { EventBody } from '../../loop/events.ts';
import { Meter } from '../../loop/meter.ts';
import { createReadLog } from '../../loop/readLog.ts';
import type { LoopDependencies } from '../../loop/run.ts';
import type { Message } from '../../messages/types.ts';
import type { ModelCatalog } from '../../model/catalog.ts';
import type { Mode } from '../../settings.ts';
import { createSkillTool } from '../../skills/tool.ts';
import type { Artifacts } from '../../store/artifacts.ts';
import { Delegator } from '../../subagents/delegate.ts';
import { fileVersion, workspaceState } from '../../subagents/reports/workspaceState.ts';
import type { FindPast, PastAgent } from '../../subagents/roster/pastAgents.ts';
import { rosterText } from '../../subagents/roster/rosterText.ts';
import type { SpawnPreview } from '../../subagents/spawn/preview.ts';
import type { DelegationInput } from '../../tools/agent.ts';
import { createBuiltInTools } from '../../tools/list.ts';
import { createWorktreeDesk, leftoverWords } from '../../worktrees/desk.ts';
import { Lodgings } from '../../worktrees/lodgings.ts';
import { leadSource } from '../lead.ts';
import { readPastAgent } from '../past/pastAgent.ts';
import type { EventLog } from '../record/eventLog.ts';
import type { SessionDependencies } from '../session.ts';
import { type AgentLoop, createAgentLoop } from './agentLoop.ts';
import { createChangeWatches } from './changeWatch.ts';
import { fitHistory, lastMeasure } from './leadHistory.ts';
import { chooseLeadModel } from './leadModel.ts';
import { makeLead, startLead, turnBudget } from './makeLead.ts';
import { previewSpawn } from './previewSpawn.ts';
import { TurnDefinitions } from './turnDefinitions.ts';

export type CrewParts = SessionDependencies & {
  readonly id: string;
  readonly events: EventLog;
  /** Where its journal is. */
  readonly journal: string;
  readonly takenNames: readonly string[];
  readonly artifacts: Artifacts;
  readonly catalog: ModelCatalog;
  readonly gate: Gate;
  readonly hooks: Hooks;
  readonly paths: PathResolver;
  readonly pathRoots: PathRoots;
  readonly mode: () => Mode;
  readonly tellLead: (note: string, isQuiet: boolean) => void;
};

/** What all agents of a session share, and the making of them. */
export class Crew {
  readonly delegator: Delegator;
  readonly hooks: AgentHooks;
  readonly #parts: CrewParts;
  readonly #definitions: TurnDefinitions;
  readonly #loop: AgentLoop;
  readonly #lodgings: Lodgings;
  /** Of the whole session, since it was opened. */
  readonly meter = new Meter();
  readonly #reads = createReadLog();
  #instructions = '';
  #hasLooked = false;

  constructor(parts: CrewParts) {
    this.#parts = parts;
    this.hooks = parts.hooks.agents;
    this.#loop = createAgentLoop({ ...parts, changes: createChangeWatches(parts.host.git, parts.workspace.roots) });
    this.#lodgings = new Lodgings({
      worktrees: parts.host.worktrees,
      workspace: parts.workspace,
      session: parts.id,
      stateDirectory: parts.stateDirectory,
      isCarried: () => parts.settings()['worktrees.carryChanges'],
      now: () => parts.clock.now(),
      others: ({ id }, path) => this.delegator.othersIn(path, id),
    });
    this.#definitions = new TurnDefinitions(parts);
    this.delegator = this.#createDelegator();
  }

  /** The lead of the turn that begins. @throws Error for people when its model is not to be had */
  async createLead(history: readonly Message[], modelName: string, signal: AbortSignal): Promise<Agent> {
    const { events } = this.#parts;
    const setup = await this.#leadSetup(history, modelName, signal);
    await this.#lookForLeftovers(signal);
    const notice = this.#definitions.begin(events);
    if (notice) events.emit(leadSource, notice);
    this.delegator.beginTurn();
    return startLead(setup);
  }

  /** Once: what agents have left that ended with their process. */
  async #lookForLeftovers(signal: AbortSignal): Promise<void> {
    const { host, workspace, stateDirectory, events, log } = this.#parts;
    if (this.#hasLooked || !workspace.isTrusted) return;
    this.#hasLooked = true;
    try {
      const kept = await createWorktreeDesk(host.worktrees, stateDirectory).reconcile(signal);
      if (kept.length > 0) events.emit(leadSource, { type: 'notice', level: 'warning', text: leftoverWords(kept) });
    } catch (error) {
      log(`Worktrees of earlier runs could not be looked at: ${error instanceof Error ? error.message : error}`);
    }
  }

  /** A shorter history for a lead that rests; what came of it is told. Never rejects. */
  async compact(history: readonly Message[], modelName: string, signal: AbortSignal): Promise<readonly Message[]> {
    try {
      const agent = await this.restingLead(history, modelName, signal);
      agent.controls.askToCompact();
      await compactIfAsked(agent, this.loop(), signal);
      return agent.history;
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      if (!signal.aborted) this.#parts.events.emit(leadSource, { type: 'notice', level: 'error', text });
      return history;
    }
  }

  /** What a spawn by this lead would start. @throws Error for people when it would be refused */
  previewSpawn(parent: Agent, input: DelegationInput, signal: AbortSignal): Promise<SpawnPreview> {
    const { delegator } = this;
    const lodgings = this.#lodgings;
    const findIn: FindPast = (idOrName, wanted) => this.#findPast(idOrName, wanted);
    return previewSpawn({ delegator, lodgings, parts: this.#parts, findIn }, parent, input, signal);
  }

  /** Its history is not in memory. */
  async #findPast(idOrName: string, signal: AbortSignal): Promise<PastAgent | undefined> {
    const { events, journal } = this.#parts;
    await events.durable();
    const isWritten = events.events.length > 0 && (await stat(journal).catch(() => undefined));
    return isWritten ? readPastAgent(journal, idOrName, signal) : undefined;
  }

  /** A lead as it would begin a turn now; it begins none. */
  async restingLead(history: readonly Message[], modelName: string, signal: AbortSignal): Promise<Agent> {
    const setup = await this.#leadSetup(history, modelName, signal);
    this.#definitions.refresh();
    return makeLead(setup);
  }

  async #leadSetup(history: readonly Message[], modelName: string, signal: AbortSignal) {
    const { host, workspace, events, settings, catalog, provider } = this.#parts;
    const [model, instructions] = await Promise.all([
      chooseLeadModel(provider, catalog, modelName, signal),
      readInstructions(host.files, workspace, signal),
    ]);
    this.#instructions = instructions;
    return {
      model,
      system: leadSystem(environmentOf(workspace, process.platform), instructions),
      history: fitHistory(history, events.events, model),
      measure: lastMeasure(history, events.events, model),
      delegator: this.delegator,
      maxSteps: settings()['agents.maxTurns'],
      budget: turnBudget(settings()),
      reads: this.#reads,
      meter: this.meter,
      emit: (body: EventBody) => events.emit(leadSource, body),
    };
  }

  loop(): LoopDependencies {
    return this.#loop.dependencies((agent) => rosterText(this.delegator.roster, agent));
  }

  #createDelegator(): Delegator {
    const { host, workspace, settings, catalog, artifacts, events, stateDirectory, pathRoots } = this.#parts;
    const { takenNames, tellLead } = this.#parts;
    const tools = createBuiltInTools({ bashTimeoutMs: settings()['bash.timeoutSeconds'] * 1000 });
    return new Delegator({
      settings,
      catalog,
      loop: () => this.loop(),
      hooks: this.hooks,
      callFor: this.#loop.callFor,
      definitions: () => this.#definitions.current,
      tools: () => {
        const skill = createSkillTool(this.#definitions.skills);
        const all = skill ? [...tools, skill] : tools;
        return workspace.isTrusted ? all : all.filter(({ effect }) => effect === 'read');
      },
      skills: () => this.#definitions.skills,
      lodgings: this.#lodgings,
      isolatedEnvironment: isolatedEnvironment(process.platform),
      memory: { stateDirectory, root: () => (workspace.isTrusted ? workspace.roots[0] : undefined) },
      grounds: { workspace, roots: pathRoots },
      get environment() {
        return environmentOf(workspace, process.platform);
      },
      instructions: () => this.#instructions,
      keep: (text) => artifacts.write(text, 'md'),
      emit: ({ id, parent }, body) => events.emit({ agent: id, parent }, body),
      past: (idOrName, signal) => this.#findPast(idOrName, signal),
      takenNames,
      reports: {
        state: (signal) => workspaceState(host, workspace, signal),
        versionOf: (path, signal) => fileVersion(host.files, path, signal),
      },
      tellLead,
    });
  }
}
