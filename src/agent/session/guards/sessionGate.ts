import { createGate, type Gate } from '../../gate/gate.ts';
import type { CallHooks } from '../../gate/hooks/callHooks.ts';
import type { PathResolver } from '../../gate/places/paths.ts';
import { createRuleSources } from '../../gate/rules/sources.ts';
import type { Mode } from '../../settings.ts';
import { createRememberedRules, type RememberedRules } from '../../store/remembered.ts';
import { leadSource } from '../lead.ts';
import type { EventLog } from '../record/eventLog.ts';
import type { SessionDependencies } from '../session.ts';

type GateParts = Pick<SessionDependencies, 'broker' | 'workspace' | 'settings' | 'stateDirectory' | 'configured'> & {
  readonly id: string;
  readonly events: EventLog;
  readonly hooks: CallHooks;
};

/** The one gate that every agent of a session passes. */
export function createSessionGate(parts: GateParts, paths: PathResolver, mode: () => Mode): Gate {
  const { id, broker, workspace, settings, stateDirectory, configured = [], events, hooks } = parts;
  const tell = (text: string) => events.emit(leadSource, { type: 'notice', level: 'warning', text });
  const memory = createRememberedRules(stateDirectory, workspace.roots[0] ?? '', tell);
  const add: RememberedRules['add'] = async (rule) => {
    try {
      await memory.add(rule);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      tell(`What you allowed for longer could not be kept (${reason}). It will be asked again.`);
      throw error;
    }
  };
  const sources = createRuleSources({ settings, workspace, memory: { ...memory, add }, tell });
  return createGate({ session: id, mode, workspace, paths, broker, sources, hooks, stateDirectory, configured });
}
