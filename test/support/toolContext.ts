import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPathResolver } from '../../src/agent/gate/places/paths.ts';
import type { Diagnostic, EditDecision } from '../../src/agent/host.ts';
import { createNodeHost } from '../../src/agent/node/host.ts';
import type { ReadLog, Tool, ToolContext, ToolResult } from '../../src/agent/tools/tool.ts';
import { testRipgrep } from './ripgrep.ts';

export type ToolBench = {
  /** The workspace; real and absolute. */
  readonly folder: string;
  readonly artifacts: string;
  readonly reads: ReadLog;
  /** Texts that the call reported while it ran. */
  readonly progress: string[];
  readonly run: (tool: Tool, input: unknown, signal?: AbortSignal) => Promise<ToolResult>;
  readonly context: (signal?: AbortSignal) => ToolContext;
  readonly remove: () => Promise<void>;
};

type Scripted = {
  /** What the user does with a proposed text; by default it is accepted as it is. */
  readonly review?: (after: string) => EditDecision;
  readonly answer?: string;
  readonly isHidden?: (path: string) => boolean;
  readonly diagnostics?: readonly Diagnostic[];
};

/** Tools on a folder of their own with the Node host; only the user and the editor's diagnostics are scripted. */
export async function createToolBench(scripted: Scripted = {}): Promise<ToolBench> {
  const top = await realpath(await mkdtemp(join(tmpdir(), 'offshoot-tools-')));
  const folder = join(top, 'workspace');
  const artifacts = join(top, 'artifacts');
  await mkdir(folder);
  await mkdir(artifacts);
  const reads = createReadLog();
  const progress: string[] = [];
  const context = createContext(folder, artifacts, reads, progress, scripted);
  return {
    folder,
    artifacts,
    reads,
    progress,
    context,
    run: async (tool, input, signal) => tool.prepare(input).run(context(signal)),
    remove: () => rm(top, { recursive: true, force: true, maxRetries: 3 }),
  };
}

function createContext(folder: string, artifacts: string, reads: ReadLog, progress: string[], scripted: Scripted) {
  const prompts = {
    permission: async () => ({ decision: 'deny', scope: 'once', by: 'dismissed' }) as const,
    review: async () => ({ decision: 'reject' }) as const,
    question: async () => scripted.answer,
  };
  const host = {
    ...createNodeHost({ prompts, ripgrep: testRipgrep() }),
    diagnostics: { list: async () => scripted.diagnostics ?? [] },
  };
  const paths = createPathResolver({ roots: [folder], readOnlyRoots: [artifacts] });
  let files = 0;
  return (signal = new AbortController().signal): ToolContext => ({
    signal,
    call: 'call_1',
    host,
    workspace: { roots: [folder], isTrusted: true },
    paths,
    reads,
    ...(scripted.isHidden && { isHidden: scripted.isHidden }),
    artifactPath: async (extension) => join(artifacts, `${++files}.${extension}`),
    progress: (text) => progress.push(text),
    async applyEdit(path, before, after) {
      const decision = scripted.review?.(after) ?? { decision: 'accept', text: after };
      if (decision.decision === 'reject') return { decision: 'reject', reason: decision.reason };
      const written = await host.files.writeText(path, decision.text, before?.version ?? 'absent', signal);
      reads.record(path, written.version);
      return { decision: 'accept', text: decision.text, isAmended: decision.text !== after };
    },
    askUser: async () => scripted.answer,
  });
}

function createReadLog(): ReadLog {
  const versions = new Map<string, string>();
  return { versionOf: (path) => versions.get(path), record: (path, version) => versions.set(path, version) };
}
