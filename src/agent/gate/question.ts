import type { Question } from './broker.ts';
import type { MustAsk } from './decide.ts';
import type { JudgedCall } from './judgeCall.ts';
import type { GateRequest } from './request.ts';

/** The question to the user about a call. */
export function toQuestion(
  { agent, call, tool, prepared, isRewritten }: GateRequest,
  judgement: MustAsk,
  directory: string,
  after: Pick<Question, 'recheck' | 'remember' | 'explain'>,
): Question {
  const rule = judgement.kind === 'open' ? judgement.offer : undefined;
  return {
    agent,
    call,
    tool: tool.name,
    title: titleOf(tool, judgement),
    detail:
      prepared.command ?? prepared.url ?? (prepared.paths.length > 0 ? prepared.paths.join('\n') : prepared.summary),
    directory,
    reason: isRewritten ? `A hook has changed this call. ${judgement.reason}` : judgement.reason,
    canRemember: judgement.kind === 'open',
    ...(rule !== undefined && { rule }),
    ...after,
  };
}

function titleOf({ name, effect }: GateRequest['tool'], judgement: MustAsk): string {
  if (name.startsWith('mcp__')) return `Use ${name}`;
  if (effect === 'execute') return 'Run a command';
  if (effect === 'send') return 'Fetch a web page';
  if (effect === 'read') return `Use ${name}`;
  return judgement.kind === 'ask' && judgement.because === 'protected' ? 'Change a protected file' : 'Change a file';
}

/** What rules can be about in a call. */
export function toJudged({ tool, prepared }: Pick<GateRequest, 'tool' | 'prepared'>): JudgedCall {
  const { paths, command, agentType, url } = prepared;
  return {
    tool: tool.name,
    effect: tool.effect,
    paths,
    ...(command !== undefined && { command }),
    ...(agentType !== undefined && { agentType }),
    ...(url !== undefined && { url }),
  };
}
