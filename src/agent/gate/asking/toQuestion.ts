import { resolve } from 'node:path';
import type { MustAsk } from '../judging/decide.ts';
import { spellOut } from '../places/paths.ts';
import type { GateRequest } from '../request.ts';
import type { Question } from './question.ts';

type QuestionPlaces = {
  readonly directory: string;
  /** Where the paths of the call lead; in their order. */
  readonly places: readonly string[];
};

/** The question to the user about a call. */
export function toQuestion(
  { agent, call, tool, prepared, isRewritten }: GateRequest,
  judgement: MustAsk,
  { directory, places }: QuestionPlaces,
  after: Pick<Question, 'recheck' | 'remember' | 'explain'>,
): Question {
  const rule = judgement.kind === 'open' ? judgement.offer : undefined;
  return {
    agent,
    call,
    tool: tool.name,
    title: titleOf(tool, judgement),
    detail: prepared.command ?? prepared.url ?? (pathLines(prepared.paths, directory, places) || prepared.summary),
    directory,
    reason: isRewritten ? `A hook has changed this call. ${judgement.reason}` : judgement.reason,
    canRemember: judgement.kind === 'open',
    ...(rule !== undefined && { rule }),
    ...after,
  };
}

/** With where a link leads. */
function pathLines(paths: readonly string[], directory: string, places: readonly string[]): string {
  const lines = paths.map((path, index) => {
    const place = places[index] ?? path;
    return resolve(directory, spellOut(path)) === place ? path : `${path} → ${place}`;
  });
  return lines.join('\n');
}

function titleOf({ name, effect }: GateRequest['tool'], judgement: MustAsk): string {
  if (name.startsWith('mcp__')) return `Use ${name}`;
  if (effect === 'execute') return 'Run a command';
  if (effect === 'send') return 'Fetch a web page';
  if (effect === 'read') return `Use ${name}`;
  return judgement.kind === 'ask' && judgement.because === 'protected' ? 'Change a protected file' : 'Change a file';
}
