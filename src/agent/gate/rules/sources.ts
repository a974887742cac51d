import { homedir } from 'node:os';
import type { Workspace } from '../../host.ts';
import type { Settings } from '../../settings.ts';
import { createPolicy, type Policy, type WrittenRule } from './policy.ts';
import { type RepositoryRules, readRepositoryRules } from './repositoryRules.ts';
import { parseRule, RuleError } from './rules.ts';

/** What the user allowed for longer than a session. */
export interface RuleMemory {
  read(): Promise<readonly { readonly text: string; readonly scope: 'always' | 'workspace' }[]>;
  add(rule: { readonly text: string; readonly scope: 'always' | 'workspace' }): Promise<void>;
}

export type ListedRule = WrittenRule & {
  /** Why it cannot be read, for people. */
  readonly problem?: string;
};

export type RuleSettings = Pick<Settings, 'permissions.allow' | 'permissions.ask' | 'permissions.deny'>;

/** All rules that hold now. Read anew for each call, so that a rule that is taken back holds for no further one. */
export type RuleSources = {
  read(): Promise<Policy>;
  /** The same rules as they are written, with what is wrong with them. Tells nothing. */
  list(): Promise<readonly ListedRule[]>;
  /** An allow rule from an answer. */
  remember(text: string, scope: 'workspace' | 'always'): Promise<void>;
};

/** @param tell told once about each thing that the user should know: rules that cannot be read, or that do not count */
export function createRuleSources(setup: {
  readonly settings: () => RuleSettings;
  readonly workspace: Workspace;
  readonly memory: RuleMemory;
  readonly tell: (text: string) => void;
}): RuleSources {
  const { settings, workspace, memory } = setup;
  const told = new Set<string>();
  let reading: Promise<RepositoryRules> | undefined;
  let latest: { readonly key: string; readonly policy: Policy } | undefined;

  function tellOnce(texts: readonly string[]): void {
    for (const text of texts) {
      if (told.has(text)) continue;
      told.add(text);
      setup.tell(text);
    }
  }

  async function readWritten(): Promise<RepositoryRules> {
    const [remembered, repository] = await Promise.all([
      memory.read(),
      workspace.isTrusted ? readRepositoryRules(workspace.roots) : { written: [], notices: [] },
    ]);
    const allowed = remembered.map(({ text, scope }): WrittenRule => ({ list: 'allow', source: scope, text }));
    return { written: [...fromSettings(settings()), ...allowed, ...repository.written], notices: repository.notices };
  }

  /** Calls of one moment share a reading: it has not begun before any of them was made, but for what the same turn of events did. */
  function readShared(): Promise<RepositoryRules> {
    if (reading === undefined) {
      reading = readWritten();
      setImmediate(() => {
        reading = undefined;
      });
    }
    return reading;
  }

  return {
    async list() {
      return (await readWritten()).written.map((rule) => ({ ...rule, ...problemOf(rule) }));
    },
    async read() {
      const { written, notices } = await readShared();
      const places = { workspace: workspace.roots, home: homedir() };
      // Where a rule names a path, what is behind it may change from call to call.
      const key = written.some(({ text, list }) => list !== 'allow' && /^\s*[A-Za-z]+\(/.test(text))
        ? ''
        : JSON.stringify(written);
      if (latest === undefined || key === '' || latest.key !== key)
        latest = { key, policy: await createPolicy(written, places) };
      tellOnce([...latest.policy.problems, ...notices]);
      return latest.policy;
    },
    remember: (text, scope) => memory.add({ text, scope }),
  };
}

function problemOf({ text, list }: WrittenRule): { readonly problem: string } | undefined {
  try {
    parseRule(text, list);
    return undefined;
  } catch (error) {
    if (error instanceof RuleError) return { problem: error.message };
    throw error;
  }
}

function fromSettings(settings: RuleSettings): readonly WrittenRule[] {
  return (['deny', 'ask', 'allow'] as const).flatMap((list) =>
    settings[`permissions.${list}`].map((text): WrittenRule => ({ list, source: 'settings', text })),
  );
}
