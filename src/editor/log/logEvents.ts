import type { AgentEvent } from '../../agent/index.ts';

/** One line for the log of what an agent did; nothing of what was said or read. undefined: not worth a line. */
export function describeEvent(event: AgentEvent): string | undefined {
  const who = event.agent;
  switch (event.type) {
    case 'turn-start':
      return `turn ${event.turn} begins in session ${event.session}`;
    case 'turn-end':
      return `turn ${event.turn} ended: ${event.status}${event.error ? ` (${event.error})` : ''}`;
    case 'agent-start':
      return `${who}: ${event.name}, ${event.agentType}, on ${event.model} (${event.modelRule})`;
    case 'agent-end': {
      const { steps, calls, durationMs } = event.receipt;
      return `${who}: ${event.status} after ${steps} steps, ${calls} calls, ${Math.round(durationMs)} ms`;
    }
    case 'step-retry':
      return `${who}: step ${event.step} again in ${Math.round(event.delayMs)} ms: ${event.reason}`;
    case 'tool-end':
      return event.status === 'ok' ? undefined : `${who}: ${event.tool} ${event.status}`;
    case 'permission-answer':
      return `${who}: ${event.decision} by ${event.by}`;
    case 'edit-decide':
      return `${who}: edit of ${event.path} ${event.decision} by ${event.by}`;
    case 'context-compact':
      return `${who}: context ${event.how}, ${event.tokensBefore} → ${event.tokensAfter} tokens`;
    case 'worktree-create':
      return `${who}: worktree ${event.path} on ${event.branch} from ${event.base}`;
    case 'worktree-keep':
      return `${who}: worktree on ${event.branch} kept: ${event.files.length} files, ${event.commits} commits`;
    case 'worktree-remove':
      return `${who}: worktree on ${event.branch} removed, nothing was changed`;
    case 'worktree-fail':
      return `${who}: worktree on ${event.branch}: ${event.error}`;
    case 'notice':
      return `${who}: ${event.level}: ${event.text}`;
    default:
      return undefined;
  }
}
