import type { PermissionAnswer } from '../../host.ts';
import type { DecidedBy } from '../../loop/events.ts';
import type { Mode } from '../../settings.ts';
import type { Effect } from '../../tools/tool.ts';
import type { CallHooked, CallHooks } from '../hooks/callHooks.ts';
import type { RuleSource, SourcedRule } from '../rules/policy.ts';
import type { Judgement } from './judgement.ts';

/** What an allowed call may do. */
export type Grant = {
  readonly decision: 'allow';
  /** Whether a change is put to the user first. */
  readonly edits: 'propose' | 'write';
  /** Files that may not stand in what it returns, by their real paths. */
  readonly isHidden?: (path: string) => boolean;
  /** What hooks made of the call. */
  readonly hooked?: Pick<CallHooked, 'rewritten' | 'contexts'>;
};

export type Verdict = Grant | { readonly decision: 'deny'; readonly reason: string };

export type Decision = {
  readonly verdict: Verdict;
  readonly by: DecidedBy;
  readonly rule?: SourcedRule | undefined;
};

export type Circumstances = {
  readonly effect: Effect;
  /** The mode that holds for the agent. */
  readonly mode: Mode;
  /** Counts where nothing but the mode would ask. */
  readonly isAllowedByHook?: boolean;
};

export type MustAsk = Extract<Judgement, { kind: 'ask' | 'open' }>;

/** Where nothing may run, this decides before any rule is looked at. */
export function decideByTrust(effect: Effect, isTrusted: boolean): Decision | undefined {
  return isTrusted || effect === 'read'
    ? undefined
    : denied('trust', 'This workspace is not trusted: only reading is possible until the user trusts it.');
}

/** What a hook says that is heard before the user; undefined when it says nothing. */
export function decideByHook(said: Awaited<ReturnType<CallHooks['onAsk']>>): Decision | undefined {
  if (said?.decision === 'deny') return denied('hook', said.reason);
  return said?.decision === 'allow' ? granted('hook', 'write') : undefined;
}

/** What rules and mode decide without the user; `ask` when the user has to. */
export function decide(
  judgement: Judgement,
  { effect, mode, isAllowedByHook = false }: Circumstances,
): Decision | { readonly ask: MustAsk } {
  if (judgement.kind === 'deny') return denied('rule', deniedByRule(judgement.rule), judgement.rule);
  if (changesThings(effect) && mode === 'plan' && !(judgement.kind === 'allow' && judgement.by === 'readOnly')) {
    return denied(
      'mode',
      'Plan mode: nothing may be changed or run. Read what you need and answer with a plan for the user.',
    );
  }
  if (judgement.kind === 'allow') return granted(judgement.by, 'write', judgement.rule);
  if (judgement.kind === 'open') {
    if (isAllowedByHook && !judgement.isUnclear) return granted('hook', 'write');
    const byMode = decideByMode(effect, mode, judgement.isUnclear);
    if (byMode) return byMode;
  } else if (effect === 'edit' && judgement.because !== 'protected' && mode !== 'dontAsk') {
    // The proposal is the question.
    return granted(judgement.because, 'propose', judgement.rule);
  }
  if (mode === 'dontAsk')
    return denied('mode', 'This would have to be asked, and in the mode dontAsk that means no. Go on without it.');
  return { ask: judgement };
}

/** Looking something up elsewhere changes nothing here. */
function changesThings(effect: Effect): boolean {
  return effect === 'edit' || effect === 'execute';
}

/** @returns undefined when the user has to be asked */
function decideByMode(effect: Effect, mode: Mode, isUnclear: boolean): Decision | undefined {
  if (mode === 'bypassPermissions') return isUnclear ? undefined : granted('mode', 'write');
  if (effect !== 'edit' || mode === 'dontAsk') return undefined;
  // An edit is asked about where it is made, as a proposal.
  return granted('mode', mode === 'default' ? 'propose' : 'write');
}

export function granted(by: DecidedBy, edits: Grant['edits'], rule?: SourcedRule): Decision {
  return { verdict: { decision: 'allow', edits }, by, rule };
}

export function denied(by: DecidedBy, reason: string, rule?: SourcedRule): Decision {
  return { verdict: { decision: 'deny', reason }, by, rule };
}

const sourceNames: Readonly<Record<RuleSource, string>> = {
  settings: 'the user’s settings',
  always: 'the user',
  workspace: 'the user',
  repository: 'this repository',
};

export function deniedByRule({ rule, source }: SourcedRule): string {
  return `The rule ${rule.text} of ${sourceNames[source]} denies this call. Do not try it in another form: go on without it.`;
}

export function denialWords(answer: PermissionAnswer): string {
  const words = answer.reason?.trim();
  if (answer.by === 'rule' && words) return words;
  if (words) return `The user denied this call and said: ${words}`;
  return 'The user denied this call. Do not try it again in another form: go on without it, or ask what is wanted.';
}
