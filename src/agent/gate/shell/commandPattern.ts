import { readWildcard, type Wildcard } from '../rules/wildcard.ts';

/** What a rule says about commands, as it is written. */
export type CommandPattern = {
  readonly wildcard: Wildcard;
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
  return {
    wildcard,
    bare: isOpen ? wildcard[0]?.trimEnd() : undefined,
    words: wildcard.flatMap((part) => part.split(/\s+/)),
  };
}

export function isExact(pattern: CommandPattern): boolean {
  return pattern.wildcard.length === 1;
}
