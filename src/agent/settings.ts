import * as z from 'zod';

export const modes = ['default', 'acceptEdits', 'plan', 'bypassPermissions'] as const;
/** Who decides about calls that change something: the user at each one, or the mode. */
export type Mode = (typeof modes)[number];

/** From the strictest on. */
const modesByStrictness: readonly Mode[] = ['plan', 'default', 'acceptEdits', 'bypassPermissions'];

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
  'permissions.prompt': z.enum(['modal', 'sidebar']).default('modal'),
  'agents.maxConcurrent': z.int().min(1).max(64).default(8),
  'agents.maxDepth': z.int().min(0).max(3).default(1),
  'agents.maxPerTurn': z.int().min(1).max(500).default(50),
  /** Steps of one agent in one turn. */
  'agents.maxTurns': z.int().min(1).max(1000).default(50),
  'agents.maxReportChars': z.int().min(1000).max(1_000_000).default(50_000),
  /** Seconds without a byte from the model before the step is tried again. */
  'agents.stallSeconds': z.number().min(0.1).max(3600).default(60),
  /** Share of the context window at which old results are dropped or the history is summarised. */
  'context.compactAt': z.number().min(0.1).max(0.95).default(0.8),
  'bash.timeoutSeconds': z.number().min(0.1).max(3600).default(120),
});

export type Settings = z.output<typeof settingsSchema>;
export const defaultSettings: Settings = settingsSchema.parse({});
