import type { Workspace } from '../../host.ts';
import type { Agent } from '../../loop/agent.ts';
import type { Settings } from '../../settings.ts';
import type { Approve } from './approval.ts';
import { readApprovedHooks } from './approvedHooks.ts';
import { readHookConfiguration } from './configuration.ts';
import type { HookEventName } from './eventNames.ts';
import type { Hook, RegisteredHooks } from './hook.ts';

/** Which hooks hold now. */
export type HookSet = {
  /** Of everybody, then those of the agent's own file and of the files of the agents above it. Cheap when there are none. */
  of(event: HookEventName, agent: string): readonly Hook[];
  /** Reads settings and repository anew; asks about what is new in the repository. What holds then, holds for the turn. */
  refresh(agent: Agent, signal: AbortSignal): Promise<void>;
  /** @param own of the agent's file */
  adopt(agent: Agent, own: readonly Hook[]): void;
  agent(id: string): Agent | undefined;
};

export type HookSetParts = {
  readonly settings: () => Pick<Settings, 'hooks'>;
  readonly workspace: Workspace;
  readonly registered: RegisteredHooks;
  readonly approve: Approve;
};

const none: readonly Hook[] = [];

type Adopted = Map<string, { readonly agent: Agent; readonly own: readonly Hook[] }>;

export function createHookSet({ settings, workspace, registered, approve }: HookSetParts): HookSet {
  let shared: ReadonlyMap<HookEventName, readonly Hook[]> = new Map();
  const agents: Adopted = new Map();
  const told = new Set<string>();

  function tellOnce(agent: Agent, text: string): void {
    if (told.has(text)) return;
    told.add(text);
    agent.emit({ type: 'notice', level: 'warning', text });
  }

  return {
    of(event, agent) {
      const other = registered();
      const everybody = shared.get(event) ?? none;
      const own = ownOf(agents, agent, event);
      // The user's own come last: of two that rewrite, the last counts.
      const all =
        own.length === 0 && other.length === 0
          ? everybody
          : [...own, ...other.filter((hook) => hook.event === event), ...everybody];
      return all.length === 0 || workspace.isTrusted ? all : all.filter(isHeldUntrusted);
    },
    async refresh(agent, signal) {
      const own = readHookConfiguration(settings().hooks);
      for (const problem of own.problems) tellOnce(agent, `offshoot.hooks: ${problem}`);
      const user = own.hooks.map((hook): Hook => ({ ...hook, origin: 'settings' }));
      // While the user is asked, agents that work in the background keep what held before.
      if (shared.size === 0) shared = byEvent(user);
      const tell = (text: string) => tellOnce(agent, text);
      shared = byEvent([...(await readApprovedHooks({ agent, workspace, approve, tell }, signal)), ...user]);
    },
    adopt: (agent, own) => void agents.set(agent.identity.id, { agent, own }),
    agent: (id) => agents.get(id)?.agent,
  };
}

/** Of an agent's own file, and of the files of those above it. */
function ownOf(agents: Adopted, id: string, event: HookEventName): readonly Hook[] {
  const found: Hook[] = [];
  for (let next: string | null = id; next !== null; ) {
    const entry = agents.get(next);
    if (entry) found.push(...entry.own.filter((hook) => hook.event === event));
    next = entry?.agent.identity.parent ?? null;
  }
  return found;
}

function byEvent(hooks: readonly Hook[]): ReadonlyMap<HookEventName, readonly Hook[]> {
  return new Map(hooks.map(({ event }) => [event, hooks.filter((hook) => hook.event === event)]));
}

/** No command is started where the user does not trust the workspace. What guards calls stays: it fails, so that they are asked about. */
function isHeldUntrusted({ event, action }: Hook): boolean {
  return action.kind === 'handler' || event === 'PreToolUse';
}
