/**
 * Commands that run unasked, with the flags they may have. A flag is in here when it is known to neither write, run
 * nor send anything and to name no file: an unknown one is asked about. Nothing here reaches a network.
 */
export type ReadOnlyEntry = {
  readonly flags: string;
  /** What the words are that are no flags. `pattern`: the first is a pattern, the others are paths. */
  readonly operands: 'paths' | 'text' | 'none' | 'pattern';
  /** Some commands write to a second file. */
  readonly most?: number;
  /** Flags that make it read the content of files that are not named. */
  readonly contentBelow?: readonly string[];
  /** Flags that bring the pattern, so that all operands are paths. */
  readonly patternFlags?: readonly string[];
  /** It reads the content of files that are not named, whatever its flags. */
  readonly isContentBelow?: true;
  /** In a folder it would follow links out of the workspace. */
  readonly isForFiles?: true;
};

const greps: ReadOnlyEntry = {
  flags: `-a -b -c -E -F -G -H -h -I -i -L -l -n -o -P -q -r -s -U -v -w -x -y -z -A: -B: -C: -d: -D: -e: -m: -#
    --basic-regexp --binary --byte-offset --color? --colour? --count --extended-regexp
    --files-with-matches --files-without-match --fixed-strings --ignore-case --invert-match --line-buffered --line-number
    --line-regexp --no-filename --no-ignore-case --no-messages --null --null-data --only-matching --perl-regexp --quiet
    --recursive --silent --text --version --help --with-filename --word-regexp --after-context: --before-context: --context:
    --exclude: --exclude-dir: --include: --max-count: --regexp: --binary-files: --directories: --label:`,
  operands: 'pattern',
  contentBelow: ['-r', '--recursive', '-d', '--directories'],
  patternFlags: ['-e', '--regexp'],
};

const digests: ReadOnlyEntry = { flags: '-b -t -z --binary --text --tag --zero --help --version', operands: 'paths' };
const nothing: ReadOnlyEntry = { flags: '', operands: 'none' };

export const readOnlyTable: Readonly<Record<string, ReadOnlyEntry>> = {
  ls: {
    flags: `-1 -a -A -b -B -c -C -d -F -g -G -h -H -i -k -l -m -n -N -o -p -q -Q -r -R -s -S -t -T: -u -U -v -w: -x -X -Z -I:
      --all --almost-all --author --classify? --color? --directory --file-type --format: --full-time
      --group-directories-first --hide: --human-readable --ignore: --indicator-style: --inode --kibibytes --no-group
      --numeric-uid-gid --quote-name --recursive --reverse --si --size --sort: --time: --time-style: --width: --help --version`,
    operands: 'paths',
  },
  cat: {
    flags: `-A -b -e -E -n -s -t -T -u -v --number --number-nonblank --show-all --show-ends --show-nonprinting --show-tabs
      --squeeze-blank --help --version`,
    operands: 'paths',
  },
  head: {
    flags: '-# -n: -c: -q -v -z --lines: --bytes: --quiet --silent --verbose --zero-terminated --help --version',
    operands: 'paths',
  },
  tail: {
    flags: '-# -n: -c: -q -v -z --lines: --bytes: --quiet --silent --verbose --zero-terminated --help --version',
    operands: 'paths',
  },
  wc: {
    flags: '-c -l -L -m -w --bytes --chars --lines --words --max-line-length --total: --help --version',
    operands: 'paths',
  },
  nl: { flags: '-b: -d: -f: -h: -i: -l: -n: -p -s: -v: -w: --help --version', operands: 'paths' },
  tac: { flags: '-b -r -s: --before --regex --separator: --help --version', operands: 'paths' },
  rev: { flags: '', operands: 'paths' },
  cut: {
    flags:
      '-b: -c: -d: -f: -n -s -z --bytes: --characters: --complement --delimiter: --fields: --only-delimited --output-delimiter: --zero-terminated --help --version',
    operands: 'paths',
  },
  sort: {
    flags: `-b -c -C -d -f -g -h -i -k: -M -m -n -r -R -s -t: -u -V -z --check? --dictionary-order --field-separator: --general-numeric-sort
      --human-numeric-sort --ignore-case --ignore-leading-blanks --ignore-nonprinting --key: --merge --month-sort --numeric-sort
      --random-sort --reverse --sort: --stable --unique --version-sort --zero-terminated --help --version`,
    operands: 'paths',
  },
  uniq: {
    flags:
      '-c -d -D -f: -i -s: -u -w: -z --all-repeated? --check-chars: --count --group? --ignore-case --repeated --skip-chars: --skip-fields: --unique --zero-terminated --help --version',
    operands: 'paths',
    most: 1,
  },
  tr: {
    flags: '-c -C -d -s -t --complement --delete --squeeze-repeats --truncate-set1 --help --version',
    operands: 'text',
  },
  comm: {
    flags: '-1 -2 -3 -z --check-order --nocheck-order --output-delimiter: --total --zero-terminated --help --version',
    operands: 'paths',
  },
  cmp: {
    flags: '-b -i: -l -n: -s --bytes: --ignore-initial: --print-bytes --quiet --silent --verbose --help --version',
    operands: 'paths',
  },
  diff: {
    flags: `-# -a -b -B -c -d -e -E -i -n -N -p -q -s -t -T -u -U: -C: -w -W: -x: -y -Z --brief --color? --context? --expand-tabs
      --exclude: --ignore-all-space --ignore-blank-lines --ignore-case --ignore-space-change --ignore-trailing-space --label:
      --minimal --new-file --report-identical-files --show-c-function --side-by-side --strip-trailing-cr
      --suppress-common-lines --text --unified? --width: --help --version`,
    operands: 'paths',
    isForFiles: true,
  },
  stat: {
    flags: '-c: -f -L -t --dereference --file-system --format: --printf: --terse --help --version',
    operands: 'paths',
  },
  file: {
    flags:
      '-b -i -h -k -L -N -n -r -0 --brief --dereference --keep-going --mime --mime-encoding --mime-type --no-dereference --raw --version --help',
    operands: 'paths',
  },
  du: {
    flags:
      '-a -b -c -d: -h -k -l -m -s -S -x -0 --all --apparent-size --bytes --max-depth: --human-readable --one-file-system --separate-dirs --summarize --total --help --version',
    operands: 'paths',
  },
  df: {
    flags:
      '-a -h -H -i -k -l -T -P --all --human-readable --inodes --local --portability --print-type --total --help --version',
    operands: 'paths',
  },
  tree: {
    flags:
      '-a -d -f -i -p -s -h -u -g -D -F -r -t -U -v -C -n -N -q -L: -I: -P: --dirsfirst --du --noreport --prune --charset: --filelimit: --gitignore --version --help',
    operands: 'paths',
  },
  basename: { flags: '-a -s: -z --multiple --suffix: --zero --help --version', operands: 'text' },
  dirname: { flags: '-z --zero --help --version', operands: 'text' },
  realpath: {
    flags:
      '-e -m -L -P -q -s -z --canonicalize-existing --canonicalize-missing --logical --no-symlinks --physical --quiet --strip --zero --help --version',
    operands: 'paths',
  },
  readlink: {
    flags:
      '-e -f -m -n -q -s -v -z --canonicalize --canonicalize-existing --canonicalize-missing --no-newline --quiet --silent --verbose --zero --help --version',
    operands: 'paths',
  },
  md5sum: digests,
  sha1sum: digests,
  sha256sum: digests,
  sha512sum: digests,
  cksum: { flags: '--help --version', operands: 'paths' },
  od: {
    flags:
      '-A: -a -b -c -d -f -i -j: -l -N: -o -s -t: -v -w? -x --address-radix: --endian: --format: --read-bytes: --skip-bytes: --help --version',
    operands: 'paths',
  },
  strings: {
    flags: '-a -f -n: -t: -o -w --all --bytes: --print-file-name --radix: --help --version',
    operands: 'paths',
  },
  grep: greps,
  egrep: greps,
  fgrep: greps,
  rg: {
    flags: `-a -A: -B: -C: -c -E: -e: -F -g: -H -h -i -I -l -m: -M: -n -N -o -P -p -q -r: -S -s -t: -T: -u -U -v -V -w -x -# -.
      --after-context: --before-context: --case-sensitive --color: --column --context: --count --count-matches --crlf --encoding:
      --files --files-with-matches --files-without-match --fixed-strings --glob: --glob-case-insensitive --heading --hidden --iglob:
      --ignore-case --invert-match --json --line-number --line-regexp --max-columns: --max-count: --max-depth: --max-filesize:
      --multiline --multiline-dotall --no-config --no-filename --no-heading --no-ignore --no-ignore-vcs --no-line-number
      --no-messages --null --only-matching --passthru --pcre2 --pretty --quiet --regexp: --replace: --smart-case --sort: --sortr:
      --stats --text --threads: --trim --type: --type-list --type-not: --unrestricted --version --vimgrep --with-filename
      --word-regexp --help`,
    operands: 'pattern',
    patternFlags: ['-e', '--regexp', '--files', '--type-list'],
    isContentBelow: true,
  },
  echo: { flags: '-n -e -E', operands: 'text' },
  pwd: { flags: '-L -P', operands: 'none' },
  true: { flags: '', operands: 'text' },
  false: { flags: '', operands: 'text' },
  whoami: nothing,
  id: { flags: '-g -G -n -r -u -z --group --groups --name --real --user --zero --help --version', operands: 'text' },
  uname: { flags: '-a -i -m -n -o -p -r -s -v --all --help --version', operands: 'none' },
  arch: nothing,
  nproc: { flags: '--all --help --version', operands: 'none' },
  uptime: { flags: '-p -s -V --pretty --since --help --version', operands: 'none' },
  which: { flags: '-a --all', operands: 'text' },
  type: { flags: '-a -f -p -P -t', operands: 'text' },
  seq: { flags: '-f: -s: -w --equal-width --format: --separator: --help --version', operands: 'text' },
};
