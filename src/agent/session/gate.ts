import { createGate, type Gate } from '../gate/gate.ts';
import type { PathResolver } from '../gate/paths.ts';
import { createRuleSources } from '../gate/sources.ts';
import type { Mode } from '../settings.ts';
import { createRememberedRules } from '../store/remembered.ts';
import type { EventLog } from './log.ts';
import type { SessionDependencies } from './session.ts';

type GateParts = Pick<SessionDependencies, 'host' | 'workspace' | 'settings' | 'stateDirectory'> & {
  readonly events: EventLog;
};

/** The one gate that every agent of a session passes. */
export function createSessionGate(parts: GateParts, paths: PathResolver, mode: () => Mode): Gate {
  const { host, workspace, settings, stateDirectory, events } = parts;
  const tell = (text: string) =>
    events.emit({ agent: 'lead', parent: null }, { type: 'notice', level: 'warning', text });
  const memory = createRememberedRules(stateDirectory, workspace.roots[0] ?? '', tell);
  const sources = createRuleSources({ settings, workspace, memory, tell });
  return createGate({ mode, workspace, paths, prompts: host.prompts, sources, stateDirectory });
}
