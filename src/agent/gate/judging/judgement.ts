import type { SourcedRule } from '../rules/policy.ts';

/** What rules and protection say about a call, before the mode does. */
export type Judgement =
  | { readonly kind: 'deny'; readonly rule: SourcedRule }
  /** In every mode. */
  | { readonly kind: 'ask'; readonly because: Because; readonly reason: string; readonly rule?: SourcedRule }
  | { readonly kind: 'allow'; readonly by: 'rule' | 'readOnly' | 'tool'; readonly rule?: SourcedRule }
  /** As the mode says. */
  | {
      readonly kind: 'open';
      readonly reason: string;
      /** The narrowest rule that would allow it. */
      readonly offer?: string;
      /** Rules that would allow it together: one for each command that needs one. */
      readonly offers?: readonly string[];
      /** A mode that asks nothing has to ask this. */
      readonly isUnclear: boolean;
    };

export type Because = 'rule' | 'protected' | 'hook';
