import { explainCall } from '../gate/explaining/explain.ts';
import type { Explanation } from '../gate/explaining/explanation.ts';
import { readTestedCall } from '../gate/explaining/testedCall.ts';
import { createPathResolver } from '../gate/places/paths.ts';
import { createRuleSources, type ListedRule } from '../gate/rules/sources.ts';
import type { Workspace } from '../host.ts';
import type { Mode, Settings } from '../settings.ts';
import { createHookApprovals, type HookApprovals } from '../store/hookApprovals.ts';
import { createRememberedRules, type RememberedRule } from '../store/remembered.ts';

/** The rules of a workspace for people, with or without a session. */
export interface RuleBook {
  /** Those of settings, answers and repository, in the order in which they are looked at. */
  list(): Promise<readonly ListedRule[]>;
  /**
   * What the gate would do with a command, or with a call that is written as in a rule.
   * @throws Error for people when no folder is open
   */
  explain(text: string): Promise<Explanation>;
  /** Takes effect at the next call. */
  forget(rule: RememberedRule): Promise<void>;
  remember(rule: RememberedRule): Promise<void>;
  /** Hooks of repositories and agent files that the user has approved until they change. */
  readonly hooks: Pick<HookApprovals, 'list' | 'add' | 'remove'>;
}

/** @param parts `mode`: that of the calls that are explained */
export function createRuleBook(parts: {
  readonly workspace: Workspace;
  readonly settings: () => Settings;
  readonly mode: Mode;
  readonly stateDirectory: string;
  /** Told about what cannot be read. */
  readonly tell: (text: string) => void;
}): RuleBook {
  const { workspace, settings, mode, stateDirectory, tell } = parts;
  const memory = createRememberedRules(stateDirectory, workspace.roots[0] ?? '', tell);
  const sources = createRuleSources({ settings, workspace, memory, tell: () => undefined });
  return {
    list: () => sources.list(),
    async explain(text) {
      const [directory] = workspace.roots;
      if (directory === undefined)
        throw new Error('No folder is open. Open a folder first: rules are about its files.');
      return explainCall(readTestedCall(text), {
        policy: await sources.read(),
        paths: createPathResolver({ roots: workspace.roots, readOnlyRoots: [] }),
        protection: { roots: workspace.roots, stateDirectory },
        directory,
        mode,
        isTrusted: workspace.isTrusted,
      });
    },
    forget: (rule) => memory.remove(rule),
    remember: (rule) => memory.add(rule),
    hooks: createHookApprovals(stateDirectory),
  };
}
