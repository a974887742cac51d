import type { Usage } from '../../model/provider.ts';

/** Facts that the harness attaches to a report: what really happened, not what the model says happened. */
export type Receipt = {
  readonly calls: number;
  readonly steps: number;
  readonly filesRead: readonly string[];
  readonly filesChanged: readonly string[];
  readonly commands: readonly { readonly command: string; readonly exitCode: number | undefined }[];
  readonly usage: Usage;
  /** US dollars; undefined when the model's price is not known. */
  readonly cost: number | undefined;
  readonly durationMs: number;
  /** What it left in a worktree of its own. */
  readonly worktree?: WorktreeFacts;
};

/** What an agent left in a worktree of its own. */
export type WorktreeFacts = {
  readonly branch: string;
  readonly path: string;
  readonly base: string;
  /** Changed there, relative to it. */
  readonly files: readonly string[];
  /** Behind the base. */
  readonly commits: number;
};
