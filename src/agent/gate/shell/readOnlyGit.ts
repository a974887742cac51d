import { type Arguments, readFlags, sortArguments } from './flags.ts';

/**
 * What git may do unasked. Even these run what the repository's configuration names (file system monitors, filters,
 * text converters, remote helpers of partial clones), so the gate looks at that configuration as well: `gitConfig.ts`.
 */
type GitEntry = {
  readonly flags: string;
  /** Shows the content of files that are not named. */
  readonly isContent?: true;
  /** Flags that make it so. */
  readonly contentFlags?: readonly string[];
  /** Without one of these flags it may have no operands, since those would create something. */
  readonly listFlags?: readonly string[];
  readonly noOperands?: true;
  /** The first operand has to be one of these; without any it is fine. */
  readonly verbs?: readonly string[];
  readonly needsVerb?: true;
};

const commits = `-# -n: --max-count: --skip: --since: --after: --until: --before: --author: --committer: --grep: --all-match --invert-grep
  -i -E -F -P --regexp-ignore-case --extended-regexp --fixed-strings --merges --no-merges --first-parent --all --branches? --tags? --remotes?
  --reverse --date-order --author-date-order --topo-order --no-walk? --left-right --cherry-pick --ancestry-path --graph --decorate?
  --no-decorate --oneline --abbrev-commit --no-abbrev-commit --abbrev? --pretty? --format: --date: --relative-date --parents --children
  --follow --full-history --simplify-merges --boundary --left-only --right-only --cherry --no-color --color? --source --no-notes`;
const diffs = `-p -u -U: --patch --no-patch -s --raw --stat? --numstat --shortstat --dirstat? --summary --name-only --name-status --compact-summary
  --minimal --patience --histogram --diff-algorithm: -M? -C? -B? -D --find-renames? --find-copies? --no-renames --diff-filter: -S: -G: -z
  --pickaxe-regex --pickaxe-all -R --text -a --ignore-cr-at-eol --ignore-space-at-eol -b --ignore-space-change -w --ignore-all-space
  --ignore-blank-lines -W --function-context --exit-code --quiet --no-ext-diff --no-textconv --ignore-submodules? --src-prefix: --dst-prefix:
  --no-prefix --word-diff? --color-words? --unified: --full-index --binary --inter-hunk-context: --relative? --check --no-color --color?`;

const patchFlags = [
  '-p',
  '-u',
  '-U',
  '--patch',
  '--unified',
  '-S',
  '-G',
  '-W',
  '--function-context',
  '--word-diff',
  '--color-words',
  '--binary',
  '-c',
  '--cc',
];

const entries: Readonly<Record<string, GitEntry>> = {
  status: {
    flags:
      '-s -b -v -u? -z --short --branch --show-stash --porcelain? --long --verbose --untracked-files? --ignored? --ignore-submodules? --column? --no-column --ahead-behind --no-ahead-behind --renames --no-renames',
    contentFlags: ['-v', '--verbose'],
  },
  log: { flags: `${commits} ${diffs}`, contentFlags: patchFlags },
  diff: { flags: `${diffs} --cached --staged --merge-base`, isContent: true },
  show: { flags: `${commits} ${diffs}`, isContent: true },
  blame: {
    flags:
      '-b -c -e -f -l -L: -M? -n -p -s -t -w --date: --line-porcelain --porcelain --root --show-email --show-name --show-number --since: --abbrev:',
  },
  grep: {
    flags:
      '-a -A: -B: -C: -c -E -e: -F -G -h -H -i -I -l -L -n -o -P -p -q -v -w -W -z -# --all-match --and --or --not --break --cached --color? --column --count --extended-regexp --files-with-matches --files-without-match --fixed-strings --function-context --heading --ignore-case --invert-match --line-number --max-depth: --name-only --no-color --only-matching --perl-regexp --quiet --show-function --text --untracked --word-regexp',
    isContent: true,
  },
  branch: {
    flags:
      '-a -r -v -i --all --list --remotes --verbose --show-current --contains: --no-contains: --merged? --no-merged? --sort: --points-at: --format: --ignore-case --column? --no-column --color? --no-color --abbrev? --no-abbrev',
    listFlags: ['--list'],
  },
  tag: {
    flags:
      '-l -n? -i --list --contains: --no-contains: --merged? --no-merged? --sort: --points-at: --format: --ignore-case --column? --no-column --color?',
    listFlags: ['-l', '--list'],
  },
  remote: { flags: '-v --verbose', verbs: ['get-url'] },
  stash: { flags: '', verbs: ['list'], needsVerb: true },
  worktree: { flags: '--porcelain -v -z --verbose', verbs: ['list'], needsVerb: true },
  reflog: { flags: `${commits}`, verbs: ['show'] },
  'rev-parse': {
    flags:
      '-q --quiet --verify --short? --abbrev-ref? --symbolic --symbolic-full-name --all --branches? --tags? --remotes? --show-toplevel --show-prefix --show-cdup --show-superproject-working-tree --git-dir --git-common-dir --absolute-git-dir --is-inside-work-tree --is-inside-git-dir --is-bare-repository --is-shallow-repository --show-object-format?',
  },
  'rev-list': { flags: `${commits} --count --objects --timestamp` },
  'ls-files': {
    flags:
      '-c -d -i -k -m -o -s -t -u -v -x: -z --cached --deleted --modified --others --ignored --stage --directory --no-empty-directory --unmerged --killed --exclude: --exclude-standard --error-unmatch --full-name --abbrev? --deduplicate',
  },
  'ls-tree': { flags: '-d -r -t -l -z --name-only --name-status --long --full-name --full-tree --abbrev?' },
  'cat-file': { flags: '-t -s -e -p', isContent: true },
  'merge-base': { flags: '-a --all --octopus --independent --is-ancestor --fork-point' },
  describe: {
    flags:
      '--all --tags --contains --abbrev: --candidates: --exact-match --long --match: --exclude: --always --first-parent',
  },
  shortlog: { flags: '-n -s -e -w? --numbered --summary --email --since: --until: --all' },
  'count-objects': { flags: '-v -H --verbose --human-readable', noOperands: true },
  version: { flags: '--build-options', noOperands: true },
};

export type GitJudgement = {
  readonly faults: readonly string[];
  /** Names of files or of commits; both are looked at as paths. */
  readonly paths: readonly string[];
  readonly readsContent: boolean;
};

/** Whether it names something that can be looked up here; commits and other subcommands are left to rules. */
export function isReadOnlyGit(subcommand: string | undefined): boolean {
  return subcommand !== undefined && Object.hasOwn(entries, subcommand);
}

/** @param words behind `git` */
export function judgeGit(words: readonly string[]): GitJudgement {
  const start = words.findIndex((word) => word !== '--no-pager' && word !== '--no-optional-locks');
  const [subcommand = '', ...rest] = start < 0 ? [] : words.slice(start);
  if (words.length === 1 && (words[0] === '--version' || words[0] === '-v'))
    return { faults: [], paths: [], readsContent: false };
  const entry = Object.hasOwn(entries, subcommand) ? entries[subcommand] : undefined;
  if (!entry) return { faults: [subcommand], paths: [], readsContent: true };
  const sorted = sortArguments(rest, readFlags(entry.flags));
  const has = (flags: readonly string[]) => flags.some((flag) => sorted.flags.has(flag));
  // Asking for signatures runs the program that checks them.
  const signed = rest.filter((word) => /%G|%\(signature/.test(word));
  const isPattern = subcommand === 'grep' && !has(['-e']);
  return {
    faults: [...sorted.faults, ...signed, ...operandFaults(entry, sorted, has)],
    paths: isPattern ? sorted.operands.slice(1) : sorted.operands,
    readsContent: entry.isContent === true || has(entry.contentFlags ?? []),
  };
}

function operandFaults(
  entry: GitEntry,
  { operands }: Arguments,
  has: (flags: readonly string[]) => boolean,
): readonly string[] {
  const [first] = operands;
  if (entry.verbs)
    return (first === undefined && !entry.needsVerb) || entry.verbs.includes(first ?? '') ? [] : [first ?? ''];
  if (entry.noOperands || (entry.listFlags && !has(entry.listFlags))) return operands;
  return [];
}
