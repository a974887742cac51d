import type { AgentHooks } from '../gate/hooks/agentHooks.ts';
import type { Agent, AgentIdentity } from '../loop/agent.ts';
import type { EventBody } from '../loop/events.ts';
import type { LoopDependencies } from '../loop/run.ts';
import type { Message } from '../messages/types.ts';
import { createAgentTool, type Delegation } from '../tools/agent.ts';
import { createAgentDeskTools } from '../tools/background.ts';
import { type Tool, type ToolContext, ToolError, type ToolResult } from '../tools/tool.ts';
import { type CallForAgent, runAccepted } from './acceptance.ts';
import { createChild } from './child.ts';
import { conclude, goOnInstruction, launched, notification } from './conclude.ts';
import { type AgentDefinition, type AgentTypes, offeredTo } from './definitions.ts';
import { createDesk } from './desk.ts';
import { type GroundPlaces, makeGround } from './grounds.ts';
import { Places } from './places.ts';
import { type PlanDependencies, planSpawn, type SpawnPlan } from './plan.ts';
import { lookingAfter, ReportCache, type ReportCacheDependencies, reportKey, type Work } from './reportCache.ts';
import { type Delegated, Roster } from './roster.ts';

/** An agent of this session that has ended, perhaps before a restart. */
export type PastAgent = {
  readonly identity: AgentIdentity;
  readonly history: readonly Message[];
  /** What it was first asked to do, and the call that asked. */
  readonly task: Delegation;
  readonly call: string;
};

export type DelegateDependencies = PlanDependencies & {
  readonly loop: () => LoopDependencies;
  /** Every tool but those for delegation, which are made for each agent. */
  readonly tools: () => readonly Tool[];
  readonly grounds: GroundPlaces;
  readonly keep: (text: string) => Promise<string>;
  readonly emit: (identity: AgentIdentity, body: EventBody) => void;
  readonly past: (idOrName: string) => PastAgent | undefined;
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
  /** Children that each agent waits for. */
  readonly #waiting = new Map<string, number>();
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
    const agentTool = createAgentTool(offered, (task, context) => this.delegate(parent(), task, context, types));
    return [...tools, agentTool, ...createAgentDeskTools(createDesk(this.roster, this.#dependencies.loop().clock))];
  }

  beginTurn(): void {
    this.#startedInTurn = 0;
    this.#places.count = this.#dependencies.settings()['agents.maxConcurrent'];
  }

  get isBusy(): boolean {
    return this.roster.working.length > 0;
  }

  /** Stops whatever works; nobody is woken by the ends. */
  stopAll(): void {
    for (const delegated of this.roster.working) {
      delegated.isQuiet = true;
      delegated.controller.abort();
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
      if (!delegated.isBackground) controller.abort();
    };
    context.signal.addEventListener('abort', forward, { once: true });
    if (context.signal.aborted) forward();
    if (task.run_in_background ?? delegated.plan.definition.background) this.detach(agent.identity.id);
    this.#countWaiting(parent, 1);
    try {
      return await Promise.race([
        delegated.detached.then(() => launched(delegated)),
        delegated.ended.then((result) => {
          if (!delegated.isBackground) delegated.isDelivered = true;
          return delegated.isBackground ? launched(delegated) : result;
        }),
      ]);
    } finally {
      context.signal.removeEventListener('abort', forward);
      this.#countWaiting(parent, -1);
    }
  }

  /**
   * Does the task of an agent again, with a new history, in the background.
   * @param lead gets the report of an agent whose parent is no more, as after a restart
   * @throws ToolError when there is none such
   */
  async retry(id: string, lead: Agent, signal: AbortSignal): Promise<void> {
    const { task, call, identity, parent } = this.#findEnded(id, lead);
    const { resume: _, ...again } = task;
    const delegated = await this.#spawn(parent, { ...again, name: identity.name }, { signal, call, isRetry: true });
    this.detach(delegated.agent.identity.id);
  }

  /** Lets an agent that has ended go on with its history, in the background. As `retry`. */
  async goOn(id: string, lead: Agent, signal: AbortSignal): Promise<void> {
    const { task, call, identity, parent } = this.#findEnded(id, lead);
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

  async #spawn(parent: Agent, task: Delegation, context: SpawnContext, types?: AgentTypes): Promise<Delegated> {
    this.#checkLimits();
    const past = task.resume === undefined ? undefined : this.#findPast(task.resume);
    let agent: Agent | undefined;
    const self = () => agent ?? parent;
    const planned = past ? { ...task, subagent_type: past.identity.type } : task;
    const plan = await this.plan(parent, planned, context.signal, types, self);
    await this.#dependencies.hooks.admit(parent, plan.definition.hooks, context.signal);
    const identity = this.#identify(parent, task, plan, past);
    const emit = (body: EventBody) => this.#dependencies.emit(identity, body);
    const ground = makeGround(this.#dependencies.grounds, parent.ground, { worktree: undefined, memory: plan.memory });
    agent = createChild({ identity, parent, task, plan, call: context.call, past: past?.history, ground, emit });
    this.#dependencies.hooks.adopt(agent, plan.definition.hooks);
    const key = context.isRetry ? undefined : reportKey(task, plan);
    return this.#start(parent, agent, task, plan, context.call, key);
  }

  #identify(
    parent: Agent,
    task: Delegation,
    plan: SpawnPlan,
    past: Pick<PastAgent, 'identity'> | undefined,
  ): AgentIdentity {
    const { id, depth } = parent.identity;
    if (past) return { ...past.identity, parent: id, depth: depth + 1 };
    return this.roster.identify(parent.identity, task, plan.definition.name);
  }

  #start(parent: Agent, agent: Agent, task: Delegation, plan: SpawnPlan, call: string, key?: string): Delegated {
    const controller = new AbortController();
    const gate = withResolvers();
    const delegated: Delegated = {
      agent,
      parent,
      task,
      plan,
      call,
      controller,
      detached: gate.promise,
      detach: gate.resolve,
      // Not before it is in the roster: whoever hears of it may stop it.
      ended: Promise.resolve()
        .then(() => this.#runToEnd(agent, task, plan, controller.signal, key))
        .then((result) => {
          delegated.result = result;
          if (delegated.isBackground) this.#announce(delegated);
          return result;
        }),
      result: undefined,
      isBackground: false,
      isDelivered: false,
      isQuiet: false,
    };
    this.roster.add(delegated);
    return delegated;
  }

  /** Never rejects. */
  async #runToEnd(
    agent: Agent,
    task: Delegation,
    plan: SpawnPlan,
    signal: AbortSignal,
    key: string | undefined,
  ): Promise<ToolResult> {
    const { settings, loop, keep, callFor } = this.#dependencies;
    const { clock } = loop();
    const startedAt = clock.now();
    if (this.#places.areTaken) agent.emit({ type: 'agent-status', activity: 'queued' });
    const work: Work = (wanted, mayLook) =>
      this.#places.run(
        () => runAccepted(agent, task.acceptance, lookingAfter(mayLook, loop()), callFor, wanted),
        task.priority ?? 'normal',
        wanted,
      );
    const end = await this.#reports.endOf(key, agent, work, signal);
    // Whoever wrote too late for this agent is heard by the lead.
    for (const note of agent.controls.takeNotes()) this.#dependencies.tellLead(note, true);
    return await conclude(agent, end, {
      durationMs: clock.now() - startedAt,
      maxReportChars: settings()['agents.maxReportChars'],
      notes: plan.notes,
      keep,
    });
  }

  /** Tells the end of a background agent, once. */
  #announce(delegated: Delegated): void {
    const { result, parent, isQuiet } = delegated;
    if (delegated.isDelivered || typeof result?.content !== 'string') return;
    delegated.isDelivered = true;
    const note = notification(result.content);
    if (parent.isRunning && parent.identity.parent !== null) parent.controls.tell(note);
    else this.#dependencies.tellLead(note, isQuiet);
  }

  #checkLimits(): void {
    const limit = this.#dependencies.settings()['agents.maxPerTurn'];
    if (this.#startedInTurn >= limit) {
      throw new ToolError(`The limit of ${limit} agents in one turn is reached. Do the rest of the work yourself.`);
    }
    this.#startedInTurn += 1;
  }

  #findEnded(idOrName: string, lead: Agent): PastAgent & { readonly parent: Agent } {
    const living = this.roster.find(idOrName);
    const past = this.#dependencies.past(idOrName);
    if (!past) throw new ToolError(`There is no agent ${idOrName} in this conversation.`);
    if (living && !living.result) throw new ToolError(`${past.identity.name} is still at work.`);
    return { ...past, parent: living?.parent ?? lead };
  }

  #findPast(idOrName: string): Pick<PastAgent, 'identity' | 'history'> {
    const living = this.roster.find(idOrName);
    if (living && !living.result) {
      throw new ToolError(`${living.agent.identity.name} is still at work. Tell it with SendMessage.`);
    }
    const past = living
      ? { identity: living.agent.identity, history: living.agent.history }
      : this.#dependencies.past(idOrName);
    if (!past)
      throw new ToolError(`There is no agent ${idOrName} in this session. Start a new one without \`resume\`.`);
    return past;
  }

  /** An agent whose children work is never shown as idle. */
  #countWaiting(parent: Agent, change: 1 | -1): void {
    const count = (this.#waiting.get(parent.identity.id) ?? 0) + change;
    this.#waiting.set(parent.identity.id, count);
    if (count === 0) parent.emit({ type: 'agent-status', activity: 'running' });
    else parent.emit({ type: 'agent-status', activity: 'waiting_agents', detail: String(count) });
  }
}

function withResolvers(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
