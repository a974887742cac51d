import type { Workspace } from '../host.ts';
import type { Mode } from '../settings.ts';
import type { Broker } from './asking/broker.ts';
import type { Question } from './asking/question.ts';
import { toJudged, toQuestion } from './asking/toQuestion.ts';
import { explainCall } from './explaining/explain.ts';
import type { CallHooked, CallHooks } from './hooks/callHooks.ts';
import { heedHooks } from './hooks/heed.ts';
import {
  type Decision,
  decide,
  decideByTrust,
  denialWords,
  denied,
  deniedByRule,
  granted,
  type MustAsk,
  type Verdict,
} from './judging/decide.ts';
import { judgeCall } from './judging/judgeCall.ts';
import type { Judgement } from './judging/judgement.ts';
import type { PathResolver } from './places/paths.ts';
import type { Protection } from './places/protection.ts';
import type { GateRequest } from './request.ts';
import { createHider, type Policy } from './rules/policy.ts';
import type { RuleSources } from './rules/sources.ts';

export type { Grant, Verdict } from './judging/decide.ts';
export type { GateRequest } from './request.ts';

/** Stands before every call of every agent. */
export interface Gate {
  /** @throws ToolError when a path of the call lies outside the workspace */
  check(request: GateRequest, signal: AbortSignal): Promise<Verdict>;
}

export type GateSetup = {
  readonly session: string;
  readonly mode: () => Mode;
  readonly workspace: Workspace;
  readonly paths: PathResolver;
  readonly broker: Broker;
  readonly sources: RuleSources;
  readonly hooks: CallHooks;
  readonly stateDirectory: string;
  readonly configured: readonly string[];
};

/** Hooks, then rules (deny, ask, allow), then protected files, then the mode, then the user. The first that says something decides. */
export function createGate(setup: GateSetup): Gate {
  const { session, mode, workspace, broker, sources, hooks } = setup;
  broker.answers.begin(session);

  const remember: Question['remember'] = async (question, { scope }) => {
    if (scope === 'session' || question.rule === undefined) broker.answers.add(session, question);
    else if (scope !== 'once') await sources.remember(question.rule, scope);
  };

  function judge(request: GateRequest, policy: Policy): Promise<Judgement> {
    return judgeCall(toJudged(request), { policy, ...surfaceOf(request.agent, setup) });
  }

  /** What rules say about the workspace holds in a worktree of it as well. */
  async function readPolicy({ ground }: GateRequest['agent']): Promise<Policy> {
    const policy = await sources.read();
    if (!ground?.worktree) return policy;
    const workspace = [...policy.places.workspace, ...ground.workspace.roots];
    return { ...policy, places: { ...policy.places, workspace } };
  }

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
    const judgement = heedHooks(await judge(request, policy), hooked);
    const held = request.agent.modeWithin(mode());
    const decided = decide(judgement, { effect, mode: held, isAllowedByHook: hooked?.decision === 'allow' });
    if ('ask' in decided) return ask(request, decided.ask, held, hooked, signal);
    return decided.verdict.decision === 'allow' && decided.verdict.edits === 'propose'
      ? propose(request, decided, signal)
      : decided;
  }

  /** The user is asked by the proposal; hooks are heard before. */
  async function propose(request: GateRequest, decided: Decision, signal: AbortSignal): Promise<Decision> {
    const why = { reason: 'The change is put to the user.', mayAllow: decided.by === 'mode', isProposal: true };
    return byHook(await hooks.onAsk(request, why, signal)) ?? decided;
  }

  async function ask(
    request: GateRequest,
    judgement: MustAsk,
    held: Mode,
    hooked: CallHooked | undefined,
    signal: AbortSignal,
  ): Promise<Decision> {
    const surface = surfaceOf(request.agent, setup);
    const isAllowedInSession = () => broker.answers.has(session, question);
    const places = await placesOf(request, surface.paths);
    const question = toQuestion(
      request,
      judgement,
      { directory: surface.directory, places },
      {
        async recheck() {
          const now = heedHooks(await judge(request, await readPolicy(request.agent)), hooked);
          if (now.kind === 'deny')
            return { decision: 'deny', scope: 'once', by: 'rule', reason: deniedByRule(now.rule) };
          const isAllowed = now.kind === 'allow' || (now.kind === 'open' && isAllowedInSession());
          return isAllowed ? { decision: 'allow', scope: 'once', by: 'rule' } : undefined;
        },
        remember,
        explain: async () =>
          explainCall(toJudged(request), {
            policy: await readPolicy(request.agent),
            ...surface,
            mode: held,
            isTrusted: workspace.isTrusted,
            ...(judgement.kind === 'ask' && judgement.because === 'hook' && { asked: judgement.reason }),
          }),
      },
    );
    const edits = held === 'default' ? 'propose' : 'write';
    if (question.canRemember && isAllowedInSession()) return granted('session', edits);
    const mayAllow = judgement.kind === 'open' && !judgement.isUnclear;
    const decided = byHook(await hooks.onAsk(request, { reason: judgement.reason, mayAllow }, signal));
    if (decided) return decided;
    const answer = await broker.ask(question, signal);
    const rule = judgement.kind === 'ask' ? judgement.rule : undefined;
    if (answer.decision === 'deny') return denied(answer.by, denialWords(answer), rule);
    // What was asked about is what may be done: a link may lead elsewhere by now.
    const isSame = (await placesOf(request, surface.paths)).every((place, index) => place === places[index]);
    return isSame ? granted(answer.by, edits, rule) : denied('outside', movedWords);
  }

  return {
    async check(asked, signal) {
      const { agent, call, tool } = asked;
      const hooked = await hooks.before(asked, signal);
      const request = hooked?.rewritten ? { ...asked, ...hooked.rewritten, isRewritten: true } : asked;
      const policy = await readPolicy(agent);
      const decision = await decideAll(request, policy, hooked, signal).catch((error: unknown) => {
        agent.emit({ type: 'permission-decide', call, tool: tool.name, decision: 'deny', by: 'outside' });
        throw error;
      });
      const { verdict, by, rule } = decision;
      const about = rule && { rule: rule.rule.text, source: rule.source };
      agent.emit({ type: 'permission-decide', call, tool: tool.name, decision: verdict.decision, by, ...about });
      if (verdict.decision === 'deny') return verdict;
      const grant = { ...verdict, ...(hooked && { hooked }) };
      if (tool.effect !== 'read') return grant;
      const isAgreed = by === 'user' || by === 'flag';
      const isHidden = createHider(policy, tool.name, isAgreed ? ['deny'] : ['deny', 'ask']);
      return { ...grant, ...(isHidden && { isHidden }) };
    },
  };
}

/** Where an agent works: the folder of its commands, what its paths mean, what is protected from it. */
function surfaceOf({ ground }: GateRequest['agent'], { workspace, paths, stateDirectory, configured }: GateSetup) {
  const { roots } = ground?.workspace ?? workspace;
  const protection: Protection = { roots, stateDirectory, configured, ...(ground && { own: ground.own }) };
  return { paths: ground?.paths ?? paths, protection, directory: roots[0] ?? '' };
}

const movedWords =
  'While this was asked about, a link was put in its path or taken away, so that it leads elsewhere. Look at it again.';

/** Where its paths lead now; in the order of the paths. */
function placesOf({ prepared, tool }: GateRequest, paths: PathResolver): Promise<readonly string[]> {
  const purpose = tool.effect === 'read' ? 'read' : 'write';
  return Promise.all(prepared.paths.map((path) => paths.resolve(path, purpose)));
}

function byHook(said: Awaited<ReturnType<CallHooks['onAsk']>>): Decision | undefined {
  if (said?.decision === 'deny') return denied('hook', said.reason);
  return said?.decision === 'allow' ? granted('hook', 'write') : undefined;
}

/** @returns why a command may not run, whatever else is said about it */
async function reachedBy({ agent: { ground }, prepared: { command } }: GateRequest): Promise<string | undefined> {
  if (command === undefined || !ground?.worktree) return undefined;
  const { reachesCheckout } = await import('./places/reachedCheckout.ts');
  return reachesCheckout(command, ground.workspace.roots[0] ?? '', ground.worktree);
}
