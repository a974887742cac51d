import { createHash } from 'node:crypto';
import type { Agent } from '../../loop/agent.ts';
import { canonicalJson } from '../../loop/canonical.ts';
import { whyStopped } from '../../loop/endings.ts';
import type { EndStatus } from '../../loop/events.ts';
import type { LoopDependencies, RunEnd } from '../../loop/run.ts';
import { unlessAborted } from '../../loop/unlessAborted.ts';
import type { Delegation } from '../../tools/agent.ts';
import type { Tool } from '../../tools/tool.ts';
import type { SpawnPlan } from '../spawn/plan.ts';
import type { AcceptanceVerdict, AcceptedEnd } from './acceptance.ts';
import { readInTurns } from './readInTurns.ts';

/** Tools whose results depend on the workspace alone. */
const lookingTools = new Set(['Read', 'Glob', 'Grep', 'Diagnostics', 'Symbols', 'Definition', 'References']);
const maxReports = 200;

/** How a delegation ended, by its own run or by that of another. */
export type DelegationEnd = Omit<RunEnd, 'status'> & {
  readonly status: EndStatus;
  /** Where the report is from, when the agent did not run itself. */
  readonly source?: string;
  /** Of the command that the result had to pass, if there was one. */
  readonly acceptance?: AcceptanceVerdict;
};

export type ReportCacheDependencies = {
  /** One text for all that the workspace holds; undefined when that cannot be told. */
  readonly state: (signal: AbortSignal) => Promise<string | undefined>;
  /** Of one file as an agent reads it, also of one that the state does not cover. */
  readonly versionOf: (path: string, signal: AbortSignal) => Promise<string | undefined>;
};

/**
 * Runs the agent. The signal aborts once nobody waits for the report any more; calls wait for `mayLook`, so that the state of
 * the workspace is known from before the first of them.
 */
export type Work = (signal: AbortSignal, mayLook: Promise<unknown>) => Promise<AcceptedEnd>;

type SharedRun = {
  readonly agent: Agent;
  readonly before: Promise<string | undefined>;
  readonly end: Promise<AcceptedEnd>;
  readonly controller: AbortController;
  /** The signals of those who wait for it. */
  readonly wanted: Set<AbortSignal>;
  /** Set at its end: resolves when it is known whether the report is kept. */
  settled: Promise<void> | undefined;
};

type KeptReport = {
  readonly name: string;
  readonly text: string;
  readonly state: string;
  /** What was read, as it was. */
  readonly files: ReadonlyMap<string, string | undefined>;
};

const stateTimeoutMs = 15_000;
/** Where the state takes longer than this, agents do not wait for it, and reports are not kept. */
const mostDelayMs = 1000;

/**
 * What makes two delegations the same, but for the state of the workspace; undefined for one that is never shared: it changes
 * something, sees a conversation, or asks what no state covers.
 */
export function reportKey(task: Delegation, plan: SpawnPlan): string | undefined {
  if (task.resume !== undefined || task.context === 'fork' || plan.isolation !== undefined) return undefined;
  // What it asks elsewhere is asked by one for all; only its report is not kept.
  const isShareable = ({ name, effect }: Tool) => effect === 'send' || (effect === 'read' && lookingTools.has(name));
  if (!plan.tools.every(isShareable)) return undefined;
  const { definition, model, system, prompt, tools, maxSteps, budget } = plan;
  const parts = [definition, model.id, system, prompt, tools.map(({ name }) => name), maxSteps, budget];
  return createHash('sha256').update(canonicalJson(parts)).digest('base64');
}

/**
 * Delegations that are the same are done once: while one runs, others wait for its report; later ones get it again as long as
 * nothing in the workspace has changed.
 */
export class ReportCache {
  readonly #dependencies: ReportCacheDependencies;
  readonly #state: () => Promise<string | undefined>;
  readonly #running = new Map<string, SharedRun>();
  readonly #kept = new Map<string, KeptReport>();

  constructor(dependencies: ReportCacheDependencies) {
    this.#dependencies = dependencies;
    // A state that cannot be read is as good as one that cannot be told.
    this.#state = readInTurns(() => dependencies.state(AbortSignal.timeout(stateTimeoutMs)).catch(() => undefined));
  }

  /** The end of a delegation. `work` is run when there is no report to be had otherwise. */
  async endOf(key: string | undefined, agent: Agent, work: Work, signal: AbortSignal): Promise<DelegationEnd> {
    if (key === undefined) return work(signal, Promise.resolve());
    while (!signal.aborted) {
      const running = this.#running.get(key);
      if (running?.settled !== undefined) {
        await unlessAborted(running.settled, signal);
        continue;
      }
      const kept = this.#kept.get(key);
      // The first of its kind does not wait for the state.
      if (!running && !kept) return this.#run(key, agent, work, signal);
      // It must not end for want of interest while the state is looked at.
      const leave = running && want(running, signal);
      const state = await unlessAborted(this.#state(), signal);
      if (running && (await unlessAborted(running.before, signal)) === state && isShareable(running, state)) {
        return this.#join(running, agent, signal);
      }
      leave?.();
      if (kept && kept.state === state && (await this.#isUnchanged(kept, signal))) return this.#repeat(kept, agent);
      // Another may have begun meanwhile.
      if (this.#running.get(key) === running && !signal.aborted) return this.#run(key, agent, work, signal);
    }
    return stopped(signal);
  }

  async #run(key: string, agent: Agent, work: Work, signal: AbortSignal): Promise<AcceptedEnd> {
    const controller = new AbortController();
    // A state that came after the first look at the workspace says nothing about what was seen.
    const before = this.#state().then((state) => (agent.receipt(0).calls === 0 ? state : undefined));
    const mayLook = Promise.race([before, after(mostDelayMs)]);
    const end = work(controller.signal, mayLook);
    const run: SharedRun = { agent, before, end, controller, wanted: new Set(), settled: undefined };
    this.#running.set(key, run);
    want(run, signal);
    const result = await end;
    run.settled = this.#keep(key, run, result).finally(() => {
      if (this.#running.get(key) === run) this.#running.delete(key);
    });
    return signal.aborted && result.status !== 'stopped' ? stopped(signal, result.text) : result;
  }

  async #join(run: SharedRun, agent: Agent, signal: AbortSignal): Promise<DelegationEnd> {
    agent.emit({ type: 'agent-status', activity: 'waiting_agents', detail: '1' });
    const end = await unlessAborted(run.end, signal);
    run.wanted.delete(signal);
    if (!end) return stopped(signal);
    takeOver(agent, end.text);
    return { ...end, source: `The report of ${run.agent.identity.name}, which had the same task.` };
  }

  #repeat({ name, text }: KeptReport, agent: Agent): DelegationEnd {
    takeOver(agent, text);
    return { status: 'cached', text, source: `The report of ${name}: nothing has changed since.` };
  }

  /** Keeps a report whose workspace stood still while it was made. */
  async #keep(key: string, run: SharedRun, end: RunEnd): Promise<void> {
    const { agent } = run;
    if (end.status !== 'completed' || wasSteered(agent) || hasAskedElsewhere(agent)) return;
    const [before, after] = await Promise.all([run.before, this.#state()]);
    if (before === undefined || before !== after) return;
    const files = new Map<string, string | undefined>();
    for (const path of agent.receipt(0).filesRead) {
      files.set(path, agent.reads.versionOf(path) ?? (await this.#versionOf(path)));
    }
    this.#kept.delete(key);
    this.#kept.set(key, { name: agent.identity.name, text: end.text, state: after, files });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > maxReports && oldest !== undefined) this.#kept.delete(oldest);
  }

  async #isUnchanged({ files }: KeptReport, signal: AbortSignal): Promise<boolean> {
    for (const [path, version] of files) {
      if (signal.aborted || (await this.#versionOf(path)) !== version) return false;
    }
    return true;
  }

  #versionOf(path: string): Promise<string | undefined> {
    return this.#dependencies.versionOf(path, AbortSignal.timeout(stateTimeoutMs)).catch(() => undefined);
  }
}

function stopped(signal: AbortSignal, text = ''): RunEnd {
  return { status: 'stopped', text, ...whyStopped(signal) };
}

function isShareable(run: SharedRun, state: string | undefined): boolean {
  return state !== undefined && !run.controller.signal.aborted && !wasSteered(run.agent);
}

/** Who stops waiting does not stop the run for the others. */
function want(run: SharedRun, signal: AbortSignal): () => void {
  run.wanted.add(signal);
  const leave = () => {
    run.wanted.delete(signal);
    if (run.wanted.size === 0) run.controller.abort(signal.reason);
  };
  signal.addEventListener('abort', leave, { once: true });
  const settle = () => signal.removeEventListener('abort', leave);
  void run.end.then(settle, settle);
  if (signal.aborted) leave();
  return leave;
}

/** The report stands in the history of the agent that did not make it, so that it can be resumed. */
function takeOver(agent: Agent, text: string): void {
  if (text.trim() !== '') agent.append({ role: 'assistant', content: [{ type: 'text', text }] });
}

/** Somebody has told it more than its task. */
function wasSteered({ history, controls }: Agent): boolean {
  const prompts = history.filter(({ role, content }) => role === 'user' && content.some(({ type }) => type === 'text'));
  return controls.hasNotes || prompts.length > 1;
}

/** What others answer may be another answer tomorrow, and no state of the workspace tells. */
function hasAskedElsewhere({ history, tools }: Agent): boolean {
  const senders = new Set(tools.filter(({ effect }) => effect === 'send').map(({ name }) => name));
  return history.some(({ content }) => content.some((block) => block.type === 'tool_use' && senders.has(block.name)));
}

/** The same loop, with calls that wait. */
export function lookingAfter(mayLook: Promise<unknown>, loop: LoopDependencies): LoopDependencies {
  return {
    ...loop,
    execute: (agent) => {
      const execute = loop.execute(agent);
      return async (call, signal) => {
        await mayLook;
        return execute(call, signal);
      };
    },
  };
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
