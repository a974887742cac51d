/** How hooks are written down, in settings, repositories and agent files: Claude Code's shape. */
import * as z from 'zod';
import { firedEvents, type HookEventName, reservedEvents } from './eventNames.ts';

const eventNames: readonly HookEventName[] = [...firedEvents, ...reservedEvents];
const reserved: readonly HookEventName[] = reservedEvents;

export type HookSpec = {
  readonly event: HookEventName;
  /** Left out, empty or `*`: everything. */
  readonly matcher?: string;
  readonly action:
    | { readonly kind: 'command'; readonly command: string; readonly timeoutMs: number }
    /** It stands there and cannot be run; what it would guard is asked about. */
    | { readonly kind: 'unusable'; readonly text: string; readonly problem: string };
};

export type HookConfiguration = {
  readonly hooks: readonly HookSpec[];
  /** For people: what cannot be used, and what to write instead. */
  readonly problems: readonly string[];
};

/** Hooks that a file brings. Nothing of them is run before the user has seen them; any change asks anew. */
export type FileHooks = {
  /** Absolute. */
  readonly file: string;
  /** As they stand there. */
  readonly written: unknown;
  readonly hooks: readonly HookSpec[];
};

export const noHooks: HookConfiguration = { hooks: [], problems: [] };

export const defaultTimeoutSeconds = 60;
const maxTimeoutSeconds = 3600;

const groupSchema = z.looseObject({ matcher: z.string().optional(), hooks: z.array(z.unknown()) });
const commandSchema = z.looseObject({
  type: z.literal('command'),
  command: z.string().trim().min(1),
  timeout: z.number().positive().max(maxTimeoutSeconds).optional(),
});
const anyHookSchema = z.looseObject({ type: z.string().optional(), command: z.string().optional() });

/** Fields that change what a hook does or when; without them it would be another hook. */
const unsupportedFields = ['if', 'args', 'asyncRewake'] as const;

/** Never throws: what cannot be used is told, and what would guard a call stays as a hook that cannot be run. */
export function readHookConfiguration(value: unknown): HookConfiguration {
  if (value === undefined || value === null) return noHooks;
  const events = z.record(z.string(), z.unknown()).safeParse(value);
  if (!events.success) return { hooks: [], problems: ['hooks must be an object: {"PreToolUse": [{"hooks": […]}]}.'] };
  const hooks: HookSpec[] = [];
  const problems: string[] = [];
  for (const [name, groups] of Object.entries(events.data)) {
    const event = eventNames.find((known) => known === name);
    if (event === undefined) {
      problems.push(`There is no hook event ${name}; its hooks never run. There are: ${firedEvents.join(', ')}.`);
      continue;
    }
    if (reserved.includes(event)) problems.push(`This version does not fire ${event}; its hooks never run.`);
    const read = readGroups(event, groups);
    hooks.push(...read);
    for (const { action } of read) {
      if (action.kind === 'unusable')
        problems.push(`The hook ${action.text} of ${event} cannot be run: ${action.problem}`);
    }
  }
  return { hooks, problems };
}

function readGroups(event: HookEventName, value: unknown): readonly HookSpec[] {
  const groups = z.array(z.unknown()).safeParse(value);
  if (!groups.success) return [unusable(event, value, 'a list of {"matcher": …, "hooks": […]} is wanted.')];
  return groups.data.flatMap((written) => {
    const group = groupSchema.safeParse(written);
    if (!group.success) return [unusable(event, written, '{"matcher": "Bash", "hooks": […]} is wanted.')];
    const { matcher, hooks } = group.data;
    const about = matcher === undefined ? {} : { matcher };
    return hooks.map((hook) => ({ ...readHook(event, hook), ...about }));
  });
}

function readHook(event: HookEventName, value: unknown): HookSpec {
  const odd = unsupportedFields.find((name) => typeof value === 'object' && value !== null && name in value);
  if (odd !== undefined) return unusable(event, value, `${odd} is not supported; remove it.`);
  const hook = commandSchema.safeParse(value);
  if (hook.success) {
    const { command, timeout = defaultTimeoutSeconds } = hook.data;
    return { event, action: { kind: 'command', command, timeoutMs: timeout * 1000 } };
  }
  const type = anyHookSchema.safeParse(value).data?.type;
  if (type !== undefined && type !== 'command') return unusable(event, value, `the type ${type} is not supported.`);
  return unusable(event, value, '{"type": "command", "command": "…", "timeout": 60} is wanted.');
}

function unusable(event: HookEventName, value: unknown, problem: string): HookSpec {
  const command = anyHookSchema.safeParse(value).data?.command;
  const text = command ?? (JSON.stringify(value) ?? 'undefined').slice(0, 120);
  return { event, action: { kind: 'unusable', text, problem } };
}
