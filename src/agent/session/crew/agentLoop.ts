import type { Gate } from '../../gate/gate.ts';
import type { Hooks } from '../../gate/hooks/hooks.ts';
import type { PathResolver } from '../../gate/places/paths.ts';
import { type CallSurroundings, executeCall, executeForAgent } from '../../loop/call.ts';
import type { LoopDependencies } from '../../loop/run.ts';
import type { ModelCatalog } from '../../model/catalog.ts';
import type { Artifacts } from '../../store/artifacts.ts';
import type { CallForAgent } from '../../subagents/reports/acceptance.ts';
import type { EventLog } from '../record/eventLog.ts';
import type { SessionDependencies } from '../session.ts';
import type { ChangeWatches } from './changeWatch.ts';
import { durableProvider } from './durableProvider.ts';
import { adviseOnModel } from './leadModel.ts';
import { askForMore, createToolContext } from './toolContext.ts';

type LoopParts = Pick<SessionDependencies, 'host' | 'workspace' | 'provider' | 'clock' | 'settings'> & {
  readonly catalog: ModelCatalog;
  readonly artifacts: Artifacts;
  readonly events: EventLog;
  readonly gate: Gate;
  readonly hooks: Hooks;
  readonly paths: PathResolver;
  readonly changes: ChangeWatches;
};

/** What every agent of a session runs on. */
export type AgentLoop = {
  /** With the settings of now. @param roster says what an agent is told of those it has started */
  dependencies(roster: LoopDependencies['roster']): LoopDependencies;
  /** One call that the harness makes for an agent: it passes the gate like a call of the model's. */
  readonly callFor: CallForAgent;
};

export function createAgentLoop(parts: LoopParts): AgentLoop {
  const { host, provider, clock, settings, catalog, events } = parts;
  const { beforeStart, beforeEnd, refusesCompaction } = parts.hooks.agents;
  const surroundings = surroundingsOf(parts);
  return {
    dependencies: (roster) => ({
      provider: durableProvider(provider, () => events.written()),
      clock,
      random: Math.random,
      stallMs: settings()['agents.stallSeconds'] * 1000,
      compactAt: settings()['context.compactAt'],
      roster,
      keep: (text) => surroundings.keep(text),
      advise: (error, signal) => adviseOnModel(error, catalog, signal),
      askForMore: (agent, limit, signal) => askForMore(host, agent, limit, signal),
      beforeStart,
      beforeEnd,
      refusesCompaction,
      execute: (agent) => (call, signal) => executeCall(agent, call, surroundings, signal),
    }),
    callFor: (agent, block, signal) => executeForAgent(agent, block, surroundings, signal),
  };
}

/** What surrounds every tool call. */
function surroundingsOf(parts: LoopParts): CallSurroundings {
  const { clock, events, artifacts, gate, hooks, changes } = parts;
  return {
    gate,
    hooks: hooks.calls,
    now: () => clock.now(),
    contextFor: (agent, call, grant, signal) => {
      const shared = { ...parts, onWrite: changes.of(agent).onWrite };
      return createToolContext(shared, agent, call, grant, signal);
    },
    durable: () => events.durable(),
    keep: (text) => artifacts.write(text, 'txt'),
    async observe(agent, run) {
      await agent.ground?.worktree?.check();
      return changes.of(agent).observe(agent, run);
    },
  };
}
