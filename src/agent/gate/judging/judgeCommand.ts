import { findPathRule, hasPathRules, type SourcedRule } from '../rules/policy.ts';
import { literalWords } from '../shell/command.ts';
import { explainDoubts } from '../shell/doubts.ts';
import { exactPattern } from '../shell/fitsCommand.ts';
import { type Reach, readReach } from '../shell/reach.ts';
import { readScript, type ShellScript } from '../shell/script.ts';
import { directoriesOf, isChangeOfDirectory, namedPlaces, reachesProtected } from './commandPlaces.ts';
import { allowsCommand, findCommandRule, hasCommandRules } from './commandRules.ts';
import type { Judgement } from './judgement.ts';
import { isReadOnlyHere } from './readOnlyHere.ts';
import type { JudgeSetup } from './surface.ts';

/** What the rules say about a shell command, each part of it on its own. */
export async function judgeCommand(command: string, setup: JudgeSetup): Promise<Judgement> {
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
  setup: JudgeSetup,
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
  setup: JudgeSetup,
): Promise<readonly JudgedPart[]> {
  const parts: JudgedPart[] = [];
  for (const command of commands) {
    if (await isReadOnlyHere(command, directories, setup)) {
      parts.push({ kind: 'reads' });
      continue;
    }
    const rule = setup.policy.allow.find((entry) => allowsCommand(entry, command));
    const words = literalWords(command);
    parts.push(rule ? { kind: 'allowed', rule } : { kind: 'open', offer: words && offer(words) });
  }
  return parts;
}

function offer(words: readonly string[]): string | undefined {
  const pattern = exactPattern(words);
  return /[\n\r]/.test(pattern) || pattern.length > 300 ? undefined : `Bash(${pattern})`;
}
