import { baseName } from './script.ts';

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
