import type { Doubt } from './script.ts';

const reasons: Readonly<Record<Doubt, string>> = {
  length: 'It is too long to be looked through.',
  syntax: 'It is not understood as a shell script.',
  characters: 'It holds control characters.',
  nested: 'It runs a script that it is given as text.',
  expansion: 'It holds an expansion or a pattern ($, `, ~, *, {}), so its text does not tell what runs.',
  redirect: 'It writes to or reads from a file by redirection.',
  heredoc: 'It holds a here-document.',
  assignment: 'It sets a variable.',
  structure: 'It holds a loop, condition or function.',
  background: 'It leaves something running in the background.',
};

/** Why the text of a script does not tell what it runs; undefined when it does. */
export function explainDoubts(doubts: ReadonlySet<Doubt>, platform: NodeJS.Platform): string | undefined {
  // Commands run in another shell there, which reads the same text in another way.
  if (platform === 'win32') return 'Commands are asked about.';
  const order: readonly string[] = Object.keys(reasons);
  const [worst] = [...doubts].sort((left, right) => order.indexOf(left) - order.indexOf(right));
  return worst && reasons[worst];
}
