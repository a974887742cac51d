/** Several runs in one: medians, spreads, ratios of the best to the bare loop's best. */
import type { RunFigures, Sizes } from './figures.ts';
import { type CallKind, type ScenarioName, scenarios } from './scenarios.ts';
import { groupBy, median } from './statistics.ts';

export type Spread = { readonly median: number; readonly min: number; readonly max: number };
export const timings = ['step', 'wall', 'start', 'cpu', 'memory'] as const;
export type Timing = (typeof timings)[number];

export type AgentSummary = {
  readonly runs: number;
  /** Milliseconds, or megabytes for memory. */
  readonly step: Spread;
  readonly wall: Spread;
  readonly start: Spread;
  readonly cpu: Spread | undefined;
  readonly memory: Spread | undefined;
  readonly byCall: Readonly<Partial<Record<CallKind, number>>>;
  readonly delegate: Spread | undefined;
  readonly return: Spread | undefined;
  readonly atOnce: number;
  readonly startedEarly: number;
  readonly sizes: Sizes;
};

export type Cell = {
  readonly scenario: ScenarioName;
  readonly size: number;
  /** Processors that others kept busy meanwhile. */
  readonly noise: Spread;
  readonly ours: AgentSummary;
  readonly bare: AgentSummary;
  readonly ratios: Readonly<Partial<Record<Timing, number>>>;
};

/** One run of each. */
export type Round = { readonly ours: RunFigures; readonly bare: RunFigures; readonly noise: number };

export function summarise(scenario: ScenarioName, size: number, rounds: readonly Round[]): Cell {
  const runs = { ours: rounds.map(({ ours }) => ours), bare: rounds.map(({ bare }) => bare) };
  const [ours, bare] = [summariseAgent(runs.ours), summariseAgent(runs.bare)];
  // What others do on the machine only adds, so the best run of each is nearest to what it costs.
  const ratio = (of: (agent: AgentSummary) => Spread | undefined) =>
    (of(ours)?.min ?? Number.NaN) / (of(bare)?.min ?? Number.NaN);
  const ratios: Record<Timing, number> = {
    step: bestGap(runs.ours) / bestGap(runs.bare),
    wall: ratio(({ wall }) => wall),
    start: ratio(({ start }) => start),
    cpu: ratio(({ cpu }) => cpu),
    memory: ratio(({ memory }) => memory),
  };
  // One step says nothing about steps.
  const isMeasured = scenarios[scenario].steps > 1;
  const known = Object.entries(ratios).filter(([, value]) => isMeasured && Number.isFinite(value));
  return {
    scenario,
    size,
    noise: spreadOf(rounds.map(({ noise }) => noise)),
    ours,
    bare,
    ratios: Object.fromEntries(known),
  };
}

function summariseAgent(runs: readonly RunFigures[]): AgentSummary {
  const [first] = runs;
  if (!first) throw new Error('there are no runs');
  const optional = (of: (run: RunFigures) => number | undefined) => {
    const values = runs.flatMap((run) => of(run) ?? []);
    return values.length > 0 ? spreadOf(values) : undefined;
  };
  const kinds = groupBy(
    runs.flatMap(({ gaps }) => gaps),
    ({ call }) => call,
  );
  return {
    runs: runs.length,
    step: spreadOf(runs.map(({ gaps }) => median(gaps.map(({ ms }) => ms)))),
    wall: spreadOf(runs.map(({ wallMs }) => wallMs)),
    start: spreadOf(runs.map(({ startMs }) => startMs)),
    cpu: optional(({ cpuMs }) => cpuMs),
    memory: optional(({ peakMb }) => peakMb),
    byCall: Object.fromEntries([...kinds].map(([call, gaps]) => [call, median(gaps.map(({ ms }) => ms))])),
    delegate: optional(({ delegateMs }) => delegateMs),
    return: optional(({ returnMs }) => returnMs),
    atOnce: Math.max(...runs.map(({ atOnce }) => atOnce)),
    startedEarly: Math.max(...runs.map(({ startedEarly }) => startedEarly)),
    sizes: first.sizes,
  };
}

function spreadOf(values: readonly number[]): Spread {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}

/** The mean of all steps, each as in the run in which it was quickest: every kind of step counts, no stray moment does. */
function bestGap(runs: readonly RunFigures[]): number {
  const steps = groupBy(
    runs.flatMap(({ gaps }) => gaps),
    ({ agent, step }) => `${agent} ${step}`,
  );
  const best = [...steps.values()].map((gaps) => Math.min(...gaps.map(({ ms }) => ms)));
  return best.reduce((sum, ms) => sum + ms, 0) / best.length;
}
