import { withoutGitOptions } from './command.ts';
import { baseName } from './word.ts';

/**
 * Programs that run or write what their arguments say, and parts of the shell that change what later commands mean. A rule
 * with a `*` never covers them; a rule for one exact command does.
 */
const names: ReadonlySet<string> = new Set(
  `awk gawk mawk nawk sed gsed xargs parallel env sudo doas su eval exec source . command builtin trap alias unalias hash enable
  bind complete compgen mapfile readarray read declare typeset local export readonly set shopt unset let getopts wait pushd popd dirs
  bash sh zsh dash ksh fish csh tcsh busybox toybox script watch setsid nice ionice stdbuf time chroot unshare strace ltrace
  coproc function select ssh su runuser pkexec systemd-run at batch crontab`.split(/\s+/),
);

export function neverByWildcard(name: string | undefined): boolean {
  return name === undefined || names.has(baseName(name).toLowerCase());
}

/** Flags whose name says that they run a program. */
const runningFlag =
  /^--?(?:[a-z0-9]+-)*(?:exec|command|cmd|program|rsh|shell|pager|upload-pack|receive-pack|checkpoint-action)(?==|$)/;
/** Addresses with which git runs a program in the place of a server. */
const runningAddress = /^(?:ext|fd)::/;
/** Behind these git runs what it is told. */
const gitVerbs: ReadonlySet<string> = new Set(['submodule foreach', 'bisect run', 'hook run', 'rebase -x']);
const gitRunners: ReadonlySet<string> = new Set(['filter-branch', 'difftool', 'mergetool']);

/** Words of a command with which it runs what it is told. A `*` in a rule covers none of them: the rule has to spell them out. */
export function runningWords(words: readonly string[]): readonly string[] {
  const flags = words.slice(1).flatMap((word) => runningFlag.exec(word)?.[0] ?? []);
  const named = [...flags, ...words.filter((word) => runningAddress.test(word))];
  if (baseName(words[0]) !== 'git') return named;
  const [, subcommand = '', ...rest] = withoutGitOptions(words);
  const verbs = rest.filter((word) => gitVerbs.has(`${subcommand} ${word.startsWith('-x') ? '-x' : word}`));
  return [...named, ...verbs, ...(gitRunners.has(subcommand) ? [subcommand] : [])];
}
