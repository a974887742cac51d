import type { Shell } from '../../../host.ts';
import type { EventBody } from '../../../loop/events.ts';
import { reveal } from '../../reveal.ts';
import type { HookEventName } from '../eventNames.ts';
import { type Hook, type HookInput, nameOf, withoutTwins } from '../hook.ts';
import type { Matcher } from './matcher.ts';
import type { Said } from './output.ts';
import { type HookEnd, runHook } from './runHook.ts';

/** What all hooks of one event want together: deny goes before ask, ask before allow. */
export type Fired = {
  readonly decision: Said['decision'];
  /** Of those that decided; names them, for people. */
  readonly reason: string;
  /** The same without their names, for the model. */
  readonly words: string;
  readonly input: Said['input'];
  readonly output: Said['output'];
  readonly contexts: readonly string[];
  readonly halt: string | undefined;
};

/** Why what is about to happen must not: one hook denies it, or ends the turn. */
export function refusalOf(fired: Fired | undefined): string | undefined {
  return fired?.halt ?? (fired?.decision === 'deny' ? fired.reason : undefined);
}

export type Firing = {
  readonly input: HookInput;
  /** What matchers are about, in all its names; empty for events without one. */
  readonly subjects: readonly string[];
  readonly call?: string;
  readonly emit: (body: EventBody) => void;
};

export type FireParts = {
  readonly matcher: Matcher;
  readonly shell: Shell;
  readonly directory: string;
  readonly now: () => number;
  /** Told at most once in a turn. @returns whether it is news */
  readonly isNews: (text: string) => boolean;
};

const maxNameChars = 100;

/** The hooks whose matcher fits; a matcher that cannot be used fits what it might have guarded. */
export function chooseHooks(hooks: readonly Hook[], subjects: readonly string[], matcher: Matcher): readonly Hook[] {
  if (subjects.length === 0) return withoutTwins(hooks);
  const fitting = hooks.flatMap((hook): readonly Hook[] => {
    const result = matcher(hook.matcher, subjects);
    if (result === 'yes') return [hook];
    if (result === 'no') return [];
    const problem = `its matcher ${hook.matcher} is no regular expression, or one that takes too long.`;
    return [{ ...hook, action: { kind: 'unusable', text: nameOf(hook), problem } }];
  });
  return withoutTwins(fitting);
}

/** Runs them side by side, each once, and tells what came of each. Never rejects. */
export async function fire(
  hooks: readonly Hook[],
  firing: Firing,
  { matcher, shell, directory, now, isNews }: FireParts,
  signal: AbortSignal,
): Promise<Fired> {
  const { input, subjects, call, emit } = firing;
  const event = input.hook_event_name;
  const ran = await Promise.all(
    chooseHooks(hooks, subjects, matcher).map(async (hook): Promise<Ran> => {
      const startedAt = now();
      const end = await runHook(hook, input, shell, directory, signal);
      emit(toEvent(event, hook, end, call, now() - startedAt));
      for (const notice of noticesOf(event, hook, end))
        if (notice.isAlways || isNews(notice.text)) emit(toNotice(notice));
      return { hook, end };
    }),
  );
  return merge(event, ran);
}

type Ran = { readonly hook: Hook; readonly end: HookEnd };

function merge(event: HookEventName, ran: readonly Ran[]): Fired {
  const wishes = ran.flatMap(({ hook, end }) => {
    if (end.outcome === 'ok') return [{ hook, said: end.said }];
    // Nobody knows what it would have said, and it may stand there as a guard.
    if (event !== 'PreToolUse' || end.outcome === 'cancelled') return [];
    return [{ hook, said: { decision: 'ask', reason: `it could not be run: ${end.problem}` } satisfies Said }];
  });
  const said: readonly Said[] = wishes.map((wish) => wish.said);
  const decision = (['deny', 'ask', 'allow'] as const).find((each) => said.some((one) => one.decision === each));
  const deciding = wishes.filter((wish) => decision !== undefined && wish.said.decision === decision);
  return {
    decision,
    reason: deciding.map((wish) => `${shortName(wish.hook)}: ${wish.said.reason ?? 'no reason given'}`).join('\n'),
    words: deciding.map((wish) => wish.said.reason ?? 'No reason was given.').join('\n'),
    input: said.findLast((one) => one.input !== undefined)?.input,
    output: said.findLast((one) => one.output !== undefined)?.output,
    contexts: said.flatMap(({ context }) => context ?? []),
    halt: said.find((one) => one.halt !== undefined)?.halt,
  };
}

export function shortName(hook: Hook): string {
  const name = reveal(nameOf(hook)).replaceAll('\n', ' ');
  return name.length > maxNameChars ? `${name.slice(0, maxNameChars)}…` : name;
}

function toEvent(
  event: HookEventName,
  hook: Hook,
  end: HookEnd,
  call: string | undefined,
  durationMs: number,
): EventBody {
  const said: Said = end.outcome === 'ok' ? end.said : {};
  const reason =
    end.outcome === 'ok' ? (said.reason ?? said.halt) : end.outcome === 'cancelled' ? undefined : end.problem;
  return {
    type: 'hook-run',
    event,
    hook: nameOf(hook),
    origin: hook.origin,
    ...(hook.matcher !== undefined && { matcher: hook.matcher }),
    ...(call !== undefined && { call }),
    outcome: end.outcome,
    ...(said.decision && { decision: said.decision }),
    ...(reason !== undefined && { reason }),
    ...(said.input && { input: said.input }),
    ...(said.output !== undefined && { isOutputReplaced: true as const }),
    durationMs: Math.round(durationMs),
  };
}

type Notice = { readonly level: 'info' | 'warning'; readonly text: string; readonly isAlways: boolean };

/** What people see of it: what blocks, rewrites or fails. */
function noticesOf(event: HookEventName, hook: Hook, end: HookEnd): readonly Notice[] {
  const name = `The hook ${shortName(hook)} (${event})`;
  if (end.outcome === 'cancelled') return [];
  if (end.outcome !== 'ok') {
    const consequence = event === 'PreToolUse' ? ' The calls that it is for are asked about.' : '';
    return [{ level: 'warning', text: `${name} failed: ${end.problem}${consequence}`, isAlways: false }];
  }
  const { decision, reason = '', input, output, halt, message } = end.said;
  return [
    ...(decision === 'deny' ? [{ level: 'warning' as const, text: `${name} blocked: ${reason}`, isAlways: true }] : []),
    ...(halt === undefined
      ? []
      : [{ level: 'warning' as const, text: `${name} ended the agent: ${halt}`, isAlways: true }]),
    ...(input
      ? [{ level: 'info' as const, text: `${name} changed the call to ${JSON.stringify(input)}`, isAlways: true }]
      : []),
    ...(output === undefined
      ? []
      : [{ level: 'info' as const, text: `${name} replaced the result of the call.`, isAlways: true }]),
    ...(message === undefined ? [] : [{ level: 'info' as const, text: `${name}: ${message}`, isAlways: true }]),
  ];
}

function toNotice({ level, text }: Notice): EventBody {
  return { type: 'notice', level, text: reveal(text) };
}
