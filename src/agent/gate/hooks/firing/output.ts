import * as z from 'zod';
import type { HookEventName } from '../eventNames.ts';

/** What one hook wants; undefined and left out: nothing. */
export type Said = {
  /** `deny` stands for whatever blocks. */
  readonly decision?: 'allow' | 'ask' | 'deny';
  readonly reason?: string;
  /** Takes the place of the call's input. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** Takes the place of the call's result. */
  readonly output?: string;
  /** For the model. */
  readonly context?: string;
  /** Why the agent is to end now. */
  readonly halt?: string;
  /** For the user. */
  readonly message?: string;
};

export type Reading = { readonly ok: true; readonly said: Said } | { readonly ok: false; readonly problem: string };

const maxContextChars = 20_000;

const text = z.string().optional();
const outputSchema = z.looseObject({
  continue: z.boolean().optional(),
  stopReason: text,
  systemMessage: text,
  decision: z.enum(['approve', 'allow', 'ask', 'block', 'deny']).optional(),
  reason: text,
  additionalContext: text,
  hookSpecificOutput: z
    .looseObject({
      permissionDecision: z.enum(['allow', 'deny', 'ask']).optional(),
      permissionDecisionReason: text,
      updatedInput: z.record(z.string(), z.unknown()).optional(),
      updatedToolOutput: z.unknown().optional(),
      updatedMCPToolOutput: z.unknown().optional(),
      additionalContext: text,
      decision: z.looseObject({ behavior: z.enum(['allow', 'deny']), message: text }).optional(),
    })
    .optional(),
});
type Output = z.output<typeof outputSchema>;

/** What is printed as plain text by a hook of these events is for the model. */
const textIsContext: readonly HookEventName[] = ['SessionStart', 'UserPromptSubmit', 'SubagentStart'];

/** Of a command that ended with 0. */
export function readPrinted(event: HookEventName, printed: string): Reading {
  const trimmed = printed.trim();
  if (!trimmed.startsWith('{')) {
    const isContext = trimmed !== '' && textIsContext.includes(event);
    return { ok: true, said: isContext ? { context: shorten(trimmed) } : {} };
  }
  try {
    return readOutput(event, JSON.parse(trimmed));
  } catch {
    return { ok: false, problem: 'it printed something that begins like JSON and is none.' };
  }
}

/** Of a handler, or the JSON of a command. */
export function readOutput(event: HookEventName, value: unknown): Reading {
  if (value === undefined || value === null) return { ok: true, said: {} };
  const parsed = outputSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return { ok: false, problem: `its answer cannot be used: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}` };
  }
  return { ok: true, said: toSaid(event, parsed.data) };
}

/** Of a command that ended with 2: its error output is the reason. */
export function blocked(reason: string): Said {
  return { decision: 'deny', reason: shorten(reason.trim()) || 'It gave no reason.' };
}

function toSaid(event: HookEventName, output: Output): Said {
  const specific = output.hookSpecificOutput;
  const updatedInput = specific?.updatedInput;
  const updatedOutput = specific?.updatedToolOutput ?? specific?.updatedMCPToolOutput;
  const context = specific?.additionalContext ?? output.additionalContext;
  const decision = decisionOf(event, output);
  const reason = specific?.permissionDecisionReason ?? specific?.decision?.message ?? output.reason;
  return {
    ...(decision && { decision }),
    ...(reason !== undefined && { reason: shorten(reason) }),
    ...(event === 'PreToolUse' && updatedInput && { input: updatedInput }),
    ...(event === 'PostToolUse' && updatedOutput !== undefined && { output: asText(updatedOutput) }),
    ...(context !== undefined && context.trim() !== '' && { context: shorten(context) }),
    ...(output.continue === false && { halt: output.stopReason ?? reason ?? 'A hook said so.' }),
    ...(output.systemMessage !== undefined && { message: output.systemMessage }),
  };
}

function decisionOf(event: HookEventName, output: Output): Said['decision'] {
  const { hookSpecificOutput: specific } = output;
  if (event === 'PermissionRequest' && specific?.decision) return specific.decision.behavior;
  if (event === 'PreToolUse' && specific?.permissionDecision) return specific.permissionDecision;
  switch (output.decision) {
    case 'block':
    case 'deny':
      return 'deny';
    case 'ask':
      return event === 'PreToolUse' ? 'ask' : undefined;
    case 'approve':
    case 'allow':
      return event === 'PreToolUse' ? 'allow' : undefined;
    case undefined:
      return undefined;
  }
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? '');
}

function shorten(value: string): string {
  if (value.length <= maxContextChars) return value;
  return `${value.slice(0, maxContextChars)}\n[… ${value.length - maxContextChars} characters left out …]`;
}
