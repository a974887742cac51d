import type { Host, Workspace } from '../../host.ts';
import type { Agent } from '../../loop/agent.ts';
import type { Mode, Settings } from '../../settings.ts';
import type { Broker } from '../asking/broker.ts';
import { type AgentHooks, createAgentHooks } from './agentHooks.ts';
import { type ApprovalMemory, createApproval } from './approval.ts';
import { type CallHooks, createCallHooks, type FireFor, type Notify } from './callHooks.ts';
import type { HookEventName } from './eventNames.ts';
import { type FireParts, fire, refusalOf } from './firing/fire.ts';
import { createMatcher } from './firing/matcher.ts';
import { type HookInput, type RegisteredHooks, toHookUsage } from './hook.ts';
import { createHookSet } from './hookSet.ts';

/** Everything that is hooked in a session, for the lead and for agents at any depth. */
export type Hooks = {
  readonly calls: CallHooks;
  readonly agents: AgentHooks;
  /** Tells that the user's attention is wanted; nobody waits for it. @param agent its id */
  notify(agent: string, kind: string, message: string): void;
  /** For what other parts make happen. @returns why hooks block it, if they do */
  announce(
    event: HookEventName,
    agent: Agent,
    fields: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<string | undefined>;
  /** Ends what runs for notifications. */
  close(): void;
};

export type HooksSetup = {
  readonly session: string;
  readonly host: Pick<Host, 'shell'>;
  readonly broker: Pick<Broker, 'ask' | 'answers'>;
  readonly workspace: Workspace;
  readonly settings: () => Pick<Settings, 'hooks'>;
  readonly mode: () => Mode;
  readonly memory: ApprovalMemory;
  /** Of other extensions. */
  readonly registered: RegisteredHooks;
  readonly isResumed: boolean;
  readonly now: () => number;
};

export function createHooks(setup: HooksSetup): Hooks {
  const { host, workspace, mode } = setup;
  const directory = workspace.roots[0] ?? '';
  const told = new Set<string>();
  const isNews = (text: string) => {
    const before = told.size;
    return told.add(text).size > before;
  };
  const parts: FireParts = { matcher: createMatcher(), shell: host.shell, directory, now: setup.now, isNews };
  const closing = new AbortController();

  function inputOf(event: HookEventName, agent: Agent, fields: Readonly<Record<string, unknown>>): HookInput {
    const { id, name, type, parent, depth } = agent.identity;
    return {
      session_id: setup.session,
      cwd: agent.ground?.workspace.roots[0] ?? directory,
      hook_event_name: event,
      agent_id: id,
      agent_name: name,
      agent_type: type,
      parent_agent_id: parent,
      agent_depth: depth,
      permission_mode: agent.modeWithin(mode()),
      usage: toHookUsage(agent.meter.usage, agent.meter.cost),
      ...fields,
    };
  }

  const fireFor: FireFor = (event, agent, { subjects = [], call, fields }, signal) => {
    const hooks = set.of(event, agent.identity.id);
    if (hooks.length === 0) return undefined;
    const input = inputOf(event, agent, fields);
    return fire(hooks, { input, subjects, emit: agent.emit, ...(call !== undefined && { call }) }, parts, signal);
  };

  const notify: Notify = (agent, kind, message) => {
    const about = { subjects: [kind], fields: { message, notification_type: kind } };
    void fireFor('Notification', agent, about, closing.signal);
  };
  const approve = createApproval({ ...setup, notify });
  const set = createHookSet({ ...setup, approve });

  return {
    calls: createCallHooks(fireFor, notify),
    agents: createAgentHooks({ ...setup, set, fireFor, approve, directory, beginTurn: () => told.clear() }),
    notify(id, kind, message) {
      const agent = set.agent(id);
      if (agent) notify(agent, kind, message);
    },
    async announce(event, agent, fields, signal) {
      const fired = await fireFor(event, agent, { fields }, signal);
      return refusalOf(fired);
    },
    close: () => closing.abort(),
  };
}
