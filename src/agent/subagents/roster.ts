import { randomBytes } from 'node:crypto';
import type { Agent, AgentIdentity } from '../loop/agent.ts';
import type { Delegation } from '../tools/agent.ts';
import type { ToolResult } from '../tools/tool.ts';
import type { SpawnPlan } from './plan.ts';

/** A delegation as it lives, and after its end until the session ends. */
export type Delegated = {
  readonly agent: Agent;
  readonly parent: Agent;
  readonly task: Delegation;
  readonly plan: SpawnPlan;
  /** The call that asked for it. */
  readonly call: string;
  readonly controller: AbortController;
  /** Its framed report; never rejects. */
  readonly ended: Promise<ToolResult>;
  /** Resolves when it goes on in the background. */
  readonly detached: Promise<void>;
  readonly detach: () => void;
  /** Set at its end. */
  result: ToolResult | undefined;
  isBackground: boolean;
  /** Its report has reached the agent that delegated. */
  isDelivered: boolean;
  /** Everything was stopped by the user: its end is no reason to wake anybody. */
  isQuiet: boolean;
};

/** Who works in a session, and who has. Ids and names are unique in it. */
export class Roster {
  readonly #delegated = new Map<string, Delegated>();
  readonly #names: Set<string>;

  constructor(takenNames: readonly string[]) {
    this.#names = new Set(takenNames);
  }

  add(delegated: Delegated): void {
    this.#delegated.set(delegated.agent.identity.id, delegated);
  }

  /** @param idOrName of an agent of this session, at work or not */
  find(idOrName: string): Delegated | undefined {
    const byId = this.#delegated.get(idOrName);
    if (byId) return byId;
    return [...this.#delegated.values()].findLast(({ agent }) => agent.identity.name === idOrName);
  }

  get working(): readonly Delegated[] {
    return [...this.#delegated.values()].filter(({ result }) => result === undefined);
  }

  identify(parent: AgentIdentity, task: Delegation, type: string): AgentIdentity {
    const identity = this.suggest(parent, task, type);
    this.#names.add(identity.name);
    return identity;
  }

  /** The next one, which is not taken by this. */
  suggest(parent: AgentIdentity, task: Delegation, type: string): AgentIdentity {
    const wanted = slug(task.name ?? task.description) || slug(type);
    let name = wanted;
    for (let number = 2; this.#names.has(name); number += 1) name = `${wanted}-${number}`;
    return { id: randomBytes(3).toString('hex'), name, parent: parent.id, depth: parent.depth + 1, type };
  }
}

/** Letters of any script, digits and hyphens, so that it fits into a frame and a branch name. */
function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40);
}
