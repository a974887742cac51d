import type { DecidedBy } from '../../loop/events.ts';
import type { Mode } from '../../settings.ts';
import type { RuleSource, SourcedRule } from '../rules/policy.ts';

/** A rule as it stands in an explanation. */
export type NamedRule = {
  readonly text: string;
  readonly source: RuleSource;
  /** Where it stands, of rules of a repository. */
  readonly file?: string;
};

export type ExplainedPart = {
  /** As it would be written alone. */
  readonly text: string;
  /** `reads`: it only reads, and needs no rule. `open`: no rule is about it. */
  readonly kind: 'deny' | 'ask' | 'reads' | 'allowed' | 'open';
  readonly rule?: NamedRule;
  /** The narrowest rule that would allow it. */
  readonly offer?: string;
};

/** What the gate would do with a call, and why. */
export type Explanation = {
  /** `review`: the change is shown first, and the user accepts or rejects it. */
  readonly verdict: 'allow' | 'deny' | 'ask' | 'review';
  /** What decides; undefined: nothing did, so the user is asked. `protected`: a file that decides what runs here. */
  readonly by: DecidedBy | 'protected' | undefined;
  /** One sentence for people. */
  readonly reason: string;
  readonly mode: Mode;
  /** The rule that decides. */
  readonly rule?: NamedRule;
  /** Of a command: each one in it, wherever it stands. */
  readonly parts: readonly ExplainedPart[];
  /** Rules that would allow it, all of them together; empty: none can. */
  readonly offers: readonly string[];
};

export function nameRule({ rule, source, file }: SourcedRule): NamedRule {
  return { text: rule.text, source, ...(file !== undefined && { file }) };
}
