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
};

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
    tools: reading,
    disallowedTools: [],
    hasInstructions: false,
    modelRole: 'small',
    prompt: `You explore a code base for the lead of a coding session. You only read: search broadly first, in parallel calls, then read what is telling. Thoroughness: quick = one round, medium = follow the main threads, very thorough = several namings and places. ${reportRules}`,
  },
  {
    name: 'Plan',
    description: 'studies the code and designs a change; changes nothing',
    tools: reading,
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
