import { fold } from '../places/fold.ts';
import { isProtectedPath, protectedNames } from '../places/protected.ts';
import { matchesName } from '../rules/pathPattern.ts';
import { literalWords, withoutGitOptions } from './command.ts';
import { judgeReadOnly } from './readOnly.ts';
import type { ShellCommand, ShellScript, ShellWord } from './script.ts';
import { baseName } from './word.ts';

/** What a script may write to, as far as its text tells. */
export type Reach = {
  /** It names a protected place, or a pattern in it fits one. */
  readonly isNamed: boolean;
  /** It writes to, or runs, what its text does not tell. */
  readonly isUnclear: boolean;
  /** Places that it may write to, as written. */
  readonly paths: readonly string[];
  /** Places that it may remove or move with all in them, as written. */
  readonly wholes: readonly string[];
};

/** Whatever their arguments are, these write to nothing. */
const harmless: ReadonlySet<string> = new Set(
  `echo ls cat head tail wc pwd true false test [ grep egrep fgrep which type dirname basename realpath readlink stat du df cut
  tr nl cmp comm whoami uname seq sleep exit`.split(/\s+/),
);
const wholesale: ReadonlySet<string> = new Set(['rm', 'mv', 'chmod', 'chown', 'chgrp', 'shred', 'rsync']);

/** @param roots real paths of the workspace's folders; what lies above them does not count */
export function readReach(script: ShellScript, roots: readonly string[]): Reach {
  const writers = script.commands.filter((command) => !isHarmless(command));
  const words = [...writers.flatMap((command) => command.words), ...script.targets];
  const isWriting = words.length > 0;
  const isBroken = (['syntax', 'length', 'characters'] as const).some((doubt) => script.doubts.has(doubt));
  const named = isWriting
    ? [...words, ...script.otherWords, ...script.commands.flatMap(({ assignments }) => assignments)]
    : [];
  return {
    isNamed: named.some((word) => isNaming(word, roots)) || writers.some(changesGitConfig),
    isUnclear: isBroken || (isWriting && (words.some(isUnknown) || writers.some(runsUnknown))),
    paths: words.flatMap(({ value }) => (value === undefined ? [] : piecesOf(value))),
    wholes: writers
      .filter(({ words: [name] }) => wholesale.has(baseName(name?.value)))
      .flatMap((command) => command.words.slice(1).map(({ value, text }) => value ?? text)),
  };
}

function isHarmless(command: ShellCommand): boolean {
  const words = literalWords(command);
  if (words) {
    const judged = judgeReadOnly(words);
    if (judged && judged.faults.length === 0) return true;
  }
  return harmless.has(command.words[0]?.value ?? '') && command.assignments.length === 0;
}

/** The word, and the paths that may stand in it: `of=x`, `-ox`, `a:b`, a text for another program. */
export function piecesOf(value: string): readonly string[] {
  const parts = value.split(/[\s;|&<>()={}:,"'`]+/).filter((part) => part !== '');
  const behindFlag = parts.flatMap((part) => (/^-[A-Za-z]./.test(part) ? [part.slice(2)] : []));
  return [...new Set([value, ...parts, ...behindFlag])];
}

function isNaming({ text, value, likely }: ShellWord, roots: readonly string[]): boolean {
  const belowRoot = (piece: string) => {
    const root = roots.find((folder) => piece.startsWith(`${folder}/`));
    return root === undefined ? piece : piece.slice(root.length + 1);
  };
  if (value !== undefined) return piecesOf(value).map(belowRoot).some(isProtectedPath);
  const plain = text.replace(/["'\\`]/g, '');
  return [...piecesOf(likely), ...piecesOf(plain)]
    .map(belowRoot)
    .some((piece) => isProtectedPath(piece) || mayFitProtected(piece));
}

/** Whether a pattern of the shell may stand for a protected name. */
function mayFitProtected(piece: string): boolean {
  return piece.split('/').some((segment) => {
    if (!/[*?[]/.test(segment)) return false;
    const pattern = fold(segment);
    if (/[[\]]/.test(pattern) && !/\[[^\]]+\]/.test(pattern)) return true;
    const fits = (name: string) => matchesName(pattern, name) && (!name.startsWith('.') || !/^[*?]/.test(pattern));
    return protectedNames.some(fits) || fitsEnding(pattern, '.code-workspace');
  });
}

function fitsEnding(pattern: string, ending: string): boolean {
  const plain = pattern.replace(/\[[^\]]*\]/g, '?');
  if (!plain.includes('*') && plain.length < ending.length) return false;
  const tail = plain.slice(Math.max(plain.lastIndexOf('*'), plain.lastIndexOf('?')) + 1);
  return ending.endsWith(tail) || tail.endsWith(ending);
}

/** A word that stands for what its text does not tell; a mere pattern stands for files that fit it. */
function isUnknown({ text, value }: ShellWord): boolean {
  return value === undefined && /[$`~<>(){}]/.test(text);
}

function changesGitConfig({ words }: ShellCommand): boolean {
  const values = words.map(({ value }) => value ?? '');
  const at = values.findIndex((value) => baseName(value) === 'git');
  const isConfig = at >= 0 && withoutGitOptions(values.slice(at))[1] === 'config';
  return isConfig && !values.some((value) => /^(--get(-all|-regexp)?|--list|-l|list|get)$/.test(value));
}

const interpreters =
  /^(python[\d.]*|node|nodejs|deno|bun|perl|ruby|php|lua|osascript|pwsh|powershell|tclsh|Rscript|awk|gawk|mawk|nawk)$/;
const shellNames = /^(ba|z|da|k|mk|fi|c|tc)?sh$/;
const codeFlags = /^-(c|e|E|p|r|pe|ne|ie|-eval|-print|-exec|Command|EncodedCommand)$/;
const findActions = /^-(delete|fprint|fprint0|fprintf|fls|exec|execdir|ok|okdir)$/;

/** Programs that write where a program text or another command's output says. */
function runsUnknown(command: ShellCommand): boolean {
  const values = command.words.map(({ value }) => value ?? '');
  return values.some((value, index) => {
    const name = baseName(value);
    const rest = values.slice(index + 1);
    const isBare = rest.every((word) => word.startsWith('-'));
    if (index > 0) return interpreters.test(name) && rest.some((word) => codeFlags.test(word));
    if (shellNames.test(name)) return isBare && command.inputs.length === 0;
    if (/^[gmn]?awk$/.test(name)) return rest.some((word) => /[>|]|system|getline|@/.test(word));
    if (/^g?sed$/.test(name)) return !rest.every(isPlainSedWord);
    if (interpreters.test(name)) return rest.some((word) => codeFlags.test(word)) || (isBare && isGivenInput(command));
    if (name === 'xargs' || name === 'parallel') return !rest.some((word) => harmless.has(word));
    return name === 'find' && rest.some((word) => findActions.test(word));
  });
}

function isGivenInput({ isFed, inputs }: ShellCommand): boolean {
  return isFed || inputs.length > 0;
}

/** A flag, a name, an address with `p`, `d` or `q`, or a substitution: no script that writes to files or runs something. */
function isPlainSedWord(word: string): boolean {
  if (/^[\w./,$+-]*$/.test(word)) return !/^\d*[wWeE]/.test(word);
  const parts = word.startsWith('s') ? word.slice(2).split(word.charAt(1)) : [];
  return parts.length === 3 && /^[gpiI\d]*$/.test(parts[2] ?? '');
}
