import type { Agent } from '../loop/agent.ts';
import type { PreparedCall, Tool } from '../tools/tool.ts';

/** A call before the gate. */
export type GateRequest = {
  readonly agent: Agent;
  readonly call: string;
  readonly tool: Tool;
  readonly input: Readonly<Record<string, unknown>>;
  readonly prepared: PreparedCall;
  /** It is what a hook made of the call. */
  readonly isRewritten?: boolean;
};
