import { fold } from '../places/fold.ts';
import { escapeWildcard, matchesWildcard, readWildcard, type Wildcard } from '../rules/wildcard.ts';
import { literalWords, variantsOf } from './command.ts';
import { readScript, type ShellCommand } from './script.ts';
import { quoteLiteral } from './word.ts';

export type CommandPattern = {
  readonly wildcard: Wildcard;
  /** Folded, for rules that protect. */
  readonly folded: Wildcard;
  /** What also fits: the command without arguments, where the pattern leaves them open. */
  readonly bare: string | undefined;
  /** Words that are spelled out in it. */
  readonly words: readonly string[];
};

/**
 * `npm test` is that command alone; `npm run test:*` and `npm run test *` are it with anything behind it; any other `*`
 * stands for anything as well; `\*` is a star.
 * @throws Error that says what is wrong
 */
export function readCommandPattern(text: string): CommandPattern {
  const trimmed = text.trim();
  const pattern = trimmed.endsWith(':*') ? `${trimmed.slice(0, -2)} *` : trimmed;
  const wildcard = readWildcard(pattern);
  const isOpen = wildcard.length === 2 && wildcard[1] === '' && wildcard[0]?.endsWith(' ') === true;
  if (wildcard[0]?.trim() === '' && isOpen) throw new Error('name a command before :*');
  const exact = wildcard.length === 1 ? canonicalText(wildcard[0] ?? '') : undefined;
  return {
    wildcard: exact === undefined ? wildcard : [exact],
    folded: (exact === undefined ? wildcard : [exact]).map(fold),
    bare: isOpen ? wildcard[0]?.trimEnd() : undefined,
    words: wildcard.flatMap((part) => part.split(/\s+/)),
  };
}

/** The same for two spellings of a command that differ in blanks and quotes only. */
function canonicalText(text: string): string {
  const { commands, doubts } = readScript(text);
  const [command] = commands;
  const words = command && commands.length === 1 && doubts.size === 0 ? literalWords(command) : undefined;
  return words ? joinLiterals(words) : text;
}

export function joinLiterals(words: readonly string[]): string {
  return words.map(quoteLiteral).join(' ');
}

/** The rule that holds for this command and no other. */
export function exactPattern(words: readonly string[]): string {
  return escapeWildcard(joinLiterals(words));
}

export function isExact(pattern: CommandPattern): boolean {
  return pattern.wildcard.length === 1;
}

/** For allowing: the words as they stand, and nothing that the words could also mean. */
export function fitsCommand(pattern: CommandPattern, command: ShellCommand): boolean {
  const words = literalWords(command);
  if (!words) return false;
  const texts = isExact(pattern)
    ? [joinLiterals(words)]
    : [command.words.map(({ text }) => text).join(' '), joinLiterals(words)];
  return texts.some((text) => text === pattern.bare || matchesWildcard(pattern.wildcard, text));
}

/** For denying and asking: in any spelling, behind any program that runs another. */
export function mayFitCommand(pattern: CommandPattern, command: ShellCommand): boolean {
  const bare = pattern.bare === undefined ? undefined : fold(pattern.bare);
  return variantsOf(command).some((variant) => {
    const text = fold(variant);
    return text === bare || matchesWildcard(pattern.folded, text);
  });
}
