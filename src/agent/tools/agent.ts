import * as z from 'zod';
import { defineTool, type Tool, type ToolContext, type ToolResult } from './tool.ts';

const budget = z.strictObject({
  tokens: z.int().min(1).optional(),
  usd: z.number().positive().optional(),
  minutes: z.number().positive().optional(),
});

const input = z.strictObject({
  description: z.string().min(1).default('subagent task').describe('The task in 3–5 words'),
  prompt: z.string().min(1).describe('All the agent needs to know: it sees nothing of this conversation'),
  subagent_type: z.string().default('general-purpose'),
  name: z.string().max(40).optional().describe('Short name for people, e.g. auth-map'),
  model: z.string().optional().describe('Alias, model id or inherit; leave out unless asked for'),
  run_in_background: z.boolean().optional().describe('Returns at once; the report comes later by itself'),
  isolation: z.enum(['worktree']).optional().describe('worktree: it works in a git worktree and branch of its own'),
  context: z.enum(['fresh', 'fork']).optional().describe('fork: it gets this conversation as well'),
  resume: z.string().optional().describe('Id of an agent that has ended: it goes on with its history'),
  max_turns: z.int().min(1).optional().describe('Most steps it may take'),
  thoroughness: z.enum(['quick', 'medium', 'very thorough']).optional().describe('For Explore'),
  priority: z.enum(['low', 'normal', 'high']).optional(),
  budget: budget.optional(),
  acceptance: z
    .string()
    .trim()
    .min(1)
    .optional()
    .describe('A command that must pass before the result counts, e.g. npm test'),
});

export type Delegation = z.output<typeof input>;
export type DelegationInput = z.input<typeof input>;

/** Fills in what was left out. @throws z.ZodError */
export function toDelegation(value: DelegationInput): Delegation {
  return input.parse(value);
}

/** Of a call that was recorded; undefined for what is no such call. */
export function readDelegation(value: unknown): Delegation | undefined {
  return input.safeParse(value).data;
}

/** The tool that hands a task to a subagent; one is made for each agent that may delegate. */
export function createAgentTool(
  types: readonly { readonly name: string; readonly description: string }[],
  delegate: (delegation: Delegation, context: ToolContext) => Promise<ToolResult>,
  anticipate: () => void,
): Tool {
  const list = types.map(({ name, description }) => `- ${name}: ${description}`).join('\n');
  return defineTool({
    name: 'Agent',
    aliases: ['Task', 'task', 'subagent'],
    fieldAliases: { research_prompt: 'prompt', max_steps: 'max_turns' },
    description: `Gives a task to a subagent with a history of its own; only its report comes back. Several calls in one message run in parallel. Types:\n${list}`,
    input,
    effect: 'read',
    isConcurrent: true,
    anticipate,
    agentType: ({ subagent_type }) => subagent_type,
    summarize: ({ description, subagent_type }) => `${subagent_type}: ${description}`,
    run: delegate,
  });
}
