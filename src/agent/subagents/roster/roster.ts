import { randomBytes } from 'node:crypto';
import type { AgentIdentity } from '../../loop/agent.ts';
import type { Delegation } from '../../tools/agent.ts';
import type { Delegated } from './delegated.ts';

/** Who works in a session, and who has. Ids and names are unique in it. */
export class Roster {
  readonly #delegated = new Map<string, Delegated>();
  readonly #names: Set<string>;
  /** Of agents that ended and are about to go on. */
  readonly #returning = new Set<string>();

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

  /** @returns ends the claim; undefined when the agent is at work, or somebody else lets it go on already */
  claim(id: string): (() => void) | undefined {
    const living = this.#delegated.get(id);
    if (this.#returning.has(id) || (living && !living.result)) return undefined;
    this.#returning.add(id);
    return () => this.#returning.delete(id);
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
