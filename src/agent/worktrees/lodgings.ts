import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import type { Ground } from '../gate/places/ground.ts';
import type { Workspace, WorktreeBase, Worktrees } from '../host.ts';
import type { AgentIdentity } from '../loop/agent.ts';
import { ToolError } from '../tools/toolError.ts';
import { isWithin } from './isWithin.ts';
import { Lodging } from './lodging.ts';
import { createWorktreeRecords, isInUse, type WorktreeRecord, worktreeFolder } from './record.ts';

/** What a worktree will be made from: known before its agent is. */
export type PlannedIsolation = {
  readonly base: WorktreeBase;
  readonly isCarried: boolean;
  /** Folders of the workspace that lie in the checkout; the first is where commands run. */
  readonly roots: readonly string[];
  /** Where worktrees lie; real, so that paths in them are. */
  readonly storage: string;
};

export type LodgingsParts = {
  readonly worktrees: Worktrees;
  readonly workspace: Workspace;
  readonly session: string;
  readonly stateDirectory: string;
  readonly isCarried: () => boolean;
  readonly now: () => number;
  /** As that of a lodging. */
  readonly others: (identity: AgentIdentity, path: string) => Promise<unknown> | undefined;
};

/** Worktrees for agents that are to work in one of their own. */
export class Lodgings {
  readonly #parts: LodgingsParts;
  readonly #reserved = new Set<string>();

  constructor(parts: LodgingsParts) {
    this.#parts = parts;
  }

  /** @throws ToolError where there can be none */
  async plan(parent: Ground | undefined, signal: AbortSignal): Promise<PlannedIsolation> {
    const workspace = parent?.workspace ?? this.#parts.workspace;
    const [root = ''] = workspace.roots;
    const advice = 'Leave isolation out, or use another type.';
    if (!workspace.isTrusted)
      throw new ToolError(`There are no worktrees in a workspace that is not trusted. ${advice}`);
    const base = await this.#parts.worktrees.base(root, signal);
    if (!base)
      throw new ToolError(`A worktree needs a git repository with a commit, and ${root} is in none. ${advice}`);
    const roots = workspace.roots.filter((folder) => isWithin(base.top, folder));
    const { stateDirectory } = this.#parts;
    const storage = await realpath(stateDirectory).catch(() => stateDirectory);
    return { base, isCarried: this.#parts.isCarried(), roots, storage };
  }

  /** What it would be called if it was made now. */
  name({ base, storage }: PlannedIsolation, name: string): { readonly branch: string; readonly path: string } {
    const key = createHash('sha256').update(base.top).digest('hex').slice(0, 8);
    const folder = `${basename(base.top).replace(/[^\p{L}\p{N}_.-]+/gu, '-')}-${key}`;
    return { branch: `offshoot/${name}`, path: join(worktreeFolder(storage), folder, name) };
  }

  /** @param earlier of an agent that goes on: its worktree, where that is still there */
  async reserve(...given: Parameters<Lodgings['preview']>): Promise<Lodging> {
    const lodging = await this.preview(...given);
    this.#reserved.add(lodging.place.path);
    return lodging;
  }

  /** As `reserve`, but another one may get the same. */
  async preview(
    planned: PlannedIsolation,
    identity: AgentIdentity,
    description: string,
    earlier: WorktreeRecord | undefined,
    signal: AbortSignal,
  ): Promise<Lodging> {
    const { worktrees, session, now, others } = this.#parts;
    const { base, isCarried } = planned;
    const records = createWorktreeRecords(planned.storage);
    const record = earlier ?? {
      session,
      agent: identity.id,
      name: identity.name,
      description,
      main: base.top,
      ...(await this.#freeName(planned, identity.name, signal)),
      base: base.commit,
      createdAt: now(),
      process: process.pid,
      state: 'active' as const,
    };
    const copies = planned.roots.map((of) => ({ of, at: join(record.path, relative(base.top, of)) }));
    return new Lodging({
      worktrees,
      records,
      record,
      base,
      isCarried,
      isThere: earlier !== undefined,
      copies,
      others: (one) => others(one, record.path),
    });
  }

  /** The worktree that an agent of this session has left; undefined when there is none any more. */
  async find(agent: string): Promise<WorktreeRecord | undefined> {
    const records = await createWorktreeRecords(this.#parts.stateDirectory).list();
    const { session } = this.#parts;
    return records.find((record) => record.agent === agent && record.session === session && !isInUse(record));
  }

  async #freeName(planned: PlannedIsolation, wanted: string, signal: AbortSignal) {
    const { worktrees } = this.#parts;
    for (let number = 1; ; number += 1) {
      const name = this.name(planned, number === 1 ? wanted : `${wanted}-${number}`);
      if (this.#reserved.has(name.path) || (await worktrees.isTaken({ ...name, main: planned.base.top }, signal)))
        continue;
      return name;
    }
  }
}
