import type { Agent } from '../loop/agent.ts';
import type { LoopDependencies } from '../loop/run.ts';
import type { Settings } from '../settings.ts';
import type { Delegation } from '../tools/agent.ts';
import type { ToolResult } from '../tools/tool.ts';
import type { Lodging } from '../worktrees/lodging.ts';
import type { Places } from './places.ts';
import { type CallForAgent, runAccepted } from './reports/acceptance.ts';
import { conclude } from './reports/conclude.ts';
import { lookingAfter, type ReportCache, type Work } from './reports/reportCache.ts';
import type { SpawnPlan } from './spawn/plan.ts';

export type PlannedRun = {
  readonly agent: Agent;
  readonly task: Delegation;
  readonly plan: SpawnPlan;
  readonly lodging: Lodging | undefined;
  /** Shared with those of the same key; undefined: its own. */
  readonly key: string | undefined;
};

export type RunSurroundings = {
  readonly settings: () => Settings;
  readonly loop: () => LoopDependencies;
  readonly keep: (text: string) => Promise<string>;
  readonly callFor: CallForAgent;
  readonly tellLead: (note: string, isQuiet: boolean) => void;
  readonly places: Places;
  readonly reports: ReportCache;
};

/** Waits for a place, runs the agent where it is to work, and frames its report. Never rejects. */
export async function runToEnd(
  { agent, task, plan, lodging, key }: PlannedRun,
  { settings, loop, keep, callFor, tellLead, places, reports }: RunSurroundings,
  signal: AbortSignal,
): Promise<ToolResult> {
  const { clock } = loop();
  const startedAt = clock.now();
  if (places.areTaken) agent.emit({ type: 'agent-status', activity: 'queued' });
  const work: Work = (wanted, mayLook) => {
    const run = () => runAccepted(agent, task.acceptance, lookingAfter(mayLook, loop()), callFor, wanted);
    const lodged = () => (lodging ? lodging.around(agent, wanted, run) : run());
    return places.run(lodged, task.priority ?? 'normal', wanted);
  };
  const end = await reports.endOf(key, agent, work, signal);
  // Whoever wrote too late for this agent is heard by the lead.
  for (const note of agent.controls.takeNotes()) tellLead(note, true);
  return await conclude(agent, end, {
    durationMs: clock.now() - startedAt,
    maxReportChars: settings()['agents.maxReportChars'],
    notes: plan.notes,
    kept: lodging?.kept(),
    keep,
  });
}
