import * as vscode from 'vscode';
import {
  createNodeGit,
  createNodeShell,
  createNodeWeb,
  createNodeWorktrees,
  createSearch,
  type Host,
  ripgrepCandidates,
} from '../../agent/index.ts';
import type { Permissions } from '../asking/permissions.ts';
import type { Questions } from '../asking/questions.ts';
import type { Reviews } from '../review/review.ts';
import { addByEditor } from '../worktrees/addByEditor.ts';
import { createEditorDiagnostics } from './diagnostics.ts';
import { createEditorFiles } from './files.ts';
import { findEditorGit } from './git.ts';

/** The agent's host inside the editor. */
export function createEditorHost(asks: {
  readonly permissions: Permissions;
  readonly reviews: Reviews;
  readonly questions: Questions;
}): Host {
  return {
    files: createEditorFiles(),
    shell: createNodeShell(),
    search: createSearch({
      ripgrep: [...ripgrepCandidates(vscode.env.appRoot)],
      mayStart: () => vscode.workspace.isTrusted,
    }),
    diagnostics: createEditorDiagnostics(),
    prompts: {
      permission: asks.permissions.ask,
      review: asks.reviews.review,
      question: asks.questions.ask,
    },
    git: createNodeGit({ find: findEditorGit }),
    worktrees: createNodeWorktrees({ find: findEditorGit, add: addByEditor }),
    web: createNodeWeb(),
  };
}
