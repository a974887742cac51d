import type { FileHooks } from '../gate/hooks/configuration.ts';
import type { Effort } from '../model/provider.ts';
import type { Mode } from '../settings.ts';

/** An agent type: what it is for, what it may use, how it is told to work. */
export type AgentDefinition = {
  readonly name: string;
  /** Tells the lead when to delegate to it. */
  readonly description: string;
  /** Names, `*` wildcards; `*` alone is everything. */
  readonly tools: readonly string[];
  /** Wins over `tools`. */
  readonly disallowedTools: readonly string[];
  readonly prompt: string;
  /** Gets the project's instructions (AGENTS.md and the like), as the lead does. */
  readonly hasInstructions: boolean;
  /** Which model setting it runs on unless the call says otherwise. */
  readonly modelRole: 'parent' | 'small' | 'plan';
  /** A model id, an alias or `inherit`; goes before the role. */
  readonly model?: string;
  /** Most steps, below the setting's. */
  readonly maxTurns?: number;
  /** The mode of the session holds where that is stricter. */
  readonly permissionMode?: Mode;
  /** Which types it may delegate to, where it may delegate at all. */
  readonly agentTypes?: AgentTypes;
  /** Stands before every task. */
  readonly initialPrompt?: string;
  /** They hold for it and all below it; without them it is not run. */
  readonly hooks?: FileHooks;
  /** Runs in the background unless the call says otherwise. */
  readonly background?: boolean;
  /** Where its model takes one. */
  readonly effort?: Effort;
  /** Names of skills that it has from the start. */
  readonly skills?: readonly string[];
  /** Keeps notes from task to task. */
  readonly memory?: MemoryScope;
  /** Works in a git worktree of its own. */
  readonly isolation?: 'worktree';
  /** For its card: a name such as `blue`. */
  readonly color?: string;
};

/** Whose notes they are: the user's in all projects, the project's, or the user's in this project. */
export type MemoryScope = 'user' | 'project' | 'local';

export type AgentTypes = {
  /** undefined: all of them. */
  readonly only: readonly string[] | undefined;
  readonly never: readonly string[];
};

/** Definitions beside the built-in ones; one of the same name, in whatever spelling, takes the place of a built-in one. */
export function withBuiltIn(own: readonly AgentDefinition[]): readonly AgentDefinition[] {
  const names = new Set(own.map(({ name }) => name.toLowerCase()));
  return [...builtInDefinitions.filter(({ name }) => !names.has(name.toLowerCase())), ...own];
}

/** The definitions that an agent with these limits may delegate to. */
export function offeredTo(
  limits: AgentTypes | undefined,
  definitions: readonly AgentDefinition[],
): readonly AgentDefinition[] {
  if (limits === undefined) return definitions;
  const named = (names: readonly string[], { name }: AgentDefinition) =>
    names.some((each) => each.toLowerCase() === name.toLowerCase());
  const { only, never } = limits;
  return definitions.filter((one) => (only === undefined || named(only, one)) && !named(never, one));
}

const reading = ['Read', 'Glob', 'Grep', 'Diagnostics'];

const reportRules = `Your final text is the report: it is all that the lead sees. Name places as path:line, quote only what matters, say what you did not look at.`;

export const builtInDefinitions: readonly AgentDefinition[] = [
  {
    name: 'general-purpose',
    description: 'any task of several steps, changes and commands included',
    tools: ['*'],
    disallowedTools: [],
    hasInstructions: true,
    modelRole: 'parent',
    prompt: `You carry out one task for the lead of a coding session, on your own and to the end. Look before you change, follow the conventions of the code around, check your work. ${reportRules}`,
  },
  {
    name: 'Explore',
    description: 'reads and searches the code base fast and reports; changes nothing',
    tools: [...reading, 'WebFetch'],
    disallowedTools: [],
    hasInstructions: false,
    modelRole: 'small',
    prompt: `You explore a code base for the lead of a coding session. You only read: search broadly first, in parallel calls, then read what is telling. Thoroughness: quick = one round, medium = follow the main threads, very thorough = several namings and places. ${reportRules}`,
  },
  {
    name: 'Plan',
    description: 'studies the code and designs a change; changes nothing',
    tools: [...reading, 'WebFetch'],
    disallowedTools: [],
    hasInstructions: false,
    modelRole: 'plan',
    prompt: `You design a change for the lead of a coding session. You only read. Find what exists, then give a plan: steps in order, files with places, risks, how to check the result. ${reportRules}`,
  },
  {
    name: 'code-reviewer',
    description: 'reviews code or a diff for faults; changes nothing',
    tools: [...reading, 'Bash'],
    disallowedTools: [],
    hasInstructions: true,
    modelRole: 'parent',
    prompt: `You review code for the lead of a coding session. Use commands only to look (git diff, git log, tests). Report faults that matter, worst first: place, what goes wrong and when, how to mend it. No praise, no matters of taste. ${reportRules}`,
  },
];
