import type { AgentHooks } from '../gate/hooks/agentHooks.ts';
import type { Agent, AgentIdentity } from '../loop/agent.ts';
import type { Interruption } from '../loop/endings.ts';
import type { EventBody } from '../loop/events.ts';
import type { LoopDependencies } from '../loop/run.ts';
import { createAgentTool, type Delegation } from '../tools/agent.ts';
import { createAgentDeskTools } from '../tools/agentDesk.ts';
import { type Tool, type ToolContext, ToolError, type ToolResult } from '../tools/tool.ts';
import { type AgentDefinition, type AgentTypes, offeredTo } from './definitions.ts';
import { Places } from './places.ts';
import type { CallForAgent } from './reports/acceptance.ts';
import { goOnInstruction, launched } from './reports/conclude.ts';
import { ReportCache, type ReportCacheDependencies, reportKey } from './reports/reportCache.ts';
import { announceEnd } from './roster/announce.ts';
import { type Delegated, startDelegated } from './roster/delegated.ts';
import { createDesk } from './roster/desk.ts';
import { type FindPast, findEnded, findPast, stillAtWork } from './roster/pastAgents.ts';
import { Roster } from './roster/roster.ts';
import { type PlannedRun, runToEnd } from './runToEnd.ts';
import { createChild } from './spawn/child.ts';
import type { GroundPlaces } from './spawn/grounds.ts';
import { type PlanDependencies, planSpawn, type SpawnPlan } from './spawn/plan.ts';
import { prepareSpawn, type Spawn } from './spawn/prepare.ts';
import { WaitingParents } from './waiting.ts';

export type DelegateDependencies = PlanDependencies & {
  readonly loop: () => LoopDependencies;
  /** Every tool but those for delegation, which are made for each agent. */
  readonly tools: () => readonly Tool[];
  readonly grounds: GroundPlaces;
  readonly keep: (text: string) => Promise<string>;
  readonly emit: (identity: AgentIdentity, body: EventBody) => void;
  readonly past: FindPast;
  readonly takenNames: readonly string[];
  readonly reports: ReportCacheDependencies;
  readonly callFor: CallForAgent;
  readonly hooks: Pick<AgentHooks, 'admit' | 'adopt'>;
  /** Hands a notification to the lead: before its next step, or by waking it. `isQuiet`: it can wait for the next prompt. */
  readonly tellLead: (note: string, isQuiet: boolean) => void;
};

/** A call of the Agent tool, or one that is made again. */
type SpawnContext = Pick<ToolContext, 'signal' | 'call'> & {
  /** A run of its own is wanted, whatever reports there are. */
  readonly isRetry?: boolean;
};

/** Starts subagents: checks the limits, waits for a place, runs the same loop, brings the report back. */
export class Delegator {
  readonly roster: Roster;
  readonly #dependencies: DelegateDependencies;
  readonly #places: Places;
  readonly #reports: ReportCache;
  readonly #waiting = new WaitingParents();
  #startedInTurn = 0;

  constructor(dependencies: DelegateDependencies) {
    this.#dependencies = dependencies;
    this.roster = new Roster(dependencies.takenNames);
    this.#reports = new ReportCache(dependencies.reports);
    this.#places = new Places(dependencies.settings()['agents.maxConcurrent']);
  }

  /**
   * The tools of an agent at this depth; those for delegation are there only while a child is allowed.
   * @param types whom its definition lets it delegate to
   */
  toolsFor(parent: () => Agent, depth: number, types?: AgentTypes): readonly Tool[] {
    const { definitions, settings } = this.#dependencies;
    const tools = this.#dependencies.tools();
    const offered = offeredTo(types, definitions());
    if (depth >= settings()['agents.maxDepth'] || offered.length === 0) return tools;
    const agentTool = createAgentTool(
      offered,
      (task, context) => this.delegate(parent(), task, context, types),
      // The list of models, which says what an alias means: while a call is written there is time to fetch it.
      () => void parent().model.learnLimits(new AbortController().signal),
    );
    return [
      ...tools,
      agentTool,
      ...createAgentDeskTools(createDesk(this.roster, this.#dependencies.loop().clock, parent)),
    ];
  }

  beginTurn(): void {
    this.#startedInTurn = 0;
    this.#places.count = this.#dependencies.settings()['agents.maxConcurrent'];
  }

  /** Resolves when the other agents in this worktree have ended; undefined: there are none. */
  othersIn(path: string, except: string): Promise<unknown> | undefined {
    const others = this.roster.working.filter(
      ({ agent: { ground, identity } }) => ground?.worktree?.path === path && identity.id !== except,
    );
    return others.length === 0 ? undefined : Promise.all(others.map(({ ended }) => ended));
  }

  get isBusy(): boolean {
    return this.roster.working.length > 0;
  }

  /** Stops whatever works; nobody is woken by the ends. @param reason left out: the user wants it */
  stopAll(reason?: Interruption): void {
    for (const delegated of this.roster.working) {
      delegated.isQuiet = true;
      delegated.controller.abort(reason);
    }
  }

  /** @returns false when there is nothing to be moved */
  detach(id: string): boolean {
    const delegated = this.roster.find(id);
    if (!delegated || delegated.result || delegated.isBackground) return false;
    delegated.isBackground = true;
    delegated.agent.isDetached = true;
    delegated.agent.emit({ type: 'agent-detach' });
    delegated.detach();
    return true;
  }

  /** Runs the call of an agent that delegates. @throws ToolError that says what to do instead */
  async delegate(parent: Agent, task: Delegation, context: ToolContext, types?: AgentTypes): Promise<ToolResult> {
    const delegated = await this.#spawn(parent, task, context, types);
    const { agent, controller } = delegated;
    const forward = () => {
      if (!delegated.isBackground) controller.abort(context.signal.reason);
    };
    context.signal.addEventListener('abort', forward, { once: true });
    if (context.signal.aborted) forward();
    if (task.run_in_background ?? delegated.plan.definition.background) this.detach(agent.identity.id);
    const report = () =>
      Promise.race([
        delegated.detached.then(() => launched(delegated)),
        delegated.ended.then((result) => {
          if (!delegated.isBackground) delegated.isDelivered = true;
          return delegated.isBackground ? launched(delegated) : result;
        }),
      ]);
    try {
      return await this.#waiting.while(parent, report);
    } finally {
      context.signal.removeEventListener('abort', forward);
    }
  }

  /**
   * Does the task of an agent again, with a new history, in the background.
   * @param lead gets the report of an agent whose parent is no more, as after a restart
   * @throws ToolError when there is none such
   */
  async retry(id: string, lead: Agent, signal: AbortSignal): Promise<void> {
    const { task, call, identity, parent } = await findEnded(this.roster, this.#dependencies.past, id, lead, signal);
    const { resume: _, ...again } = task;
    const delegated = await this.#spawn(parent, { ...again, name: identity.name }, { signal, call, isRetry: true });
    this.detach(delegated.agent.identity.id);
  }

  /** Lets an agent that has ended go on with its history, in the background. As `retry`. */
  async goOn(id: string, lead: Agent, signal: AbortSignal): Promise<void> {
    const { task, call, identity, parent } = await findEnded(this.roster, this.#dependencies.past, id, lead, signal);
    const onward = { ...task, prompt: goOnInstruction, resume: identity.id };
    await this.#spawn(parent, onward, { signal, call, isRetry: true });
    this.detach(identity.id);
  }

  /** @param types whom its parent's definition lets it delegate to @throws ToolError that says what to ask for instead */
  plan(
    parent: Agent,
    task: Delegation,
    signal: AbortSignal,
    types?: AgentTypes,
    self = () => parent,
  ): Promise<SpawnPlan> {
    const definitions = () => offeredTo(types, this.#dependencies.definitions());
    // What its parent may not do is not to be had through a child.
    const parents = new Set(parent.tools.map(({ name }) => name));
    const tools = ({ agentTypes }: AgentDefinition) =>
      this.toolsFor(self, parent.identity.depth + 1, agentTypes).filter(({ name }) => parents.has(name));
    return planSpawn(parent, task, tools, { ...this.#dependencies, definitions }, signal);
  }

  /** One that ended goes on once at a time, whoever asks for it. */
  async #spawn(parent: Agent, task: Delegation, context: SpawnContext, types?: AgentTypes): Promise<Delegated> {
    // What the user asks for by hand is not the model's doing.
    if (!context.isRetry) this.#takeOne();
    if (!task.resume) return this.#launch(parent, task, context, types, undefined);
    const past = await findPast(this.roster, this.#dependencies.past, task.resume, context.signal);
    const release = this.roster.claim(past.identity.id);
    if (!release) throw stillAtWork(past.identity.name);
    try {
      return await this.#launch(parent, task, context, types, past);
    } finally {
      release();
    }
  }

  async #launch(
    parent: Agent,
    task: Delegation,
    { signal, call, isRetry }: SpawnContext,
    types: AgentTypes | undefined,
    past: Spawn['past'],
  ): Promise<Delegated> {
    const { hooks, emit } = this.#dependencies;
    let agent: Agent | undefined;
    const prepared = await prepareSpawn(
      { parent, task, past },
      {
        ...this.#dependencies,
        plan: (planned) => this.plan(parent, planned, signal, types, () => agent ?? parent),
        identify: ({ definition }) => this.roster.identify(parent.identity, task, definition.name),
      },
      signal,
    );
    // From here to the roster without a pause: whoever hears of it may stop it.
    const { plan, identity, lodging } = prepared;
    agent = createChild({ ...prepared, parent, task, call, past: past?.history, emit: (body) => emit(identity, body) });
    hooks.adopt(agent, plan.definition.hooks);
    const run = { agent, task, plan, lodging, key: isRetry ? undefined : reportKey(task, plan) };
    return this.#start({ agent, parent, task, plan, call }, run);
  }

  #start(what: Parameters<typeof startDelegated>[0], run: PlannedRun): Delegated {
    const surroundings = { ...this.#dependencies, places: this.#places, reports: this.#reports };
    const delegated = startDelegated(
      what,
      (signal) => runToEnd(run, surroundings, signal),
      (ended) => ended.isBackground && announceEnd(ended, this.#dependencies.tellLead),
    );
    this.roster.add(delegated);
    return delegated;
  }

  #takeOne(): void {
    this.checkLimits();
    this.#startedInTurn += 1;
  }

  /** @throws ToolError when this turn may start no more */
  checkLimits(): void {
    const limit = this.#dependencies.settings()['agents.maxPerTurn'];
    if (this.#startedInTurn >= limit) {
      throw new ToolError(`The limit of ${limit} agents in one turn is reached. Do the rest of the work yourself.`);
    }
  }
}
