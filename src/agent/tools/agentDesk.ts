import * as z from 'zod';
import { defineTool, type Tool, type ToolContext, type ToolResult } from './tool.ts';

const maxWaitMs = 600_000;
const defaultWaitMs = 30_000;

/** What an agent may do with the agents it has started. */
export interface AgentDesk {
  /** @param waitMs 0: says how far it is */
  output(agent: string, waitMs: number, context: ToolContext): Promise<ToolResult>;
  stop(agent: string, context: ToolContext): Promise<ToolResult>;
  tell(agent: string, message: string): Promise<ToolResult>;
}

/** Tools for agents that run in the background or beside the caller; made for each agent that may delegate. */
export function createAgentDeskTools(desk: AgentDesk): readonly Tool[] {
  return [
    defineTool({
      name: 'TaskOutput',
      aliases: ['BashOutput', 'AgentOutput'],
      description: 'The report of a background agent, or how far it is. Its end is reported to you anyway.',
      input: z.strictObject({
        task_id: z.string().min(1).describe('Id or name of the agent'),
        block: z.boolean().default(true).describe('Wait for its end'),
        timeout: z.int().min(0).max(maxWaitMs).default(defaultWaitMs).describe('Milliseconds to wait'),
      }),
      effect: 'read',
      isConcurrent: true,
      summarize: ({ task_id }) => `Output of ${task_id}`,
      run: ({ task_id, block, timeout }, context) => desk.output(task_id, block ? timeout : 0, context),
    }),
    defineTool({
      name: 'TaskStop',
      aliases: ['KillShell'],
      description: 'Stops an agent and all below it.',
      input: z.strictObject({ task_id: z.string().min(1).describe('Id or name of the agent') }),
      effect: 'read',
      isConcurrent: false,
      summarize: ({ task_id }) => `Stop ${task_id}`,
      run: ({ task_id }, context) => desk.stop(task_id, context),
    }),
    defineTool({
      name: 'SendMessage',
      description: 'Tells a running agent something; it reads it before its next step.',
      input: z.strictObject({
        to: z.string().min(1).describe('Id or name of the agent'),
        message: z.string().min(1),
      }),
      effect: 'read',
      isConcurrent: false,
      summarize: ({ to }) => `Message to ${to}`,
      run: ({ to, message }) => desk.tell(to, message),
    }),
  ];
}
