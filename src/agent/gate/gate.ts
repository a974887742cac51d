import type { Mode } from '../settings.ts';
import { type AskSetup, createAsk } from './asking/ask.ts';
import type { CallHooked } from './hooks/callHooks.ts';
import { type Decision, decide, decideByHook, decideByTrust, denied, type Verdict } from './judging/decide.ts';
import { createJudge } from './judging/judge.ts';
import type { GateRequest } from './request.ts';
import { createHider, type Policy } from './rules/policy.ts';

export type { Grant, Verdict } from './judging/decide.ts';
export type { GateRequest } from './request.ts';

/** Stands before every call of every agent. */
export interface Gate {
  /** @throws ToolError when a path of the call lies outside the workspace */
  check(request: GateRequest, signal: AbortSignal): Promise<Verdict>;
}

export type GateSetup = AskSetup & { readonly mode: () => Mode };

/** Hooks, then rules (deny, ask, allow), then protected files, then the mode, then the user. The first that says something decides. */
export function createGate(setup: GateSetup): Gate {
  const { session, mode, workspace, broker, sources, hooks } = setup;
  broker.answers.begin(session);
  const { readPolicy, judge } = createJudge(setup, sources);
  const ask = createAsk(setup, { readPolicy, judge });

  async function decideAll(
    request: GateRequest,
    policy: Policy,
    hooked: CallHooked | undefined,
    signal: AbortSignal,
  ): Promise<Decision> {
    const { effect } = request.tool;
    const byTrust = decideByTrust(effect, workspace.isTrusted);
    if (byTrust) return byTrust;
    if (hooked?.decision === 'deny') return denied('hook', hooked.reason);
    const reached = await reachedBy(request);
    if (reached !== undefined) return denied('outside', reached);
    const judgement = await judge(request, policy, hooked);
    const held = request.agent.modeWithin(mode());
    const decided = decide(judgement, { effect, mode: held, isAllowedByHook: hooked?.decision === 'allow' });
    if ('ask' in decided) return ask({ request, judgement: decided.ask, mode: held, hooked }, signal);
    return decided.verdict.decision === 'allow' && decided.verdict.edits === 'propose'
      ? propose(request, decided, signal)
      : decided;
  }

  /** The user is asked by the proposal; hooks are heard before. */
  async function propose(request: GateRequest, decided: Decision, signal: AbortSignal): Promise<Decision> {
    const why = { reason: 'The change is put to the user.', mayAllow: decided.by === 'mode', isProposal: true };
    return decideByHook(await hooks.onAsk(request, why, signal)) ?? decided;
  }

  return {
    async check(asked, signal) {
      const hooked = await hooks.before(asked, signal);
      const request = hooked?.rewritten ? { ...asked, ...hooked.rewritten, isRewritten: true } : asked;
      const policy = await readPolicy(asked.agent);
      const decision = await decideAll(request, policy, hooked, signal).catch((error: unknown) => {
        tellDecision(asked, 'deny', { by: 'outside' });
        throw error;
      });
      tellDecision(asked, decision.verdict.decision, decision);
      return toVerdict(decision, asked.tool, policy, hooked);
    },
  };
}

function tellDecision(
  { agent, call, tool }: GateRequest,
  decision: Verdict['decision'],
  { by, rule }: Pick<Decision, 'by' | 'rule'>,
): void {
  const about = rule && { rule: rule.rule.text, source: rule.source };
  agent.emit({ type: 'permission-decide', call, tool: tool.name, decision, by, ...about });
}

/** With what the call that is allowed has to heed. */
function toVerdict(
  { verdict, by }: Decision,
  { name, effect }: GateRequest['tool'],
  policy: Policy,
  hooked: CallHooked | undefined,
): Verdict {
  if (verdict.decision === 'deny') return verdict;
  const grant = { ...verdict, ...(hooked && { hooked }) };
  if (effect !== 'read') return grant;
  const isAgreed = by === 'user' || by === 'flag';
  const isHidden = createHider(policy, name, isAgreed ? ['deny'] : ['deny', 'ask']);
  return { ...grant, ...(isHidden && { isHidden }) };
}

/** @returns why a command may not run, whatever else is said about it */
async function reachedBy({ agent: { ground }, prepared: { command } }: GateRequest): Promise<string | undefined> {
  if (command === undefined || !ground?.worktree) return undefined;
  const { reachesCheckout } = await import('./judging/reachedCheckout.ts');
  return reachesCheckout(command, ground.workspace.roots[0] ?? '', ground.worktree);
}
