import { relative, sep } from 'node:path';

/** Something about an agent file that its author should know. With an error the agent is not there; the others are. */
export type DefinitionProblem = {
  /** Absolute; of a folder when that cannot be read. */
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  readonly severity: 'error' | 'warning';
  readonly message: string;
};

/** `file:line: message`, with the file as short as it can be told. */
export function describeProblem({ file, line, message }: DefinitionProblem, roots: readonly string[] = []): string {
  return `${shortPath(file, roots)}:${line}: ${message}`;
}

const noticeMost = 3;

/** A few lines about all of them for the conversation; undefined when there is nothing to tell. */
export function summarizeProblems(
  problems: readonly DefinitionProblem[],
  roots: readonly string[],
): string | undefined {
  if (problems.length === 0) return undefined;
  const errors = problems.filter(({ severity }) => severity === 'error');
  const sorted = [...errors, ...problems.filter(({ severity }) => severity === 'warning')];
  const listed = sorted.slice(0, noticeMost).map((problem) => `- ${describeProblem(inShort(problem), roots)}`);
  const more = sorted.length - listed.length;
  const head =
    errors.length > 0
      ? `${noticePrefix} ${errors.length === 1 ? 'an agent' : `${errors.length} agents`} cannot be used as written.`
      : `${noticePrefix} not everything they ask for is done.`;
  return [head, ...listed, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n');
}

/** Without the advice, which stands at the file: its first sentence. */
function inShort(problem: DefinitionProblem): DefinitionProblem {
  return { ...problem, message: problem.message.replace(/\. There (?:are|is): .*$/s, '.') };
}

/** How every such summary begins. */
export const noticePrefix = 'Agent files:';

function shortPath(file: string, roots: readonly string[]): string {
  const root = roots.find((folder) => file.startsWith(folder + sep));
  return root === undefined ? file : relative(root, file).replaceAll(sep, '/');
}
