import { fold } from '../places/fold.ts';
import { escapeWildcard, matchesWildcard, type Wildcard } from '../rules/wildcard.ts';
import { literalWords, variantsOf } from './command.ts';
import { type CommandPattern, isExact } from './commandPattern.ts';
import { readScript, type ShellCommand } from './script.ts';
import { quoteLiteral } from './word.ts';

/** For allowing: the words as they stand, and nothing that the words could also mean. */
export function fitsCommand(pattern: CommandPattern, command: ShellCommand): boolean {
  const words = literalWords(command);
  if (!words) return false;
  const texts = isExact(pattern)
    ? [joinLiterals(words)]
    : [command.words.map(({ text }) => text).join(' '), joinLiterals(words)];
  return texts.some((text) => text === pattern.bare || matchesWildcard(canonical(pattern), text));
}

/** For denying and asking: in any spelling, behind any program that runs another. */
export function mayFitCommand(pattern: CommandPattern, command: ShellCommand): boolean {
  const bare = pattern.bare === undefined ? undefined : fold(pattern.bare);
  const folded = canonical(pattern).map(fold);
  return variantsOf(command).some((variant) => {
    const text = fold(variant);
    return text === bare || matchesWildcard(folded, text);
  });
}

/** The rule that holds for this command and no other. */
export function exactPattern(words: readonly string[]): string {
  return escapeWildcard(joinLiterals(words));
}

const canonicals = new WeakMap<CommandPattern, Wildcard>();

/** The same for two spellings of one command that differ in blanks and quotes only. */
function canonical(pattern: CommandPattern): Wildcard {
  const known = canonicals.get(pattern);
  if (known) return known;
  const wildcard = isExact(pattern) ? [canonicalText(pattern.wildcard[0] ?? '')] : pattern.wildcard;
  canonicals.set(pattern, wildcard);
  return wildcard;
}

function canonicalText(text: string): string {
  const { commands, doubts } = readScript(text);
  const [command] = commands;
  const words = command && commands.length === 1 && doubts.size === 0 ? literalWords(command) : undefined;
  return words ? joinLiterals(words) : text;
}

function joinLiterals(words: readonly string[]): string {
  return words.map(quoteLiteral).join(' ');
}
