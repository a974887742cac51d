import { hasRules, type Policy, type SourcedRule } from '../rules/policy.ts';
import { literalWords } from '../shell/command.ts';
import { isExact } from '../shell/commandPattern.ts';
import { fitsCommand, mayFitCommand } from '../shell/fitsCommand.ts';
import { neverByWildcard, runningWords } from '../shell/never.ts';
import { judgeReadOnly } from '../shell/readOnly.ts';
import type { ShellCommand, ShellScript } from '../shell/script.ts';

export function hasCommandRules(policy: Policy): boolean {
  return hasRules(policy, 'deny', 'Bash') || hasRules(policy, 'ask', 'Bash');
}

/** The first rule that forbids a command of the script or wants it to be asked about. One that may fit counts. */
export function findCommandRule(policy: Policy, list: 'deny' | 'ask', script: ShellScript): SourcedRule | undefined {
  return policy[list].find(({ rule: { tool, what } }) => {
    if (tool !== 'Bash') return false;
    return (
      what.kind === 'any' ||
      (what.kind === 'command' && script.commands.some((command) => mayFitCommand(what.pattern, command)))
    );
  });
}

/** A `*` stands for arguments, not for flags or programs that write, run or send: those the rule has to spell out. */
export function allowsCommand({ rule: { tool, what } }: SourcedRule, command: ShellCommand): boolean {
  if (tool !== 'Bash') return false;
  const words = literalWords(command);
  if (!words) return false;
  if (what.kind === 'command' && isExact(what.pattern)) return fitsCommand(what.pattern, command);
  const inner = withoutTimer(words);
  if (neverByWildcard(inner[0])) return false;
  const spelled = what.kind === 'command' ? what.pattern.words : [];
  const faults = (judgeReadOnly(inner)?.faults ?? []).filter((fault) => fault.startsWith('-'));
  const isSpelled = (word: string) => spelled.some((other) => other === word || other.startsWith(`${word}=`));
  if (![...faults, ...runningWords(inner)].every(isSpelled)) return false;
  if (what.kind === 'any') return true;
  const behind = { ...command, words: command.words.slice(words.length - inner.length) };
  return what.kind === 'command' && (fitsCommand(what.pattern, command) || fitsCommand(what.pattern, behind));
}

/** `timeout 30 npm test` is `npm test`. */
function withoutTimer(words: readonly string[]): readonly string[] {
  if (words[0] === 'nohup' && words.length > 1) return words.slice(1);
  return words[0] === 'timeout' && /^\d+(\.\d+)?[smhd]?$/.test(words[1] ?? '') && words.length > 2
    ? words.slice(2)
    : words;
}
