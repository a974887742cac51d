import { realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { fold } from '../places/fold.ts';
import { basesOf, matchesPath, type PathPattern, type Places } from './pathPattern.ts';
import { hostOf, parseRule, type Rule, type RuleList } from './rules.ts';
import { matchesWildcard } from './wildcard.ts';

/** Where a rule is from. Only `repository` rules are not the user's own, and they may only deny and ask. */
export type RuleSource = 'settings' | 'always' | 'workspace' | 'repository';

export type WrittenRule = {
  readonly list: RuleList;
  readonly source: RuleSource;
  readonly text: string;
  /** Where it stands, of rules of a repository. Absolute. */
  readonly file?: string;
};

export type SourcedRule = {
  readonly rule: Rule;
  readonly source: RuleSource;
  readonly file?: string;
  /** The paths that it is about; those that links lead to as well. */
  readonly paths: readonly PathPattern[];
};

/** All rules that hold at one moment. */
export type Policy = Readonly<Record<RuleList, readonly SourcedRule[]>> & {
  readonly places: Places;
  /** Rules that could not be read, for people. */
  readonly problems: readonly string[];
};

/** What a call is about; every spelling of a path counts. */
export type Subject = {
  readonly tool: string;
  /** Absolute. */
  readonly paths: readonly string[];
  readonly agentType?: string;
  readonly url?: string;
};

export async function createPolicy(written: readonly WrittenRule[], places: Places): Promise<Policy> {
  const lists: Record<RuleList, SourcedRule[]> = { deny: [], ask: [], allow: [] };
  const problems: string[] = [];
  for (const { list, text, ...from } of written) {
    try {
      const rule = parseRule(text, list);
      const paths = rule.what.kind === 'path' ? [rule.what.pattern] : [];
      const behindLinks = list === 'allow' ? [] : await Promise.all(paths.map((path) => followLinks(path, places)));
      lists[list].push({ rule, ...from, paths: [...paths, ...behindLinks.flat()] });
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
      // What was meant to protect and cannot be read at least asks.
      const [tool] = /^\s*[A-Za-z][\w-]*/.exec(text) ?? [];
      if (list === 'allow' || tool === undefined) continue;
      lists.ask.push({ rule: { text, tool: tool.trim(), what: { kind: 'any' } }, ...from, paths: [] });
    }
  }
  return { ...lists, places, problems };
}

/** The same place by its real path, where the part of the pattern that is spelled out is or lies behind a link. */
async function followLinks(pattern: PathPattern, places: Places): Promise<readonly PathPattern[]> {
  const magic = pattern.segments.findIndex((segment) => /[*?[\\]/.test(segment));
  const fixed = pattern.segments.slice(0, magic < 0 ? pattern.segments.length : magic);
  const found = await Promise.all(
    basesOf(pattern, places).map(async (base) => {
      const path = join(base, ...fixed);
      const real = await realpath(path).catch(() => path);
      if (real === path) return undefined;
      const names = real.split(sep).filter((name) => name !== '');
      const segments = [
        ...names.map((name) => name.replace(/[\\*?[\]]/g, '\\$&')),
        ...pattern.segments.slice(fixed.length),
      ];
      return { anchor: 'top', segments } as const;
    }),
  );
  return found.filter((path) => path !== undefined);
}

/** Which tools a rule is about. Reading includes searching; whoever denies a change of a file denies every change. */
function isAbout(rule: Rule, tool: string, list: RuleList): boolean {
  if (rule.what.kind === 'tools') return matchesWildcard(rule.what.names, tool);
  if (rule.tool === tool) return true;
  if (rule.tool === 'Read') return tool === 'Grep' || tool === 'Glob' || tool === 'Diagnostics';
  if (rule.tool === 'Edit') return tool === 'Write';
  return rule.tool === 'Write' && tool === 'Edit' && list !== 'allow';
}

/** The first rule of a list that matches a call; for Bash see `judgeCommand`. */
export function findRule(policy: Policy, list: RuleList, subject: Subject): SourcedRule | undefined {
  return policy[list].find(
    (entry) => isAbout(entry.rule, subject.tool, list) && matchesSubject(entry, list, subject, policy),
  );
}

function matchesSubject({ rule, paths }: SourcedRule, list: RuleList, subject: Subject, { places }: Policy): boolean {
  const { what } = rule;
  switch (what.kind) {
    case 'any':
    case 'tools':
      return true;
    case 'path': {
      const isProtecting = list !== 'allow';
      const matches = (path: string) => paths.some((pattern) => matchesPath(pattern, path, places, isProtecting));
      return isProtecting ? subject.paths.some(matches) : subject.paths.length > 0 && subject.paths.every(matches);
    }
    case 'agent':
      return subject.agentType !== undefined && fold(subject.agentType) === fold(what.type);
    case 'host': {
      const host = subject.url === undefined ? undefined : hostOf(subject.url);
      return host !== undefined && ((host === what.host && !what.isOnlyBelow) || host.endsWith(`.${what.host}`));
    }
    case 'command':
      return false;
  }
}

/** The first rule that keeps files from being read or changed and covers one of the paths. */
export function findPathRule(policy: Policy, list: 'deny' | 'ask', paths: readonly string[]): SourcedRule | undefined {
  const matches = (entry: SourcedRule) =>
    entry.paths.some((pattern) => paths.some((path) => matchesPath(pattern, path, policy.places, true)));
  return policy[list].find((entry) => /^(Read|Edit|Write)$/.test(entry.rule.tool) && matches(entry));
}

/** Whether there are rules that keep single files from being read or changed. */
export function hasPathRules(policy: Policy): boolean {
  return [...policy.deny, ...policy.ask].some(({ paths }) => paths.length > 0);
}

export function hasRules(policy: Policy, list: RuleList, tool: string): boolean {
  return policy[list].some(({ rule }) => rule.tool === tool);
}

/**
 * Which files may not stand in what a search returns; undefined: all may.
 * @param lists `ask` is left out once the user agreed to the call
 */
export function createHider(
  policy: Policy,
  tool: string,
  lists: readonly ('deny' | 'ask')[],
): ((path: string) => boolean) | undefined {
  const patterns = lists.flatMap((list) =>
    policy[list].filter(({ rule }) => isAbout(rule, tool, list)).flatMap(({ paths }) => paths),
  );
  if (patterns.length === 0) return undefined;
  return (path) => patterns.some((pattern) => matchesPath(pattern, path, policy.places, true));
}
