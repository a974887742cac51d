import { randomBytes } from 'node:crypto';
import PQueue from 'p-queue';
import { childSystem } from '../context/system.ts';
import { Agent, type AgentIdentity } from '../loop/agent.ts';
import { headAndTail } from '../loop/call.ts';
import type { EventBody } from '../loop/events.ts';
import { type LoopDependencies, type RunEnd, run } from '../loop/run.ts';
import type { ModelCatalog } from '../model/catalog.ts';
import type { Settings } from '../settings.ts';
import { createAgentTool, type Delegation } from '../tools/agent.ts';
import { type Tool, type ToolContext, ToolError, type ToolResult } from '../tools/tool.ts';
import type { AgentDefinition } from './definitions.ts';
import { chooseModel } from './models.ts';
import { frameReport } from './report.ts';
import { filterToolset } from './toolset.ts';

export type DelegateDependencies = {
  readonly settings: () => Settings;
  readonly catalog: ModelCatalog;
  readonly loop: () => LoopDependencies;
  readonly definitions: readonly AgentDefinition[];
  /** Every tool but Agent, which is made for each agent. */
  readonly tools: readonly Tool[];
  readonly environment: string;
  /** What the project tells agents; empty when there is nothing. */
  readonly instructions: string;
  readonly keep: (text: string) => Promise<string>;
  readonly emit: (identity: AgentIdentity, body: EventBody) => void;
};

const priorities = { low: 0, normal: 1, high: 2 } as const;

/** Starts subagents: checks the limits, waits for a place, runs the same loop, brings the report back. */
export class Delegator {
  readonly #dependencies: DelegateDependencies;
  readonly #queue: PQueue;
  readonly #names = new Set<string>();
  readonly #controllers = new Map<string, AbortController>();
  /** Children that each agent waits for. */
  readonly #waiting = new Map<string, number>();
  #startedInTurn = 0;

  constructor(dependencies: DelegateDependencies) {
    this.#dependencies = dependencies;
    this.#queue = new PQueue({ concurrency: dependencies.settings()['agents.maxConcurrent'] });
  }

  /** The tools of an agent at this depth; the Agent tool is there only while a child is allowed. */
  toolsFor(parent: () => Agent, depth: number): readonly Tool[] {
    const { definitions, tools, settings } = this.#dependencies;
    if (depth >= settings()['agents.maxDepth']) return tools;
    return [...tools, createAgentTool(definitions, (task, context) => this.#delegate(parent(), task, context))];
  }

  beginTurn(): void {
    this.#startedInTurn = 0;
    this.#queue.concurrency = this.#dependencies.settings()['agents.maxConcurrent'];
  }

  /** @returns false when no such agent lives */
  stop(agent: string): boolean {
    const controller = this.#controllers.get(agent);
    controller?.abort();
    return controller !== undefined;
  }

  async #delegate(parent: Agent, task: Delegation, context: ToolContext): Promise<ToolResult> {
    const { definitions, settings, emit } = this.#dependencies;
    const limit = settings()['agents.maxPerTurn'];
    const definition = findDefinition(definitions, task.subagent_type);
    if (this.#startedInTurn >= limit) {
      throw new ToolError(`The limit of ${limit} agents in one turn is reached. Do the rest of the work yourself.`);
    }
    this.#startedInTurn += 1;

    const identity = this.#identify(parent, task, definition);
    const controller = new AbortController();
    const signal = AbortSignal.any([context.signal, controller.signal]);
    this.#controllers.set(identity.id, controller);
    this.#countWaiting(parent, 1);
    const startedAt = this.#dependencies.loop().clock.now();
    try {
      const agent = await this.#create(parent, identity, definition, task, context);
      if (this.#queue.pending >= this.#queue.concurrency) emit(identity, { type: 'agent-status', activity: 'queued' });
      agent.append({ role: 'user', content: [{ type: 'text', text: taskPrompt(task) }] });
      const end = await this.#enqueue(agent, task, signal);
      return await this.#conclude(agent, end, startedAt);
    } finally {
      this.#controllers.delete(identity.id);
      this.#countWaiting(parent, -1);
    }
  }

  /** An agent whose children work is never shown as idle. */
  #countWaiting(parent: Agent, change: 1 | -1): void {
    const count = (this.#waiting.get(parent.identity.id) ?? 0) + change;
    this.#waiting.set(parent.identity.id, count);
    if (count === 0) parent.emit({ type: 'agent-status', activity: 'running' });
    else parent.emit({ type: 'agent-status', activity: 'waiting_agents', detail: String(count) });
  }

  async #enqueue(agent: Agent, task: Delegation, signal: AbortSignal): Promise<RunEnd> {
    const stoppedInQueue: RunEnd = { status: 'stopped', text: '', error: 'Stopped by the user before it began.' };
    const end = await this.#queue
      .add(() => run(agent, this.#dependencies.loop(), signal), {
        priority: priorities[task.priority ?? 'normal'],
        signal,
      })
      .catch((error: unknown) => {
        if (signal.aborted) return stoppedInQueue;
        throw error;
      });
    return end ?? stoppedInQueue;
  }

  async #create(
    parent: Agent,
    identity: AgentIdentity,
    definition: AgentDefinition,
    task: Delegation,
    context: ToolContext,
  ): Promise<Agent> {
    const { settings, catalog, environment, instructions, emit } = this.#dependencies;
    const choice = await chooseModel(
      {
        environment: process.env.OFFSHOOT_SUBAGENT_MODEL,
        call: task.model,
        definition,
        parent: parent.model,
        settings: settings(),
      },
      catalog,
      context.signal,
    );
    if ('unknown' in choice) {
      const known = (await catalog.list(context.signal)).map(({ id }) => id).join(', ');
      throw new ToolError(
        `There is no model ${choice.unknown}. The server has: ${known || 'no list'}. Or leave model out.`,
      );
    }
    const tools = filterToolset(
      this.toolsFor(() => agent, identity.depth),
      definition,
    );
    const agent: Agent = new Agent({
      identity,
      model: choice.model,
      system: childSystem(definition, environment, instructions),
      tools,
      maxSteps: Math.min(task.max_turns ?? Infinity, definition.maxTurns ?? Infinity, settings()['agents.maxTurns']),
      history: [],
      parent,
      emit: (body) => emit(identity, body),
    });
    agent.emit({
      type: 'agent-start',
      name: identity.name,
      agentType: definition.name,
      description: task.description,
      prompt: task.prompt,
      model: choice.model.id,
      modelRule: choice.rule,
      tools: tools.map(({ name }) => name),
      depth: identity.depth,
      call: context.call,
    });
    return agent;
  }

  async #conclude(agent: Agent, end: RunEnd, startedAt: number): Promise<ToolResult> {
    const { settings, loop, keep } = this.#dependencies;
    const limit = settings()['agents.maxReportChars'];
    const receipt = agent.receipt(loop().clock.now() - startedAt);
    const artifact = end.text.length > limit ? await keep(end.text) : undefined;
    const text = artifact === undefined ? end.text : headAndTail(end.text, limit, artifact);
    const { error, status } = end;
    agent.emit({ type: 'agent-end', status, report: text, receipt, ...(error !== undefined && { error }) });
    return {
      content: frameReport({ name: agent.identity.name, id: agent.identity.id, status, text, error, receipt }),
      summary: status,
      ...(status === 'failed' && { isError: true }),
      isBounded: true,
      ...(artifact !== undefined && { artifact }),
    };
  }

  #identify(parent: Agent, task: Delegation, definition: AgentDefinition): AgentIdentity {
    const wanted = slug(task.name ?? task.description) || slug(definition.name);
    let name = wanted;
    for (let number = 2; this.#names.has(name); number += 1) name = `${wanted}-${number}`;
    this.#names.add(name);
    const { id, depth } = parent.identity;
    return { id: randomBytes(3).toString('hex'), name, parent: id, depth: depth + 1, type: definition.name };
  }
}

function findDefinition(definitions: readonly AgentDefinition[], type: string): AgentDefinition {
  const found = definitions.find(({ name }) => name.toLowerCase() === type.toLowerCase());
  if (found) return found;
  const names = definitions.map(({ name }) => name).join(', ');
  throw new ToolError(`There is no agent type ${type}. There are: ${names}.`);
}

function taskPrompt({ prompt, thoroughness }: Delegation): string {
  return thoroughness ? `${prompt}\n\nThoroughness: ${thoroughness}.` : prompt;
}

/** Letters of any script, digits and hyphens, so that it fits into a frame and a branch name. */
function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40);
}
