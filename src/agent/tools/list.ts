import { askUserTool } from './askUser.ts';
import { createBashTool } from './bash.ts';
import { diagnosticsTool } from './diagnostics.ts';
import { editTool } from './edit.ts';
import { globTool } from './glob.ts';
import { grepTool } from './grep.ts';
import { readTool } from './read.ts';
import type { Tool } from './tool.ts';
import { webFetchTool } from './webFetch.ts';
import { writeTool } from './write.ts';

const defaultBashTimeoutMs = 120_000;

/** All tools but Agent, which needs a session to delegate in. */
export function createBuiltInTools(options: { readonly bashTimeoutMs: number }): readonly Tool[] {
  const bashTool = createBashTool(options.bashTimeoutMs);
  return [readTool, writeTool, editTool, globTool, grepTool, bashTool, diagnosticsTool, webFetchTool, askUserTool];
}

export const builtInTools: readonly Tool[] = createBuiltInTools({ bashTimeoutMs: defaultBashTimeoutMs });
