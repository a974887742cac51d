import * as z from 'zod';

export const modes = ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'] as const;
/** Who decides about calls that change something: the user at each one, or the mode. `dontAsk` denies what would be asked. */
export type Mode = (typeof modes)[number];

/** From the strictest on. */
const modesByStrictness: readonly Mode[] = ['plan', 'dontAsk', 'default', 'acceptEdits', 'bypassPermissions'];

/** The stricter of two modes; without a limit the first. */
export function stricterMode(mode: Mode, limit: Mode | undefined): Mode {
  if (limit === undefined) return mode;
  return modesByStrictness.indexOf(limit) < modesByStrictness.indexOf(mode) ? limit : mode;
}

/** The settings the agent reads, by their names below `offshoot.`; units stand in the name or here. */
export const settingsSchema = z.object({
  provider: z.enum(['anthropic', 'demo']).default('anthropic'),
  /** Any server that speaks the Messages API; empty: Anthropic's own. */
  baseUrl: z.string().default(''),
  /** A model id, or an alias: opus, sonnet, haiku (the newest that the server lists). */
  model: z.string().default('sonnet'),
  smallModel: z.string().default('haiku'),
  planModel: z.string().default(''),
  'permissions.mode': z.enum(modes).default('default'),
  /** Rules, e.g. `Bash(npm test:*)`: see docs/permissions.md. */
  'permissions.allow': z.array(z.string()).default([]),
  'permissions.ask': z.array(z.string()).default([]),
  'permissions.deny': z.array(z.string()).default([]),
  'permissions.prompt': z.enum(['modal', 'sidebar']).default('modal'),
  'agents.maxConcurrent': z.int().min(1).max(64).default(8),
  'agents.maxDepth': z.int().min(0).max(3).default(1),
  'agents.maxPerTurn': z.int().min(1).max(500).default(50),
  /** Steps of one agent in one turn. */
  'agents.maxTurns': z.int().min(1).max(1000).default(50),
  'agents.maxReportChars': z.int().min(1000).max(1_000_000).default(50_000),
  /** Seconds without a byte from the model before the step is tried again. */
  'agents.stallSeconds': z.number().min(0.1).max(3600).default(60),
  /** US dollars that a turn may cost, all agents together; 0: no limit. */
  'budget.turnUsd': z.number().min(0).max(10_000).default(0),
  /** Tokens of a turn, read, written and cached, all agents together; 0: no limit. */
  'budget.turnTokens': z.int().min(0).max(1_000_000_000).default(0),
  /** Minutes that one subagent may work; 0: no limit. */
  'budget.agentMinutes': z.number().min(0).max(1440).default(0),
  /** Share of the context window at which old results are dropped or the history is summarised. */
  'context.compactAt': z.number().min(0.1).max(0.95).default(0.8),
  /** What is not committed is there in an agent's worktree as well. */
  'worktrees.carryChanges': z.boolean().default(false),
  'bash.timeoutSeconds': z.number().min(0.1).max(3600).default(120),
  /** Days after which conversations that nobody came back to are deleted; 0: never. */
  'store.retentionDays': z.int().min(0).max(3650).default(0),
  /** By event, as docs/hooks.md says; what cannot be used in it is told one by one. */
  hooks: z.record(z.string(), z.unknown()).default({}),
});

export type Settings = z.output<typeof settingsSchema>;
export const defaultSettings: Settings = settingsSchema.parse({});

/** A value that could not be used as it stands. */
export type SettingsProblem = {
  readonly key: string;
  readonly value: unknown;
} & (
  | {
      /** A number out of range, moved to the nearest end of it. */
      readonly kind: 'range';
      readonly minimum: number;
      readonly maximum: number;
      readonly used: number;
    }
  /** A value of the wrong kind; the default holds. */
  | { readonly kind: 'type'; readonly expected: string; readonly used: unknown }
);

/**
 * The one way from what a user wrote to settings. Never throws: what cannot be used is told.
 * @param raw values by their names below `offshoot.`; undefined ones are left to the default
 */
export function readSettings(raw: Readonly<Record<string, unknown>>): {
  readonly settings: Settings;
  readonly problems: readonly SettingsProblem[];
} {
  const usable: Record<string, unknown> = {};
  const problems: SettingsProblem[] = [];
  for (const [key, schema] of Object.entries(settingsSchema.shape)) {
    const value = Object.hasOwn(raw, key) ? raw[key] : undefined;
    if (value === undefined) continue;
    const parsed = schema.safeParse(value);
    if (parsed.success) {
      usable[key] = parsed.data;
      continue;
    }
    const problem = problemOf(key, value, schema);
    if (problem.kind === 'range') usable[key] = problem.used;
    problems.push(problem);
  }
  return { settings: settingsSchema.parse(usable), problems };
}

/** In English, for a terminal or a log. */
export function describeSettingsProblem(problem: SettingsProblem): string {
  const { key, value, used } = problem;
  const wanted =
    problem.kind === 'range'
      ? `a number from ${problem.minimum} to ${problem.maximum} is wanted`
      : `${problem.expected} is wanted`;
  return `The setting ${key} is ${JSON.stringify(value)}; ${wanted}. In use: ${JSON.stringify(used)}.`;
}

const rangeSchema = z.object({ type: z.string(), minimum: z.number(), maximum: z.number() });
const choiceSchema = z.object({ enum: z.array(z.string()) });

function problemOf(key: string, value: unknown, schema: z.ZodType): SettingsProblem {
  const json = z.toJSONSchema(schema);
  const range = rangeSchema.safeParse(json).data;
  if (range && typeof value === 'number' && !Number.isNaN(value)) {
    const { type, minimum, maximum } = range;
    const whole = type === 'integer' ? Math.round(value) : value;
    const used = Math.min(maximum, Math.max(minimum, whole));
    return { kind: 'range', key, value, minimum, maximum, used };
  }
  const choice = choiceSchema.safeParse(json).data;
  const expected = range
    ? `a number from ${range.minimum} to ${range.maximum}`
    : (choice?.enum.join(', ') ?? kindOf(schema.parse(undefined)));
  return { kind: 'type', key, value, expected, used: schema.parse(undefined) };
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list of texts';
  return typeof value === 'object' ? 'an object' : 'a text';
}
