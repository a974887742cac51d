import { directoriesOf, namedPlaces } from '../judging/commandPlaces.ts';
import { findCommandRule } from '../judging/commandRules.ts';
import { judgeEach } from '../judging/judgeCommand.ts';
import type { JudgeSetup } from '../judging/surface.ts';
import { findPathRule, type Policy, type SourcedRule } from '../rules/policy.ts';
import { readScript, type ShellCommand } from '../shell/script.ts';
import { type ExplainedPart, nameRule } from './explanation.ts';

/** What rules say about each command of a script, in its order. */
export async function explainParts(command: string, setup: JudgeSetup): Promise<readonly ExplainedPart[]> {
  const script = readScript(command);
  const directories = directoriesOf(script, setup.directory);
  const judged = await judgeEach(script, directories, setup);
  const parts = script.commands.map(async (part, index): Promise<ExplainedPart> => {
    const text = [...part.assignments, ...part.words].map((word) => word.text).join(' ');
    const held = await findHolding(part, directories, setup.policy);
    if (held) return { text, kind: held.list, rule: nameRule(held.rule) };
    const own = judged[index];
    if (own?.kind === 'reads') return { text, kind: 'reads' };
    if (own?.kind === 'allowed') return { text, kind: 'allowed', rule: nameRule(own.rule) };
    return { text, kind: 'open', ...(own?.offer !== undefined && { offer: own.offer }) };
  });
  return Promise.all(parts);
}

/** The rule that denies it or wants it to be asked about. */
async function findHolding(
  command: ShellCommand,
  directories: readonly string[],
  policy: Policy,
): Promise<{ readonly list: 'deny' | 'ask'; readonly rule: SourcedRule } | undefined> {
  const alone = { commands: [command], targets: [], otherWords: [], doubts: new Set<never>() };
  const named = await namedPlaces(alone, directories);
  for (const list of ['deny', 'ask'] as const) {
    const rule = findCommandRule(policy, list, alone) ?? findPathRule(policy, list, named);
    if (rule) return { list, rule };
  }
  return undefined;
}
