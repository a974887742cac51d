import type { DecidedBy } from '../../loop/events.ts';
import type { Mode } from '../../settings.ts';
import { ToolError } from '../../tools/toolError.ts';
import { type Decision, decide, decideByTrust } from '../judging/decide.ts';
import { type JudgedCall, judgeCall } from '../judging/judgeCall.ts';
import type { Judgement } from '../judging/judgement.ts';
import type { JudgeSetup } from '../judging/surface.ts';
import { type Explanation, nameRule } from './explanation.ts';

export type ExplainSetup = JudgeSetup & {
  readonly mode: Mode;
  readonly isTrusted: boolean;
  /** Why it is asked about beside what rules say, e.g. by a hook. */
  readonly asked?: string;
};

/** Decides nothing and changes nothing. Hooks and answers for a session are not asked. */
export async function explainCall(call: JudgedCall, setup: ExplainSetup): Promise<Explanation> {
  const { mode, isTrusted, asked } = setup;
  const parts = call.command === undefined ? [] : await partsOf(call.command, setup);
  const known = { mode, parts, offers: [] };
  const byTrust = decideByTrust(call.effect, isTrusted);
  if (byTrust) return { ...known, ...fromDecision(byTrust, undefined) };
  let judgement: Judgement;
  try {
    judgement = await judgeCall(call, setup);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { ...known, verdict: 'deny', by: 'outside', reason: error.message };
  }
  const offers = offersOf(judgement);
  const decided = decide(judgement, { effect: call.effect, mode });
  if (!('ask' in decided)) {
    const isAskedAnyway = asked !== undefined && decided.verdict.decision === 'allow';
    if (isAskedAnyway) return { ...known, offers, verdict: 'ask', by: 'hook', reason: asked };
    return { ...known, offers, ...fromDecision(decided, judgement) };
  }
  const because = decided.ask.kind === 'ask' ? decided.ask.because : undefined;
  const rule = decided.ask.kind === 'ask' ? decided.ask.rule : undefined;
  return {
    ...known,
    offers,
    verdict: 'ask',
    by: because,
    reason: asked ?? decided.ask.reason,
    ...(rule && { rule: nameRule(rule) }),
  };
}

/** Loaded with the first command, as its parser is. */
async function partsOf(command: string, setup: ExplainSetup): Promise<Explanation['parts']> {
  const { explainParts } = await import('./explainParts.ts');
  return explainParts(command, setup);
}

function fromDecision(
  { verdict, by, rule }: Decision,
  judgement: Judgement | undefined,
): Pick<Explanation, 'verdict' | 'by' | 'reason' | 'rule'> {
  const named = rule && { rule: nameRule(rule) };
  if (verdict.decision === 'deny') return { verdict: 'deny', by, reason: verdict.reason, ...named };
  const isReviewed = judgement?.kind !== 'allow' && verdict.edits === 'propose';
  const reason = isReviewed ? 'The change is shown first; nothing is written before it is accepted.' : allowedWords(by);
  return { verdict: isReviewed ? 'review' : 'allow', by, reason, ...named };
}

function allowedWords(by: DecidedBy): string {
  switch (by) {
    case 'readOnly':
      return 'Every command in it only reads, and only in the workspace.';
    case 'tool':
      return 'It only reads.';
    case 'mode':
      return 'The mode allows it.';
    default:
      return 'Every part of it is allowed by a rule, or only reads.';
  }
}

/** Several commands need a rule each. Where more is in doubt than what rules say, no rule helps. */
function offersOf(judgement: Judgement): readonly string[] {
  if (judgement.kind !== 'open') return [];
  return judgement.offers ?? (judgement.offer === undefined ? [] : [judgement.offer]);
}
