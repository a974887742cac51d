import { resolve } from 'node:path';
import type { Effect } from '../../tools/tool.ts';
import { spellOut } from '../places/paths.ts';
import { isProtectedPlace, realProtection } from '../places/protection.ts';
import { findRule, hasRules, type Policy, type Subject } from '../rules/policy.ts';
import { hostOf } from '../rules/rules.ts';
import type { Judgement } from './judgement.ts';
import type { JudgeSetup } from './surface.ts';

/** What a call is, as far as rules can be about it. */
export type JudgedCall = {
  readonly tool: string;
  readonly effect: Effect;
  /** As given by the model. */
  readonly paths: readonly string[];
  readonly command?: string;
  readonly agentType?: string;
  readonly url?: string;
};

/**
 * What rules and protection say about a call, before the mode does.
 * @throws ToolError when a path lies outside the workspace
 */
export async function judgeCall(call: JudgedCall, setup: JudgeSetup): Promise<Judgement> {
  if (call.command === undefined) return judgeOther(call, setup);
  // The parser of commands is loaded with the first of them, not with the agent.
  const { judgeCommand } = await import('./judgeCommand.ts');
  return judgeCommand(call.command, { ...setup, protection: await realProtection(setup.protection) });
}

async function judgeOther(call: JudgedCall, setup: JudgeSetup): Promise<Judgement> {
  const { policy, paths, directory } = setup;
  const { tool, agentType, url } = call;
  const isRead = call.effect === 'read';
  if (isRead && !concernsReading(policy, tool)) return { kind: 'allow', by: 'tool' };
  const resolved = await Promise.all(call.paths.map((path) => paths.resolve(path, isRead ? 'read' : 'write')));
  const literal = call.paths.map((path) => resolve(directory, spellOut(path)));
  const subject: Subject = {
    tool,
    paths: [...literal, ...resolved],
    ...(agentType !== undefined && { agentType }),
    ...(url !== undefined && { url }),
  };
  const denying = findRule(policy, 'deny', subject);
  if (denying) return { kind: 'deny', rule: denying };
  const asking = findRule(policy, 'ask', subject);
  if (asking)
    return { kind: 'ask', because: 'rule', rule: asking, reason: `The rule ${asking.rule.text} says to ask.` };
  if (isRead) return { kind: 'allow', by: 'tool' };
  const protection = await realProtection(setup.protection);
  if (subject.paths.some((path) => isProtectedPlace(path, protection))) {
    return { kind: 'ask', because: 'protected', reason: 'It touches a file that decides what runs on this machine.' };
  }
  const allowing = findRule(policy, 'allow', subject);
  if (allowing) return { kind: 'allow', by: 'rule', rule: allowing };
  return open(call);
}

function open({ tool, effect, url }: JudgedCall): Judgement {
  if (effect === 'send') {
    const host = url === undefined ? undefined : hostOf(url);
    return {
      kind: 'open',
      reason: 'It asks a server on the internet: the address, and what is written in it, leaves this machine.',
      isUnclear: false,
      ...(host !== undefined && !host.includes(':') && { offer: `${tool}(domain:${host})` }),
    };
  }
  return {
    kind: 'open',
    reason: 'Calls that change something are asked about.',
    isUnclear: false,
    ...(tool.startsWith('mcp__') && { offer: tool }),
  };
}

function concernsReading(policy: Policy, tool: string): boolean {
  return (['deny', 'ask'] as const).some(
    (list) =>
      [tool, 'Read'].some((name) => hasRules(policy, list, name)) ||
      policy[list].some(({ rule }) => rule.what.kind === 'tools'),
  );
}
