import { resolve } from 'node:path';
import type { PermissionAnswer, Prompts, Workspace } from '../host.ts';
import type { Agent } from '../loop/agent.ts';
import type { DecidedBy } from '../loop/events.ts';
import type { Mode } from '../settings.ts';
import type { PreparedCall, Tool } from '../tools/tool.ts';
import { createBroker, type Question } from './broker.ts';
import { judgeCommand } from './judgeCommand.ts';
import type { Judgement } from './judgement.ts';
import { type PathResolver, spellOut } from './paths.ts';
import { createHider, findRule, hasRules, type Policy, type SourcedRule } from './policy.ts';
import { isProtectedPlace, type Protection } from './protection.ts';
import type { RuleSources } from './sources.ts';

export type GateRequest = {
  readonly agent: Agent;
  readonly call: string;
  readonly tool: Tool;
  readonly prepared: PreparedCall;
};

/** What an allowed call may do. */
export type Grant = {
  readonly decision: 'allow';
  /** Whether a change is put to the user first. */
  readonly edits: 'propose' | 'write';
  /** Files that may not stand in what it returns, by their real paths. */
  readonly isHidden?: (path: string) => boolean;
};

export type Verdict = Grant | { readonly decision: 'deny'; readonly reason: string };

/** Stands before every call of every agent. */
export interface Gate {
  /** @throws ToolError when a path of the call lies outside the workspace */
  check(request: GateRequest, signal: AbortSignal): Promise<Verdict>;
}

type Decision = {
  readonly verdict: Verdict;
  readonly by: DecidedBy;
  readonly rule?: SourcedRule | undefined;
};

export type GateSetup = {
  readonly mode: () => Mode;
  readonly workspace: Workspace;
  readonly paths: PathResolver;
  readonly prompts: Prompts;
  readonly sources: RuleSources;
  readonly stateDirectory: string;
};

/** Rules (deny, ask, allow), then protected files, then the mode, then the user. The first that says something decides. */
export function createGate(setup: GateSetup): Gate {
  const { mode, workspace, paths, sources } = setup;
  const protection: Protection = { roots: workspace.roots, stateDirectory: setup.stateDirectory };
  const allowedInSession = new Set<string>();
  const broker = createBroker(setup.prompts, async (question, { scope }) => {
    if (scope === 'session' || question.rule === undefined) allowedInSession.add(keyOf(question));
    else if (scope !== 'once') await sources.remember(question.rule, scope);
  });

  async function judge(request: GateRequest, policy: Policy): Promise<Judgement> {
    const { command } = request.prepared;
    const directory = workspace.roots[0] ?? '';
    if (command !== undefined) return judgeCommand(command, { policy, paths, protection, directory });
    return judgeOther(request, policy, paths, protection, directory);
  }

  async function decide(request: GateRequest, policy: Policy, signal: AbortSignal): Promise<Decision> {
    const { agent, tool } = request;
    if (!workspace.isTrusted && tool.effect !== 'read') {
      return denied('trust', 'This workspace is not trusted: only reading is possible until the user trusts it.');
    }
    const judgement = await judge(request, policy);
    const held = agent.modeWithin(mode());
    if (judgement.kind === 'deny') return denied('rule', deniedByRule(judgement.rule), judgement.rule);
    if (tool.effect !== 'read' && held === 'plan' && !(judgement.kind === 'allow' && judgement.by === 'readOnly')) {
      return denied(
        'mode',
        'Plan mode: nothing may be changed or run. Read what you need and answer with a plan for the user.',
      );
    }
    if (judgement.kind === 'allow') return granted(judgement.by, 'write', judgement.rule);
    if (judgement.kind === 'open') {
      const byMode = decideByMode(tool, held, judgement.isUnclear);
      if (byMode) return byMode;
    } else if (tool.effect === 'edit' && judgement.because === 'rule' && held !== 'dontAsk') {
      // The proposal is the question.
      return granted('rule', 'propose', judgement.rule);
    }
    if (held === 'dontAsk')
      return denied('mode', 'This would have to be asked, and in the mode dontAsk that means no. Go on without it.');
    return ask(request, judgement, held, signal);
  }

  async function ask(
    request: GateRequest,
    judgement: Extract<Judgement, { kind: 'ask' | 'open' }>,
    held: Mode,
    signal: AbortSignal,
  ): Promise<Decision> {
    const question = toQuestion(request, judgement, workspace, async () => {
      const now = await judge(request, await sources.read());
      if (now.kind === 'deny') return { decision: 'deny', scope: 'once', by: 'rule', reason: deniedByRule(now.rule) };
      const isAllowed = now.kind === 'allow' || (now.kind === 'open' && allowedInSession.has(keyOf(question)));
      return isAllowed ? { decision: 'allow', scope: 'once', by: 'rule' } : undefined;
    });
    const edits = held === 'default' ? 'propose' : 'write';
    if (question.canRemember && allowedInSession.has(keyOf(question))) return granted('session', edits);
    const answer = await broker.ask(question, signal);
    const rule = judgement.kind === 'ask' ? judgement.rule : undefined;
    return answer.decision === 'allow' ? granted(answer.by, edits, rule) : denied(answer.by, denialWords(answer), rule);
  }

  return {
    async check(request, signal) {
      const { agent, call, tool } = request;
      const policy = await sources.read();
      const decision = await decide(request, policy, signal).catch((error: unknown) => {
        agent.emit({ type: 'permission-decide', call, tool: tool.name, decision: 'deny', by: 'outside' });
        throw error;
      });
      const { verdict, by, rule } = decision;
      const about = rule && { rule: rule.rule.text, source: rule.source };
      agent.emit({ type: 'permission-decide', call, tool: tool.name, decision: verdict.decision, by, ...about });
      if (verdict.decision === 'deny' || tool.effect !== 'read') return verdict;
      const isAgreed = by === 'user' || by === 'flag';
      const isHidden = createHider(policy, tool.name, isAgreed ? ['deny'] : ['deny', 'ask']);
      return { ...verdict, ...(isHidden && { isHidden }) };
    },
  };
}

/** What rules say about a call that is no command. */
async function judgeOther(
  { tool, prepared }: GateRequest,
  policy: Policy,
  paths: PathResolver,
  protection: Protection,
  directory: string,
): Promise<Judgement> {
  const isRead = tool.effect === 'read';
  if (isRead && !concernsReading(policy, tool.name)) return { kind: 'allow', by: 'tool' };
  const resolved = await Promise.all(prepared.paths.map((path) => paths.resolve(path, isRead ? 'read' : 'write')));
  const literal = prepared.paths.map((path) => resolve(directory, spellOut(path)));
  const { agentType, url } = prepared;
  const subject = {
    tool: tool.name,
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
  if (
    resolved.some((path) => isProtectedPlace(path, protection)) ||
    literal.some((path) => isProtectedPlace(path, protection))
  ) {
    return { kind: 'ask', because: 'protected', reason: 'It touches a file that decides what runs on this machine.' };
  }
  const allowing = findRule(policy, 'allow', subject);
  if (allowing) return { kind: 'allow', by: 'rule', rule: allowing };
  return { kind: 'open', reason: 'Calls that change something are asked about.', isUnclear: false };
}

function concernsReading(policy: Policy, tool: string): boolean {
  return (['deny', 'ask'] as const).some(
    (list) =>
      [tool, 'Read'].some((name) => hasRules(policy, list, name)) ||
      policy[list].some(({ rule }) => rule.what.kind === 'tools'),
  );
}

/** @returns undefined when the user has to be asked */
function decideByMode(tool: Tool, held: Mode, isUnclear: boolean): Decision | undefined {
  if (held === 'bypassPermissions') return isUnclear ? undefined : granted('mode', 'write');
  if (tool.effect !== 'edit' || held === 'dontAsk') return undefined;
  // An edit is asked about where it is made, as a proposal.
  return granted('mode', held === 'default' ? 'propose' : 'write');
}

function toQuestion(
  { agent, call, tool, prepared }: GateRequest,
  judgement: Extract<Judgement, { kind: 'ask' | 'open' }>,
  workspace: Workspace,
  recheck: Question['recheck'],
): Question {
  const rule = judgement.kind === 'open' ? judgement.offer : undefined;
  return {
    agent,
    call,
    tool: tool.name,
    title: titleOf(tool, judgement),
    detail: prepared.command ?? (prepared.paths.length > 0 ? prepared.paths.join('\n') : prepared.summary),
    directory: workspace.roots[0] ?? '',
    reason: judgement.reason,
    canRemember: judgement.kind === 'open',
    ...(rule !== undefined && { rule }),
    recheck,
  };
}

function titleOf(tool: Tool, judgement: Judgement): string {
  if (tool.effect === 'execute') return 'Run a command';
  if (tool.effect === 'read') return `Use ${tool.name}`;
  return judgement.kind === 'ask' && judgement.because === 'protected' ? 'Change a protected file' : 'Change a file';
}

function keyOf({ tool, directory, detail }: Question): string {
  return JSON.stringify([tool, directory, detail]);
}

function granted(by: DecidedBy, edits: Grant['edits'], rule?: SourcedRule): Decision {
  return { verdict: { decision: 'allow', edits }, by, rule };
}

function denied(by: DecidedBy, reason: string, rule?: SourcedRule): Decision {
  return { verdict: { decision: 'deny', reason }, by, rule };
}

const sourceNames = {
  settings: 'the user’s settings',
  always: 'the user',
  workspace: 'the user',
  repository: 'this repository',
} as const;

function deniedByRule({ rule, source }: SourcedRule): string {
  return `The rule ${rule.text} of ${sourceNames[source]} denies this call. Do not try it in another form: go on without it.`;
}

function denialWords(answer: PermissionAnswer): string {
  const words = answer.reason?.trim();
  if (answer.by === 'rule' && words) return words;
  if (words) return `The user denied this call and said: ${words}`;
  return 'The user denied this call. Do not try it again in another form: go on without it, or ask what is wanted.';
}
