import type { Host, Prompts, Web } from '../host.ts';
import { noDiagnostics } from './diagnostics.ts';
import { createNodeFiles } from './files.ts';
import { createNodeGit } from './git.ts';
import { createSearch } from './search.ts';
import { createNodeShell } from './shell.ts';
import { createNodeWeb } from './web.ts';
import { createNodeWorktrees } from './worktrees.ts';

/** The agent's host without an editor. */
export function createNodeHost(parts: {
  readonly prompts: Prompts;
  readonly ripgrep?: readonly string[];
  readonly web?: Web;
  /** Whether a program may be started; left out: always. */
  readonly mayStart?: () => boolean;
}): Host {
  return {
    files: createNodeFiles(),
    shell: createNodeShell(),
    search: createSearch({ ripgrep: parts.ripgrep ?? [], ...(parts.mayStart && { mayStart: parts.mayStart }) }),
    diagnostics: noDiagnostics,
    prompts: parts.prompts,
    git: createNodeGit(),
    worktrees: createNodeWorktrees(),
    web: parts.web ?? createNodeWeb(),
  };
}
