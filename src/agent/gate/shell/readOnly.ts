import { readFlags, sortArguments } from './flags.ts';
import { isReadOnlyGit, judgeGit } from './readOnlyGit.ts';
import { type ReadOnlyEntry, readOnlyTable } from './readOnlyTable.ts';

export type ReadOnlyJudgement = {
  /** Words that keep it from running unasked; empty: it only reads. */
  readonly faults: readonly string[];
  /** What it may read, as written. */
  readonly paths: readonly string[];
  /** It shows the content of files that are not named, e.g. below a folder. */
  readonly readsContentBelow: boolean;
  /** What the repository's configuration says may run. */
  readonly usesGit: boolean;
  /** None of the paths may be a folder. */
  readonly isForFiles: boolean;
};

const plain = { faults: [], paths: [], readsContentBelow: false, usesGit: false, isForFiles: false } as const;

/** @returns undefined for a command that is not known to only read, whatever its flags */
export function judgeReadOnly(words: readonly string[]): ReadOnlyJudgement | undefined {
  const [name = '', ...rest] = words;
  switch (name) {
    case 'git': {
      const subcommand = rest.find((word) => !word.startsWith('-'));
      if (subcommand !== undefined && !isReadOnlyGit(subcommand)) {
        const options = rest.slice(0, rest.indexOf(subcommand)).filter((word) => word !== '--no-pager');
        return options.length > 0 ? { ...plain, faults: options, readsContentBelow: true, usesGit: true } : undefined;
      }
      const { faults, paths, readsContent } = judgeGit(rest);
      return { ...plain, faults, paths, readsContentBelow: readsContent, usesGit: true };
    }
    case 'find':
      return judgeFind(rest);
    case 'test':
      return judgeTest(rest);
    case '[':
      return rest.at(-1) === ']' ? judgeTest(rest.slice(0, -1)) : { ...plain, faults: rest };
    case 'printf':
      return judgePrintf(rest);
    case 'date':
      return judgeDate(rest);
    case 'command':
      // Without the flag it runs what follows.
      return /^-[vV]$/.test(rest[0] ?? '')
        ? { ...plain, faults: rest.slice(1).filter((word) => word.startsWith('-')) }
        : undefined;
    default: {
      const entry = Object.hasOwn(readOnlyTable, name) ? readOnlyTable[name] : undefined;
      return entry && judgeEntry(rest, entry);
    }
  }
}

function judgeEntry(words: readonly string[], entry: ReadOnlyEntry): ReadOnlyJudgement {
  if (entry.operands === 'text' && entry === readOnlyTable.echo) return plain;
  const { operands, flags, faults } = sortArguments(words, readFlags(entry.flags));
  const has = (wanted: readonly string[] | undefined) => (wanted ?? []).some((flag) => flags.has(flag));
  const tooMany = operands.slice(entry.operands === 'none' ? 0 : (entry.most ?? operands.length));
  const isPattern = entry.operands === 'pattern' && !has(entry.patternFlags);
  const paths = isPattern ? operands.slice(1) : operands;
  return {
    faults: [...faults, ...tooMany],
    paths: entry.operands === 'text' || entry.operands === 'none' ? [] : paths,
    readsContentBelow: entry.isContentBelow === true || has(entry.contentBelow),
    usesGit: false,
    isForFiles: entry.isForFiles === true,
  };
}

const findTests = readFlags(
  `-name: -iname: -path: -ipath: -wholename: -iwholename: -regex: -iregex: -regextype: -type: -xtype: -maxdepth: -mindepth: -size: -mtime:
  -mmin: -atime: -amin: -ctime: -cmin: -perm: -user: -group: -uid: -gid: -links: -inum: -lname: -ilname: -newermt: -printf: -fstype: -used:
  -a -o -and -or -not -empty -print -print0 -prune -quit -true -false -ls -depth -xdev -mount -daystart -readable -writable -executable -nouser
  -nogroup -noleaf -ignore_readdir_race -P -H -d`,
);

/** Its tests are whole words, and every value stands in the next one. */
function judgeFind(words: readonly string[]): ReadOnlyJudgement {
  const faults: string[] = [];
  const paths: string[] = [];
  let isAtTests = false;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (findTests.valued.has(word)) index += 1;
    else if (!findTests.plain.has(word) && !/^[(),!]$/.test(word)) {
      if (word.startsWith('-') || isAtTests) faults.push(word);
      else paths.push(word);
    }
    isAtTests ||= /^[-(!]/.test(word);
  }
  return { ...plain, faults, paths };
}

/** One question about one file or about two texts. `-v` and others would look into variables, which can run commands. */
function judgeTest(words: readonly string[]): ReadOnlyJudgement {
  const [first = '', second = '', third] = words[0] === '!' ? words.slice(1) : words;
  const count = words[0] === '!' ? words.length - 1 : words.length;
  if (count === 2 && /^-[bcdefghkLprsSuwx]$/.test(first)) return { ...plain, paths: [second] };
  if (count === 2 && /^-[nz]$/.test(first)) return plain;
  if (count === 3 && /^(=|==|!=)$/.test(second) && third !== undefined) return plain;
  return { ...plain, faults: words };
}

/** `%n` sets a variable, and `-v` does too; a variable's name can run commands. */
function judgePrintf([format = '', ...rest]: readonly string[]): ReadOnlyJudgement {
  const isPlain = !format.startsWith('-') && format.replace(/%%|%-?\d{0,3}[sdbq]/g, '').indexOf('%') < 0;
  return isPlain ? plain : { ...plain, faults: [format, ...rest] };
}

/** Without `+` it sets the clock. */
function judgeDate(words: readonly string[]): ReadOnlyJudgement {
  const list = readFlags('-I? -R -u --iso-8601? --rfc-3339: --rfc-email --utc --universal');
  const { operands, faults } = sortArguments(words, list);
  return { ...plain, faults: [...faults, ...operands.filter((word) => !word.startsWith('+'))] };
}
