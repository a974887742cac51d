import type { Mode } from '../../settings.ts';
import { explainCall } from '../explaining/explain.ts';
import type { CallHooked, CallHooks } from '../hooks/callHooks.ts';
import {
  type Decision,
  decideByHook,
  denialWords,
  denied,
  deniedByRule,
  granted,
  type MustAsk,
} from '../judging/decide.ts';
import { type Judge, toJudged } from '../judging/judge.ts';
import { type Surface, type Surroundings, surfaceOf } from '../judging/surface.ts';
import type { PathResolver } from '../places/paths.ts';
import type { GateRequest } from '../request.ts';
import type { RuleSources } from '../rules/sources.ts';
import type { Broker } from './broker.ts';
import type { Question, Remember } from './question.ts';
import { toQuestion } from './toQuestion.ts';

export type AskSetup = Surroundings & {
  readonly session: string;
  readonly broker: Broker;
  readonly sources: RuleSources;
  readonly hooks: CallHooks;
};

/** A call that neither rules nor mode decide. */
export type OpenCall = {
  readonly request: GateRequest;
  readonly judgement: MustAsk;
  /** That holds for the agent. */
  readonly mode: Mode;
  readonly hooked: CallHooked | undefined;
};

/** Who decides what is open: an answer for the session, then hooks, then the user. */
export function createAsk(setup: AskSetup, judge: Judge): (call: OpenCall, signal: AbortSignal) => Promise<Decision> {
  const { session, broker, hooks } = setup;
  const remember = rememberIn(setup);
  return async (call, signal) => {
    const { request, judgement, mode } = call;
    const surface = surfaceOf(request.agent, setup);
    const places = await placesOf(request, surface.paths);
    const question = questionAbout(call, { surface, places }, remember, setup, judge);
    const edits = mode === 'default' ? 'propose' : 'write';
    if (question.canRemember && broker.answers.has(session, question)) return granted('session', edits);
    const mayAllow = judgement.kind === 'open' && !judgement.isUnclear;
    const decided = decideByHook(await hooks.onAsk(request, { reason: judgement.reason, mayAllow }, signal));
    if (decided) return decided;
    const answer = await broker.ask(question, signal);
    const rule = judgement.kind === 'ask' ? judgement.rule : undefined;
    if (answer.decision === 'deny') return denied(answer.by, denialWords(answer), rule);
    // What was asked about is what may be done: a link may lead elsewhere by now.
    const isSame = (await placesOf(request, surface.paths)).every((place, index) => place === places[index]);
    return isSame ? granted(answer.by, edits, rule) : denied('outside', movedWords);
  };
}

function rememberIn({ session, broker, sources }: AskSetup): Remember {
  return async (question, { scope }) => {
    if (scope === 'session' || question.rule === undefined) broker.answers.add(session, question);
    else if (scope !== 'once') await sources.remember(question.rule, scope);
  };
}

function questionAbout(
  { request, judgement, mode, hooked }: OpenCall,
  { surface, places }: { readonly surface: Surface; readonly places: readonly string[] },
  remember: Remember,
  setup: AskSetup,
  { readPolicy, judge }: Judge,
): Question {
  const { session, broker, workspace } = setup;
  const asked = judgement.kind === 'ask' && judgement.because === 'hook' ? judgement.reason : undefined;
  const question: Question = toQuestion(
    request,
    judgement,
    { directory: surface.directory, places },
    {
      async recheck() {
        const now = await judge(request, await readPolicy(request.agent), hooked);
        if (now.kind === 'deny') return { decision: 'deny', scope: 'once', by: 'rule', reason: deniedByRule(now.rule) };
        const isAllowed = now.kind === 'allow' || (now.kind === 'open' && broker.answers.has(session, question));
        return isAllowed ? { decision: 'allow', scope: 'once', by: 'rule' } : undefined;
      },
      remember,
      explain: async () =>
        explainCall(toJudged(request), {
          policy: await readPolicy(request.agent),
          ...surface,
          mode,
          isTrusted: workspace.isTrusted,
          ...(asked !== undefined && { asked }),
        }),
    },
  );
  return question;
}

/** Where its paths lead now; in the order of the paths. */
function placesOf({ prepared, tool }: GateRequest, paths: PathResolver): Promise<readonly string[]> {
  const purpose = tool.effect === 'read' ? 'read' : 'write';
  return Promise.all(prepared.paths.map((path) => paths.resolve(path, purpose)));
}

const movedWords =
  'While this was asked about, a link was put in its path or taken away, so that it leads elsewhere. Look at it again.';
