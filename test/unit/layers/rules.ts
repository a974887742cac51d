/** Which imports are fine, as data. Paths lie below `src/agent`; an entry that ends in `/` stands for a folder. */

/** What the parts agree on: types, schemas and error classes. Everyone may import them; they import only each other. */
export const contracts: readonly string[] = [
  'messages/types.ts',
  'model/provider.ts',
  'host.ts',
  'host/git.ts',
  'host/worktrees.ts',
  'settings.ts',
  'loop/events.ts',
  'loop/events/',
  'gate/hooks/configuration.ts',
  'gate/hooks/eventNames.ts',
  'tools/tool.ts',
  'tools/toolError.ts',
];

/** Everyone may know their types; what they do belongs to their layer. */
export const openTypes: readonly string[] = ['gate/places/paths.ts', 'gate/places/ground.ts'];

export type Layer = {
  /** Files and folders; the longest entry that matches a file decides. */
  readonly holds: readonly string[];
  /** What it may use of the layers above it in this list. */
  readonly uses: readonly string[];
  /** What it knows as a type only, wherever that lies. */
  readonly knows: readonly string[];
  /** Packages and Node modules; `node:` stands for all of Node. */
  readonly packages: readonly string[];
  readonly why: string;
};

/** What agent files and skills have in common. */
const markdownFiles: readonly string[] = [
  'subagents/definitions/frontMatter.ts',
  'subagents/definitions/words.ts',
  'subagents/definitions/fault.ts',
  'subagents/definitions/problem.ts',
];

/** From the bottom to the top. */
export const layers: readonly Layer[] = [
  {
    holds: contracts,
    uses: [],
    knows: [],
    packages: ['zod'],
    why: 'what everyone depends on depends on nobody',
  },
  {
    holds: ['messages/'],
    uses: [],
    knows: [],
    packages: [],
    why: 'pure functions over messages',
  },
  {
    holds: ['subagents/exploration/'],
    uses: [],
    knows: [],
    packages: [],
    why: 'the words of an exploration, which the demo must recognise',
  },
  {
    holds: ['model/demo/'],
    uses: ['subagents/exploration/'],
    knows: [],
    packages: [],
    why: 'the demo sees a request and nothing else, as a server does',
  },
  {
    holds: ['model/'],
    uses: ['model/demo/', 'messages/'],
    knows: [],
    packages: ['@anthropic-ai/sdk', 'zod'],
    why: 'a source of answers knows neither loop nor tools',
  },
  {
    holds: ['store/'],
    uses: [],
    knows: [],
    packages: ['node:', 'zod'],
    why: 'keeps events without asking what they mean',
  },
  {
    holds: ['node/'],
    uses: [],
    knows: [],
    packages: ['node:', 'ignore', 'picomatch', 'p-queue', 'zod', '@mozilla/readability', 'linkedom', 'turndown'],
    why: 'one implementation of the host beside that of the editor',
  },
  {
    holds: ['store/index/'],
    uses: ['store/', 'node/clock.ts'],
    knows: [],
    packages: ['node:', 'sql.js', 'zod'],
    why: 'made from journals, in a thread of its own',
  },
  {
    holds: ['tools/'],
    uses: [],
    knows: [],
    packages: ['zod', 'diff', 'node:path', 'node:util'],
    why: 'tools reach the world through their context only, so that they run in the editor as well',
  },
  {
    holds: ['gate/reveal.ts'],
    uses: [],
    knows: [],
    packages: [],
    why: 'nothing hides in what a person approves',
  },
  {
    holds: ['gate/repositoryFiles.ts'],
    uses: [],
    knows: [],
    packages: ['node:fs', 'node:fs/promises', 'node:path'],
    why: 'what a repository brings, before anybody asks what is in it: rules or hooks',
  },
  {
    holds: ['gate/hooks/'],
    uses: ['gate/reveal.ts', 'gate/repositoryFiles.ts'],
    knows: [
      'loop/agent.ts',
      'gate/asking/broker.ts',
      'gate/asking/question.ts',
      'gate/asking/sessionAnswers.ts',
      'gate/judging/judgement.ts',
    ],
    packages: ['node:crypto', 'node:fs', 'node:fs/promises', 'node:path', 'node:vm', 'zod'],
    why: 'runs what users and other extensions hook into agents; the gate asks it first',
  },
  {
    holds: ['gate/'],
    uses: ['gate/hooks/', 'gate/repositoryFiles.ts', 'gate/reveal.ts'],
    knows: ['loop/agent.ts'],
    packages: ['node:crypto', 'node:fs/promises', 'node:os', 'node:path', 'unbash', 'zod'],
    why: 'decides about calls; the loop asks it, it never asks the loop',
  },
  {
    holds: ['changes/'],
    uses: ['gate/places/protected.ts'],
    knows: ['loop/agent.ts'],
    packages: ['diff', 'node:crypto'],
    why: 'proposes and writes edits for any tool',
  },
  {
    holds: ['context/'],
    uses: ['messages/', 'model/retry.ts'],
    knows: ['loop/agent.ts', 'loop/step.ts', 'subagents/definitions.ts'],
    packages: ['node:path'],
    why: 'builds requests and shortens histories; asks a model for a summary, but runs no loop',
  },
  {
    holds: ['loop/'],
    uses: ['messages/', 'context/', 'model/retry.ts', 'model/pricing.ts'],
    knows: ['gate/gate.ts', 'gate/hooks/callHooks.ts', 'model/catalog.ts'],
    packages: ['node:crypto'],
    why: 'knows tools, gate and provider as interfaces; touches no disk and no network',
  },
  {
    holds: markdownFiles,
    uses: [],
    knows: [],
    packages: ['yaml', 'node:path'],
    why: 'reads any markdown file with fields, and says what is wrong with it',
  },
  {
    holds: ['skills/'],
    uses: markdownFiles,
    knows: [],
    packages: ['node:fs/promises', 'node:path', 'zod'],
    why: 'instructions that are read when they are needed',
  },
  {
    holds: ['worktrees/'],
    uses: [],
    knows: ['loop/agent.ts', 'loop/run.ts'],
    packages: ['node:crypto', 'node:fs/promises', 'node:path', 'zod'],
    why: 'when a worktree is made, kept and removed; the host knows how',
  },
  {
    holds: ['subagents/'],
    uses: [
      ...markdownFiles,
      'skills/',
      'worktrees/',
      'gate/places/paths.ts',
      'loop/',
      'context/',
      'tools/agent.ts',
      'tools/agentDesk.ts',
      'messages/',
    ],
    knows: ['model/catalog.ts', 'gate/hooks/agentHooks.ts'],
    packages: ['node:crypto', 'node:fs/promises', 'node:path', 'p-queue', 'yaml', 'zod'],
    why: 'runs the same loop for a child, never a second one',
  },
  {
    holds: ['session/'],
    uses: [
      'messages/',
      'model/',
      'store/',
      'tools/',
      'gate/',
      'changes/',
      'context/',
      'loop/',
      'subagents/',
      'skills/',
      'worktrees/',
      ...markdownFiles,
    ],
    knows: [],
    packages: ['node:crypto', 'node:fs/promises', 'node:timers/promises', 'node:os', 'node:path'],
    why: 'puts one conversation together; the host comes from outside',
  },
  {
    holds: ['index.ts'],
    uses: [
      'model/',
      'store/',
      'node/',
      'tools/',
      'gate/',
      'context/',
      'loop/',
      'skills/',
      'subagents/',
      'session/',
      'worktrees/',
      'messages/',
    ],
    knows: [],
    packages: [],
    why: 'the way in for the editor and the command line',
  },
];

/** Outside of `src/agent`: the first entry whose `holds` is the start of a path decides. */
export type Zone = {
  readonly holds: string;
  /** Starts of paths below the repository. */
  readonly uses: readonly string[];
  readonly knows: readonly string[];
  readonly packages: readonly string[];
  readonly why: string;
};

const agent = ['src/agent/index.ts', ...contracts.map((path) => `src/agent/${path}`)];

export const zones: readonly Zone[] = [
  {
    holds: 'src/webview/app/',
    uses: ['src/webview/app/', 'media/'],
    knows: ['src/webview/protocol.ts', 'src/webview/queryProtocol.ts'],
    packages: ['@preact/signals', 'birpc', 'dompurify', 'highlight.js', 'marked', 'preact'],
    why: 'the page runs in a browser without Node, editor or agent',
  },
  {
    holds: 'src/webview/',
    uses: ['src/webview/', ...agent],
    knows: [],
    packages: ['vscode', 'birpc', 'zod', 'node:crypto'],
    why: 'shows what the agent puts out',
  },
  {
    holds: 'src/editor/',
    uses: ['src/editor/', 'src/webview/', ...agent],
    knows: [],
    packages: ['vscode', 'zod', 'node:'],
    why: 'the host on workspace APIs',
  },
  {
    holds: 'src/extension.ts',
    uses: ['src/editor/', 'src/webview/', ...agent],
    knows: [],
    packages: ['vscode'],
    why: 'constructs, wires and registers; decides nothing',
  },
  {
    holds: 'src/headless',
    uses: ['src/headless', ...agent],
    knows: [],
    packages: ['node:', 'zod'],
    why: 'the same agent without an editor',
  },
];

export const lineLimit = 300;
export const extensionLineLimit = 120;
/** Longer files, each with the reason. */
export const longFiles: Readonly<Record<string, string>> = {};
/** Files that import each other in a circle, by one of them, each with the reason. */
export const knownCircles: Readonly<Record<string, string>> = {
  'src/webview/app/view/transcript/Flow.tsx': 'a flow shows agents, and an agent shows its flow',
};
/** Casts and `any`, each with the reason; the key is the file. */
export const looseFiles: Readonly<Record<string, string>> = {};
