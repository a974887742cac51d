import type { EndStatus, Receipt } from '../../loop/events.ts';

/**
 * What the lead gets of a delegation: the report in a frame that it cannot forge, and one line of facts.
 * A report is a model's output; frame tags inside it are defused.
 */
export function frameReport(report: {
  readonly name: string;
  readonly id: string;
  readonly status: EndStatus;
  readonly text: string;
  readonly error: string | undefined;
  readonly receipt: Receipt;
  /** Of the command that the result had to pass, if there was one. */
  readonly acceptance?: string | undefined;
}): string {
  const text = report.text.trim() || '(The agent ended without a text.)';
  const note = report.error ? `\n[${report.error.slice(0, 600)}]` : '';
  const facts = [...receiptFacts(report.receipt), ...(report.acceptance ? [`acceptance ${report.acceptance}`] : [])];
  const frame = `agent="${report.name}" id="${report.id}" status="${report.status}"`;
  return `<report ${frame}>\n${defuse(text)}${defuse(note)}\n</report>\n<receipt>${facts.join(' · ')}</receipt>`;
}

function defuse(text: string): string {
  return text.replace(/<(?=\s*\/?\s*(?:report|receipt)\b)/gi, '&lt;');
}

function receiptFacts(receipt: Receipt): readonly string[] {
  const { calls, filesRead, filesChanged, commands, usage, cost, durationMs, worktree } = receipt;
  const tokens = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens + usage.outputTokens;
  const codes = commands.map(({ exitCode }) => exitCode ?? 'none');
  const exits = codes.length > 5 ? [...codes.slice(0, 5), '…'] : codes;
  return [
    `${calls} calls`,
    `${filesRead.length} files read`,
    `${filesChanged.length} changed`,
    ...(commands.length > 0 ? [`${commands.length} commands (exit ${exits.join(', ')})`] : []),
    `${tokens} tokens`,
    ...(worktree ? [`kept on ${worktree.branch}`] : []),
    ...(cost === undefined ? [] : [`$${cost.toFixed(4)}`]),
    `${(durationMs / 1000).toFixed(1)} s`,
  ];
}
