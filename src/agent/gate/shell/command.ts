import type { ShellCommand, ShellWord } from './script.ts';
import { baseName, quoteLiteral } from './word.ts';

/** The words of a command; undefined when one of them is not literal, or it sets variables. */
export function literalWords({ words, assignments }: ShellCommand): readonly string[] | undefined {
  const values = words.map(({ value }) => value).filter((value) => value !== undefined);
  return assignments.length === 0 && values.length === words.length && values.length > 0 ? values : undefined;
}

/** Programs that run another one, which they are given as words. */
const runners: ReadonlySet<string> = new Set(
  `env sudo doas su nohup timeout gtimeout nice ionice time command builtin exec xargs parallel watch setsid stdbuf chroot
  strace ltrace unshare flock script busybox toybox chrt taskset systemd-run npx bunx eval trap coproc`.split(/\s+/),
);
const findRunners: ReadonlySet<string> = new Set(['-exec', '-execdir', '-ok', '-okdir']);

/** Every way to read a command, for rules that protect: as written, without quotes, without path, behind those that run it. */
export function variantsOf(command: ShellCommand): readonly string[] {
  return tails(command.words).flatMap((words) => {
    const plain = withoutGitOptions(words.map(({ likely }) => likely));
    const [name = '', ...rest] = plain;
    return [
      words.map(({ text }) => text).join(' '),
      plain.join(' '),
      plain.map(quoteLiteral).join(' '),
      [baseName(name), ...rest].join(' '),
    ];
  });
}

function tails(words: readonly ShellWord[]): readonly (readonly ShellWord[])[] {
  const name = baseName(words[0]?.likely);
  const starts = words.flatMap(({ likely }, index) => {
    if (index === 0 || runners.has(name)) return [index];
    return findRunners.has(likely) ? [index + 1] : [];
  });
  return starts.map((start) => words.slice(start)).filter((tail) => tail.length > 0);
}

const gitOptionsWithValue: ReadonlySet<string> = new Set([
  '-C',
  '-c',
  '--git-dir',
  '--work-tree',
  '--namespace',
  '--exec-path',
]);

/** `git -C x push` is `git push` to a rule. */
export function withoutGitOptions(words: readonly string[]): readonly string[] {
  if (baseName(words[0]) !== 'git') return words;
  let index = 1;
  while (words[index]?.startsWith('-')) index += gitOptionsWithValue.has(words[index] ?? '') ? 2 : 1;
  return [words[0] ?? '', ...words.slice(index)];
}
