// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are scripts of a shell
/**
 * Rules, and what they say about a command. One row a line: verdict, command; `⏎` is a line end, `␍` a carriage return.
 *
 * reads: runs unasked, since it only reads · allows: by a rule · denies, asks: by a rule, in every mode · protects: asked in
 * every mode · open: as the mode says · open?: the same, and asked where the mode asks nothing.
 *
 * The folder holds a.txt, b.txt, .env, secrets/key, src/x.ts, and the links notes → .env, vault → secrets, out → a folder
 * outside, gitdir → .git; it is a repository whose configuration is plain.
 */
export const tables: readonly { readonly rules: readonly string[]; readonly rows: string }[] = [
  {
    rules: [],
    rows: `
reads  ls
reads  ls -la src
reads  ls --color=auto
reads  pwd
reads  cat a.txt
reads  cat -n a.txt b.txt
reads  cat 'a.txt'
reads  cat "a.txt"
reads  cat a\\.txt
reads  head -5 a.txt
reads  head -n 5 a.txt
reads  head --lines=5 a.txt
reads  tail -n 20 a.txt
reads  wc -l a.txt
reads  echo hello
reads  echo "two words" 'and more'
reads  echo -n x
reads  echo --anything -at all
reads  grep -rn "one$" src
reads  grep -E '^(a|b)' a.txt
reads  grep -e one -e two a.txt
reads  grep "/api/users" a.txt
reads  egrep -v x a.txt
reads  rg -n one src
reads  rg --files
reads  rg --glob '*.ts' one
reads  find . -name '*.ts'
reads  find src -type f -maxdepth 2
reads  find . \\( -name a.txt -o -name b.txt \\) -print
reads  find . ! -name a.txt
reads  sort a.txt
reads  sort -k2 -n a.txt | uniq -c
reads  cut -d, -f1 a.txt
reads  tr a-z A-Z
reads  stat a.txt
reads  file a.txt
reads  du -sh src
reads  diff a.txt b.txt
reads  diff -u a.txt b.txt
reads  date
reads  date +%Y-%m-%d
reads  date -u
reads  which node
reads  type ls
reads  command -v node
reads  basename src/x.ts
reads  true
reads  true && false || true
reads  test -f a.txt
reads  [ -d src ] && echo yes
reads  [ a = b ]
reads  printf '%s\\n' x
reads  id -u
reads  uname -a
reads  git status
reads  git status --short
reads  git status -sb
reads  git log --oneline -5
reads  git log -n 3 --stat
reads  git log --grep=fix --author=x
reads  git log main..HEAD -- src
reads  git diff
reads  git diff --stat HEAD~1
reads  git diff --cached a.txt
reads  git show HEAD
reads  git show HEAD:a.txt
reads  git show --stat HEAD~2
reads  git branch
reads  git branch --list
reads  git branch -a
reads  git branch --show-current
reads  git branch --list 'feature/x'
reads  git tag
reads  git tag -l
reads  git remote -v
reads  git remote get-url origin
reads  git rev-parse HEAD
reads  git rev-parse --show-toplevel
reads  git rev-parse --abbrev-ref HEAD
reads  git stash list
reads  git worktree list
reads  git ls-files
reads  git blame a.txt
reads  git grep one
reads  git describe --tags
reads  git --no-pager log -1
reads  git --version
reads  git reflog
reads  git show stash@{0}
reads  ls; pwd
reads  ls && pwd
reads  ls || pwd
reads  ls | head -3
reads  ls |& cat
reads  ls⏎pwd
reads  (ls)
reads  { ls; pwd; }
reads  ! grep -q x a.txt
reads  time ls
reads  ls 2>/dev/null
reads  ls > /dev/null 2>&1
reads  ls &>/dev/null
reads  ls 2>&1 | tail -5
reads  cat < /dev/null
reads  ls # only looking
reads  # first⏎ls
reads  ls \\⏎  -la
reads  cd src
reads  cd src && ls
reads  cd src && cat x.ts
reads  cd ./src; pwd
reads  echo 'a;b' "c&d"
reads  echo 'a⏎b'
reads  echo '$(id)'
reads  echo "costs 5$"
reads  echo a#b
reads  cat -- a.txt
reads  echo 文 # quoted or not?
`.replace('reads  echo 文 # quoted or not?\n', "reads  echo '文'\nopen   echo 文\n"),
  },
  {
    rules: [],
    rows: `
open   npm test
open   touch x
open   mkdir new
open   rm a.txt
open   node x.js
open   ./run
open   curl http://x.example
open   wget x
open   ping -c 1 x.example
open   nslookup x
open   dig x
open   host x
open   ssh x
open   nc -z x 1
open   telnet x
open   scp a b
open   whois x
open?  find . -exec id {} +
open?  find . -execdir id {} ;
open?  find . -delete
open?  find . -fprint out.txt
open?  find . -ok id {} \\;
open   find . -newer a.txt
open   find -L .
open   find . -made-up
open?  awk 'BEGIN{system("id")}'
open   awk '{print $1}' a.txt
open?  sed 'w x' a.txt
open?  sed -n '1e id' a.txt
open   sed -n 1,5p a.txt
open   sed s/a/b/ a.txt
open?  xargs rm
open   xargs echo
open   env
open   env ls
open   sudo ls
open   tee x
open   sort -o x a.txt
open   sort --compress-program=./e a.txt
open   sort --output=x a.txt
open   uniq a.txt b.txt
open   tree -o x
open   rg --pre=./e one
open   rg --pre ./e one
open   rg --hostname-bin=./e one
open   rg -z one
open   rg --search-zip one
open   rg -f a.txt
open   grep -f a.txt b.txt
open   grep -P --made-up x
open   grep -R x .
open   rg -L x
open   rg --follow x
open   diff src src
open   diff -r src src
open   date -s 2020-01-01
open   date 010100002020
open   date -f a.txt
open   file -C -m x
open   command ls
open   command -p ls
open   printf -v PATH x
open   printf '%n' x
open   test -v 'a[0]'
open   [ -v 'a[0]' ]
open   [ -R x ]
open   test a -a b
open   type -x
open   less a.txt
open   more a.txt
open   man ls
open   xxd a.txt out.txt
open   hostname x
open   yes
open   python3 --version
open   node --version
open   git commit -m x
open   git add a.txt
open   git push
open   git pull
open   git fetch
open   git ls-remote
open   git clone x
open   git checkout main
open   git stash
open   git stash pop
open   git branch new
open   git branch -D old
open   git branch -m new
open   git tag v1
open   git tag -d v1
open   git remote add x y
open   git remote show origin
open   git remote update
open   git reflog expire --all
open   git worktree add ../x
open   git submodule status
open   git log --output=x
open   git log --output x
open   git diff --ext-diff
open   git diff --textconv
open   git diff --no-index /etc/passwd a.txt
open   git diff --output=x
open   git show --ext-diff
open   git show --show-signature
open   git log --show-signature
open   git log --format=%G?
open   git log --format='%h %GK'
open   git log --made-up
open   git grep -O one
open   git grep --open-files-in-pager=./e one
open   git grep -Ocat one
open   git -c core.pager=./e log
open   git -c core.fsmonitor=./e status
open   git -C src status
open   git --git-dir=x log
open   git --exec-path=x log
open   git -p log
open   git --paginate log
open   git x
open   git cat-file --textconv HEAD:a.txt
open   git cat-file --filters HEAD:a.txt
open   git cat-file --batch
protects  git config user.name x
open   git config --get user.name
open   git bisect run ./e
open   git rebase -x ./e
open   git difftool
open   git help log
open   cat /etc/passwd
open   cat ../outside.txt
open   cat out/secret
open   ls out
open   ls ..
open   ls /
open   head ../x
open   cat ~/.ssh/id_rsa
open   cat '~/x'
open   grep x /etc/passwd
open   grep -r x ..
open   find / -name x
open   find .. -name x
open   diff a.txt /etc/passwd
open   git diff /etc/passwd /etc/hosts
open   git log -- ../x
open   cd .. && ls
open   cd / && ls
open?  cd
open?  cd -
open?  cd ~
open?  cd src x
open   cd src && touch y
open   cd src && npm test
open   cd src; echo x > y
open   cd out && ls
open?  pushd src
open   cd src && git status
open   cd src && cat ../../x
open   cd src && cd .. && cat a.txt
`,
  },
  {
    rules: [],
    rows: `
open   echo $(id)
open   echo "$(id)"
open   echo \`id\`
open?  git log --grep="$(id)"
open   echo $HOME
open   echo "$HOME"
open   echo \${x@P}
open   echo \${x:-y}
open   echo $((1+1))
open?  ls$IFS-la
open   ls *.ts
open   cat a.tx?
open   cat [ab].txt
open   cat {a,b}.txt
open   echo {1..3}
open   ls ~
open   ls ~root
open   echo x=~/y
open   cat <(id)
open   ls >(id)
open   echo $'a'
open   echo $"a"
open   echo a@(b)
open   ls > x
open   ls >> x
open   ls >| x
open   ls >& x
open   ls &> x
open   ls 2> x
open   ls <> x
open   cat < a.txt
open   ls 3>/dev/null
open   ls {fd}>/dev/null
open?  ls > ~/.bashrc-not
open?  ls > "$x"
open   A=1 ls
open   A=1
open   export A=1
open   PATH=. ls
open   export PAGER=./p
open   declare a=1
open   cat <<E⏎x⏎E
open   cat <<'E'⏎x⏎E
open   cat <<< x
open   if true; then ls; fi
open   for i in a; do ls; done
open   while true; do ls; done
open   until ls; do ls; done
open   case a in a) ls;; esac
open   select i in a; do ls; done
open   ls() { id; }; ls
open   function ls { id; }⏎ls
open   [[ -f a.txt ]]
open   ((1))
open   ls &
open   ls & pwd
open   coproc ls
open   eval ls
open?  eval "$x"
open   exec ls
open   source a.txt
open   . a.txt
open   trap ls EXIT
open   alias ls=id
open   hash -p ./e ls; ls
open   enable -f ./e x
open   mapfile -C ./e x
open   shopt -s extglob
open   set -x
open   read x
open   bash -c ls
open   sh -c 'touch x'
open?  bash
open?  ls | sh
open?  ls | bash -s
open?  ls "
open?  ls '
open?  ls (
open?  ls )
open?  ls;;pwd
open?  ls &&
open?  | ls
open?  if ls
open?  echo a␍touch x
open?  ls␍⏎pwd
open   echo a⏎touch x
open   echo a;touch x
open   echo a&&touch x
open   echo a||touch x
open   echo a|touch x
open   echo a&touch x
open   l"s" x; touch y
open   echo a #b⏎touch x
open   ls; touch x # ls
open   echo 'a⏎b'⏎touch x
open   echo a\\⏎b
open?  "ls"$x
open   l\\s; touch x
open   \\touch x
open   'touch' x
open   ./ls
open   /bin/ls
open   src/../ls
`,
  },
  {
    rules: [],
    rows: `
protects  echo x > .git/hooks/pre-commit
protects  cd .claude && touch f
protects  cd .claude && echo x > f
protects  touch .vscode/settings.json
protects  touch .VSCODE/Settings.json
protects  touch '.vs'code/x
protects  touch .vs\\code/x
protects  touch $'.vscode/x'
protects  cp a "$HOME"/.bashrc
protects  cp a ~/.bashrc
protects  cp a.txt .git/config
protects  cp a.txt .g*/config
protects  cp a.txt .gi?/config
protects  cp a.txt .[g]it/config
protects  tee .mcp.json
protects  ls > .vscode/tasks.json
protects  mkdir x && mv x .claude
protects  ln -s .git g
protects  rm gitdir/config
protects  cd gitdir && touch config
protects  touch gitdir/hooks/x
protects  dd of=.git/config
protects  sort -o.git/config a.txt
protects  sort --output=.git/config a.txt
protects  git log --output=.git/config
protects  touch x.code-workspace
protects  touch *.code-workspace
protects  rm *
protects  touch .devcontainer/x
protects  touch .github/agents/x.agent.md
protects  bash -c 'echo x > .git/config'
protects  bash -c "touch .vscode/x"
protects  eval 'touch .git/x'
protects  npm run x -- .claude/settings.json
protects  tar xf x -C .git
protects  rm -rf .
protects  rm -rf ./
protects  rm -rf ../workspace
protects  mv . x
protects  chmod -R 777 .
protects  touch ./src/../.git/x
protects  touch src/tasks.json
protects  git config core.fsmonitor ./e
protects  git -C . config core.pager ./e
protects  for f in .git; do touch $f/x; done
protects  D=.git; touch $D/x
protects  printf x | tee .vscode/x
reads  cat .git/config
reads  ls .vscode
reads  cat .vscode/settings.json
reads  grep -rn x .claude
reads  git diff .vscode
open   touch .gitignore
open   touch git.ts
open   touch .github/workflows/x.yml
open   rm *.log
open   rm -rf src
open?  touch "$x"
open?  touch $x/y
open?  touch $(echo x)
open?  echo x > $y
open?  cp a.txt {b,c}
open?  for f in a; do touch $f; done
open?  cd $x && touch y
open?  python3 -c 'print(1)'
open?  node -e 'x'
open?  perl -e 1
open?  bash -c "$x"
open?  tar cf x ~
open   cat "$x"
open   for f in *; do cat "$f"; done
open   npm test
open   git commit -m 'x'
open   make -j2 all
`,
  },
  {
    rules: ['allow Bash(npm run test:*)', 'allow Bash(git commit *)', 'allow Bash(make)', 'allow Bash(ls*)'],
    rows: `
allows  npm run test
allows  npm run test -- --grep x
allows  npm  run   test
allows  npm run test 2>&1 | tail -20
allows  npm run test && git status
allows  npm run test; make
allows  timeout 60 npm run test
allows  nohup npm run test
allows  (npm run test)
allows  ! npm run test
allows  time npm run test
allows  git commit -m 'fix: x'
allows  git commit -m "a & b; c"
allows  git commit
allows  make
allows  lsof
allows  lsblk -a
open   npm run test:unit
open   npm run tests
open   npm run testing
open   npm run build
open   npm
open   xnpm run test
open   ./npm run test
open   /usr/bin/npm run test
open   NPM run test
open   "npm run test"
open   'npm run' test
open   npm 'run test'
open   make all
open   gmake
open   makex
open   git commits
open   git
open   git -c x=y commit
open   npm run test && rm a.txt
open   npm run test; curl x
open   npm run test | sh -x y
open   npm run test | tee x
open   npm run test⏎touch x
open   npm run test &
open   npm run test > x
open   npm run test >> x
open?  npm run test $(id)
open?  npm run test "$x"
open   npm run test *.ts
open   A=1 npm run test
open   cd src && npm run test
open   timeout -s KILL 60 npm run test
open   env npm run test
open   sudo npm run test
open   xargs npm run test
protects  npm run test .git/x
open   if npm run test; then make; fi
open?  npm run test␍x
`,
  },
  {
    rules: [
      'allow Bash(find:*)',
      'allow Bash(git:*)',
      'allow Bash(sort *)',
      'allow Bash(rg *)',
      'allow Bash(find * -delete)',
      'allow Bash(sed -n 5p a.txt)',
      'allow Bash(python3:*)',
      'allow Bash(* --version)',
    ],
    rows: `
reads   find . -name x
allows  find /tmp -name x
allows  find . -delete
open?   find . -exec id {} +
open?   find . -name x -execdir id {} +
open?   find . -fprint x
allows  git push
allows  git commit -m x
reads   git log --oneline
open    git log --output=x
open    git diff --ext-diff
open    git -c alias.x=!id x
open    git --exec-path=. log
allows  sort /tmp/x
open    sort -o x a.txt
open    sort --compress-program=./e a.txt
open    rg --pre=./e x
open    rg --pre ./e x
allows  sed -n 5p a.txt
open    sed -n 6p a.txt
open    sed -i s/a/b/ a.txt
allows  python3 x.py
open?   python3 -c 'import os' "$x"
allows  cargo --version
open    sudo --version
open    env --version
`,
  },
  {
    rules: ['allow Bash'],
    rows: `
allows  npm test
allows  touch x
allows  rm a.txt && npm test
reads   ls
open    cd src && npm test
open?   touch $x
open    touch x > y
open?   find . -exec id {} +
open    sed -i s/a/b/ a.txt
open    env x
open    sudo ls
open    bash -c ls
protects  touch .git/x
`,
  },
  {
    rules: [
      'allow Bash(echo \\* x)',
      'allow Bash(npm run "a b")',
      'allow Bash(git * main)',
      'allow Bash(a*b*c)',
      "allow Bash(printf '%n' x)",
    ],
    rows: `
reads   echo '*' x
open    echo * x
allows  npm run "a b"
allows  npm run 'a b'
allows  npm run a\\ b
open    npm run a b
allows  git push origin main
allows  git checkout main
open    git checkout mainx
open    git main
allows  abc
allows  axbxc
allows  a 'b' c
open    acb
allows  printf '%n' x
`,
  },
  {
    rules: ['deny Bash(rm:*)', 'deny Bash(git push *)', 'deny Bash(curl *)', 'allow Bash', 'deny Bash(dd)'],
    rows: `
denies  rm x
denies  rm
denies  RM x
denies  'rm' x
denies  r\\m x
denies  r''m x
denies  $'rm' x
denies  r\\⏎m x
denies  /bin/rm x
denies  ../../bin/rm x
denies  ls && rm x
denies  ls; rm x
denies  ls | rm x
denies  ls⏎rm x
denies  (rm x)
denies  { rm x; }
denies  rm x &
denies  echo $(rm x)
denies  echo "\`rm x\`"
denies  cat <(rm x)
denies  if true; then rm x; fi
denies  for i in a; do rm $i; done
denies  f() { rm x; }; f
denies  A=1 rm x
denies  rm x > y
denies  rm "$x"
denies  sudo rm x
denies  env A=1 rm x
denies  nohup rm x
denies  timeout 5 rm x
denies  time rm x
denies  command rm x
denies  exec rm x
denies  xargs rm
denies  find . -exec rm {} +
denies  find . -name x -ok rm {} \\;
denies  bash -c 'rm x'
denies  sh -c "ls; rm x"
denies  bash -lc 'rm x'
denies  eval rm x
denies  eval 'rm x'
denies  bash <<E⏎rm x⏎E
denies  bash <<< 'rm x'
denies  sudo bash -c 'rm x'
denies  git push
denies  git push origin x
denies  git -C src push
denies  git --no-pager push origin
denies  git -c a=b push
denies  curl x
denies  curl.exe x
denies  dd
allows  dd of=x
allows  rmdir x
allows  git pushy
allows  npm run rm
reads   echo rm x
reads   ls rm
open?   $x rm
open?   echo rm x | bash
open?   touch $y
`,
  },
  {
    rules: ['ask Bash(git push:*)', 'allow Bash(git:*)', 'ask Bash(ls -R)', 'deny Bash(git push --force:*)'],
    rows: `
asks    git push
asks    git push origin main
denies  git push --force
denies  git push --force origin
allows  git pull
asks    ls -R
reads   ls
asks    git pull && git push
`,
  },
  {
    rules: [
      'deny Read(./.env)',
      'deny Read(secrets/**)',
      'ask Read(b.txt)',
      'deny Edit(/src/**)',
      'allow Bash(python3:*)',
      'deny Read(~/.ssh/**)',
    ],
    rows: `
denies  cat .env
denies  cat ./.env
denies  cat ./src/../.env
denies  cat .ENV
denies  cat '.env'
denies  cat .e''nv
denies  cat $'.env'
denies  head -1 .env
denies  cat a.txt .env
denies  cat notes
denies  cat secrets/key
denies  cat vault/key
denies  cat ~/.ssh/id_rsa
denies  ls && cat .env
denies  git show HEAD:.env
denies  git diff .env
denies  cp .env x
denies  python3 x.py .env
denies  python3 x.py --file=.env
denies  cat < .env
denies  cd src && cat ../.env
denies  cat $(echo x) .env
denies  bash -c 'cat .env'
denies  echo x > src/y
denies  touch src/y
denies  sed -i s/a/b/ src/x.ts
asks    cat b.txt
asks    cat ./B.TXT
reads   cat a.txt
reads   ls -la
reads   echo hello
reads   cat src/../a.txt
reads   git status
reads   git log --oneline
reads   find . -name x
open    grep -r x .
open    grep -rn x src
open    rg x
open    git diff
open    git show HEAD
open    git log -p
open    git grep x
open    diff -r a.txt src
open?   cat .e*
open?   cat "$x"
allows  python3 y.py
`,
  },
  {
    rules: [
      'allow Bash(git *)',
      'allow Bash(git rebase -x *)',
      'allow Bash(git submodule foreach *)',
      'allow Bash(tar --to-command=* *)',
    ],
    rows: `
allows  git rebase main
allows  git rebase -x make main
allows  git submodule foreach make
allows  git submodule update
allows  tar --to-command=cat -xf x
allows  git push
open    git bisect run make
open    git difftool
open    git filter-branch --all
open    git push --receive-pack=./x
open    git fetch ext::./x
`,
  },
];

export type Row = { readonly rules: readonly string[]; readonly verdict: string; readonly command: string };

export const rows: readonly Row[] = tables.flatMap(({ rules, rows: text }) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [, verdict = '', command = ''] = /^(\S+)\s+(.*)$/.exec(line) ?? [];
      return { rules, verdict, command: command.replaceAll('⏎', '\n').replaceAll('␍', '\r') };
    }),
);
