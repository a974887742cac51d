import type { Agent } from '../../loop/agent.ts';
import type { Delegation } from '../../tools/agent.ts';
import type { ToolResult } from '../../tools/tool.ts';
import type { SpawnPlan } from '../spawn/plan.ts';

/** A delegation as it lives, and after its end until the session ends. */
export type Delegated = {
  readonly agent: Agent;
  readonly parent: Agent;
  readonly task: Delegation;
  readonly plan: SpawnPlan;
  /** The call that asked for it. */
  readonly call: string;
  readonly controller: AbortController;
  /** Its framed report; never rejects. */
  readonly ended: Promise<ToolResult>;
  /** Resolves when it goes on in the background. */
  readonly detached: Promise<void>;
  readonly detach: () => void;
  /** Set at its end. */
  result: ToolResult | undefined;
  isBackground: boolean;
  /** Calls of its parent that wait for its report. */
  awaited: number;
  /** Its report has reached the agent that delegated. */
  isDelivered: boolean;
  /** Everything was stopped by the user: its end is no reason to wake anybody. */
  isQuiet: boolean;
};

/**
 * Begins it. What is run begins a moment later: not before it is in the roster, since whoever hears of it may stop it.
 * @param run never rejects @param onEnd told before those who wait for `ended`
 */
export function startDelegated(
  what: Pick<Delegated, 'agent' | 'parent' | 'task' | 'plan' | 'call'>,
  run: (signal: AbortSignal) => Promise<ToolResult>,
  onEnd: (delegated: Delegated) => void,
): Delegated {
  const controller = new AbortController();
  let detach = () => {};
  const detached = new Promise<void>((resolve) => {
    detach = resolve;
  });
  const delegated: Delegated = {
    ...what,
    controller,
    detached,
    detach,
    ended: Promise.resolve()
      .then(() => run(controller.signal))
      .then((result) => {
        delegated.result = result;
        onEnd(delegated);
        return result;
      }),
    result: undefined,
    isBackground: false,
    awaited: 0,
    isDelivered: false,
    isQuiet: false,
  };
  return delegated;
}
