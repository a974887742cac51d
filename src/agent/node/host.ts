import type { Host, Prompts } from '../host.ts';
import { noDiagnostics } from './diagnostics.ts';
import { createNodeFiles } from './files.ts';
import { createNodeGit } from './git.ts';
import { createSearch } from './search.ts';
import { createNodeShell } from './shell.ts';

/** The agent's host without an editor. */
export function createNodeHost(parts: { readonly prompts: Prompts; readonly ripgrep?: readonly string[] }): Host {
  return {
    files: createNodeFiles(),
    shell: createNodeShell(),
    search: createSearch({ ripgrep: parts.ripgrep ?? [] }),
    diagnostics: noDiagnostics,
    prompts: parts.prompts,
    git: createNodeGit(),
  };
}
