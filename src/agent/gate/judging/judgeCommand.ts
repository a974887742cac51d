import { stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { isPlainRepository } from '../places/gitConfig.ts';
import { openedPlace } from '../places/openedPlace.ts';
import { isInside, locate, type PathResolver } from '../places/paths.ts';
import { holdsProtected, isProtectedPlace, type Protection } from '../places/protection.ts';
import { findPathRule, hasPathRules, hasRules, type Policy, type SourcedRule } from '../rules/policy.ts';
import { literalWords } from '../shell/command.ts';
import { exactPattern, fitsCommand, isExact, mayFitCommand } from '../shell/commandPattern.ts';
import { explainDoubts } from '../shell/doubts.ts';
import { neverByWildcard, runningWords } from '../shell/never.ts';
import { piecesOf, type Reach, readReach } from '../shell/reach.ts';
import { judgeReadOnly } from '../shell/readOnly.ts';
import { readScript, type ShellCommand, type ShellScript } from '../shell/script.ts';
import type { Judgement } from './judgement.ts';

export type CommandSetup = {
  readonly policy: Policy;
  readonly paths: PathResolver;
  readonly protection: Protection;
  /** Where the command starts. */
  readonly directory: string;
};

const maxPlaces = 400;
const maxDirectories = 8;

/** What the rules say about a shell command, each part of it on its own. */
export async function judgeCommand(command: string, setup: CommandSetup): Promise<Judgement> {
  const { policy } = setup;
  const script = readScript(command);
  const denied = findCommandRule(policy, 'deny', script);
  if (denied) return { kind: 'deny', rule: denied };
  const directories = directoriesOf(script, setup.directory);
  const named = hasPathRules(policy) ? await namedPlaces(script, directories) : [];
  const deniedPath = findPathRule(policy, 'deny', named);
  if (deniedPath) return { kind: 'deny', rule: deniedPath };
  const asked = findCommandRule(policy, 'ask', script) ?? findPathRule(policy, 'ask', named);
  if (asked) return { kind: 'ask', because: 'rule', rule: asked, reason: `The rule ${asked.rule.text} says to ask.` };

  const reach = readReach(script, policy.places.workspace);
  if (reach.isNamed || (await reachesProtected(reach, directories, setup.protection))) {
    return { kind: 'ask', because: 'protected', reason: 'It touches a file that decides what runs on this machine.' };
  }
  return judgeParts(script, directories, reach, setup);
}

/** Every command has to be allowed, by a rule or because it only reads. */
async function judgeParts(
  script: ShellScript,
  directories: readonly string[],
  reach: Reach,
  setup: CommandSetup,
): Promise<Judgement> {
  const { policy } = setup;
  const isNameHidden = script.commands.some(({ words }) => words[0]?.value === undefined) && hasCommandRules(policy);
  const mayHideDenied = isNameHidden || (script.doubts.has('expansion') && hasPathRules(policy));
  // What a doubt hides may be what a rule denies.
  const isUnclear = reach.isUnclear || mayHideDenied || directories.length === 0;
  const doubt = explainDoubts(script.doubts, process.platform);
  if (doubt !== undefined) return { kind: 'open', reason: doubt, isUnclear };
  if (directories.length === 0) return { kind: 'open', reason: 'It changes to a folder that is not known.', isUnclear };

  const parts = await judgeEach(script, directories, setup);
  if (parts.every(({ kind }) => kind === 'reads')) return { kind: 'allow', by: 'readOnly' };
  if (directories.length > 1 || script.commands.some(isChangeOfDirectory)) {
    return { kind: 'open', reason: 'It changes the folder and then does more than read.', isUnclear };
  }
  const open = parts.filter((part) => part.kind === 'open');
  const allowed = parts.find((part) => part.kind === 'allowed');
  if (open.length === 0 && allowed) return { kind: 'allow', by: 'rule', rule: allowed.rule };
  const offers = [...new Set(open.flatMap(({ offer }) => offer ?? []))];
  const [only] = offers;
  return {
    kind: 'open',
    reason: 'Commands are asked about.',
    isUnclear,
    ...(open.length === 1 && only !== undefined && { offer: only }),
    ...(open.every(({ offer }) => offer !== undefined) && { offers }),
  };
}

/** What is said about one command of a script, where its text tells what runs. */
export type JudgedPart =
  | { readonly kind: 'reads' }
  | { readonly kind: 'allowed'; readonly rule: SourcedRule }
  /** The narrowest rule that would allow it, where one can. */
  | { readonly kind: 'open'; readonly offer: string | undefined };

/** One for each command, in order. */
export async function judgeEach(
  { commands }: ShellScript,
  directories: readonly string[],
  setup: CommandSetup,
): Promise<readonly JudgedPart[]> {
  const parts: JudgedPart[] = [];
  for (const command of commands) {
    if (await isReadOnlyHere(command, directories, setup)) {
      parts.push({ kind: 'reads' });
      continue;
    }
    const rule = setup.policy.allow.find((entry) => allows(entry, command));
    const words = literalWords(command);
    parts.push(rule ? { kind: 'allowed', rule } : { kind: 'open', offer: words && offer(words) });
  }
  return parts;
}

function offer(words: readonly string[]): string | undefined {
  const pattern = exactPattern(words);
  return /[\n\r]/.test(pattern) || pattern.length > 300 ? undefined : `Bash(${pattern})`;
}

function hasCommandRules(policy: Policy): boolean {
  return hasRules(policy, 'deny', 'Bash') || hasRules(policy, 'ask', 'Bash');
}

export function findCommandRule(policy: Policy, list: 'deny' | 'ask', script: ShellScript): SourcedRule | undefined {
  return policy[list].find(({ rule: { tool, what } }) => {
    if (tool !== 'Bash') return false;
    return (
      what.kind === 'any' ||
      (what.kind === 'command' && script.commands.some((command) => mayFitCommand(what.pattern, command)))
    );
  });
}

/** A `*` stands for arguments, not for flags or programs that write, run or send: those the rule has to spell out. */
function allows({ rule: { tool, what } }: SourcedRule, command: ShellCommand): boolean {
  if (tool !== 'Bash') return false;
  const words = literalWords(command);
  if (!words) return false;
  if (what.kind === 'command' && isExact(what.pattern)) return fitsCommand(what.pattern, command);
  const inner = withoutTimer(words);
  if (neverByWildcard(inner[0])) return false;
  const spelled = what.kind === 'command' ? what.pattern.words : [];
  const faults = (judgeReadOnly(inner)?.faults ?? []).filter((fault) => fault.startsWith('-'));
  const isSpelled = (word: string) => spelled.some((other) => other === word || other.startsWith(`${word}=`));
  if (![...faults, ...runningWords(inner)].every(isSpelled)) return false;
  if (what.kind === 'any') return true;
  const behind = { ...command, words: command.words.slice(words.length - inner.length) };
  return what.kind === 'command' && (fitsCommand(what.pattern, command) || fitsCommand(what.pattern, behind));
}

/** `timeout 30 npm test` is `npm test`. */
function withoutTimer(words: readonly string[]): readonly string[] {
  if (words[0] === 'nohup' && words.length > 1) return words.slice(1);
  return words[0] === 'timeout' && /^\d+(\.\d+)?[smhd]?$/.test(words[1] ?? '') && words.length > 2
    ? words.slice(2)
    : words;
}

async function isReadOnlyHere(
  command: ShellCommand,
  directories: readonly string[],
  setup: CommandSetup,
): Promise<boolean> {
  const words = literalWords(command);
  if (isChangeOfDirectory(command)) return isReadable(words?.[1] ?? '..', directories, setup.paths);
  const judged = words && judgeReadOnly(words);
  if (!judged || judged.faults.length > 0) return false;
  if (judged.readsContentBelow && hasPathRules(setup.policy)) return false;
  if (judged.usesGit && (directories.length > 1 || !(await isPlainRepository(setup.directory)))) return false;
  if (await isShadowed(words[0] ?? '', setup.policy.places.workspace)) return false;
  if (judged.isForFiles && (await Promise.all(judged.paths.map((path) => isFolder(path, directories)))).some(Boolean))
    return false;
  return (await Promise.all(judged.paths.map((path) => isReadable(path, directories, setup.paths)))).every(Boolean);
}

/** Whether a program of the workspace would run in place of the command, since the search path leads there. */
async function isShadowed(name: string, roots: readonly string[]): Promise<boolean> {
  const entries = (process.env.PATH ?? '').split(delimiter);
  const within = entries.filter((entry) => !isAbsolute(entry) || roots.some((root) => isInside(root, resolve(entry))));
  const found = within.flatMap((entry) => roots.map((root) => exists(join(resolve(root, entry), name))));
  return (await Promise.all(found)).some(Boolean);
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

async function isFolder(path: string, directories: readonly string[]): Promise<boolean> {
  const found = await Promise.all(
    // Not resolved by its text: a `..` behind a link is where the link leads.
    directories.map((directory) => stat(isAbsolute(path) ? path : `${directory}/${path}`).catch(() => undefined)),
  );
  return found.some((entry) => entry?.isDirectory());
}

async function isReadable(path: string, directories: readonly string[], paths: PathResolver): Promise<boolean> {
  if (path === '-' || path === '/dev/null') return true;
  // To the shell a `~` in quotes is a name.
  if (path === '' || path.startsWith('~')) return false;
  const inside = directories.map(async (directory) => {
    const { place, isUnsure } = await openedPlace(directory, path);
    if (isUnsure) return false;
    return paths.resolve(place, 'read').then(
      (found) => found === place,
      () => false,
    );
  });
  return (await Promise.all(inside)).every(Boolean);
}

function isChangeOfDirectory({ words, assignments }: ShellCommand): boolean {
  return words[0]?.value === 'cd' && words.length === 2 && assignments.length === 0;
}

/** All folders that a part of the script may run in; none when that cannot be told. */
export function directoriesOf(script: ShellScript, start: string): readonly string[] {
  const found = new Set([start]);
  for (const { words } of script.commands) {
    const [name, target, more] = words.map(({ value }) => value);
    if (name === 'pushd' || name === 'popd') return [];
    if (name !== 'cd') continue;
    if (target === undefined || more !== undefined || words.length > 2 || target.startsWith('-') || target === '')
      return [];
    for (const directory of [...found]) found.add(resolve(directory, target));
    if (found.size > maxDirectories) return [];
  }
  return [...found];
}

/** Each path that stands in the script, as written and by its real place. */
export async function namedPlaces(script: ShellScript, directories: readonly string[]): Promise<readonly string[]> {
  const words = [...script.commands.flatMap((command) => command.words), ...script.targets, ...script.otherWords];
  const pieces = new Set(words.flatMap(({ likely }) => pathPieces(likely)));
  return placesOf([...pieces].slice(0, maxPlaces), directories);
}

/** A text with blanks is a message or a program; its words are not taken for paths here. */
function pathPieces(value: string): readonly string[] {
  return /\s/.test(value) ? [value] : piecesOf(value);
}

async function placesOf(pieces: readonly string[], directories: readonly string[]): Promise<readonly string[]> {
  const found = pieces.flatMap((piece) =>
    directories.map(async (directory) => {
      const path = expandHome(piece);
      const literal = resolve(directory, path);
      const { place } = await openedPlace(directory, path);
      return [literal, await locate(literal).catch(() => literal), place];
    }),
  );
  return [...new Set((await Promise.all(found)).flat())];
}

function expandHome(piece: string): string {
  return piece.startsWith('~/') ? `${process.env.HOME ?? ''}${piece.slice(1)}` : piece;
}

async function reachesProtected(
  reach: Reach,
  directories: readonly string[],
  protection: Protection,
): Promise<boolean> {
  const places = await placesOf([...new Set(reach.paths)].slice(0, maxPlaces), directories);
  if (places.some((place) => isProtectedPlace(place, protection))) return true;
  const wholes = await placesOf([...new Set(reach.wholes)].slice(0, maxPlaces), directories);
  return wholes.some((place) => holdsProtected(place, protection));
}
