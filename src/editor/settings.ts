import * as vscode from 'vscode';
import * as z from 'zod';
import { type Settings, settingsSchema } from '../agent/index.ts';

export type EditorSettings = {
  read(): Settings;
  set(key: 'provider', value: Settings['provider']): Promise<void>;
  onDidChange(listener: () => void): vscode.Disposable;
};

/** @param report called once for each value that could not be used as it stands */
export function createSettings(report: (problem: string) => void): EditorSettings {
  const reported = new Set<string>();
  return {
    read() {
      const configuration = vscode.workspace.getConfiguration('offshoot');
      const { settings, problems } = parseSettings((key) => configuration.get(key));
      for (const problem of problems) {
        if (reported.has(problem)) continue;
        reported.add(problem);
        report(problem);
      }
      return settings;
    },
    async set(key, value) {
      await vscode.workspace.getConfiguration('offshoot').update(key, value, vscode.ConfigurationTarget.Global);
    },
    onDidChange: (listener) =>
      vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('offshoot') && listener()),
  };
}

/** Numbers out of range are moved to the nearest end of it; anything else that is wrong gives way to the default. */
export function parseSettings(get: (key: string) => unknown): {
  readonly settings: Settings;
  readonly problems: readonly string[];
} {
  const usable: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [key, schema] of Object.entries(settingsSchema.shape)) {
    const value = get(key);
    if (value === undefined) continue;
    const parsed = schema.safeParse(value);
    if (parsed.success) {
      usable[key] = parsed.data;
      continue;
    }
    const nearest = typeof value === 'number' ? clamp(value, schema) : undefined;
    if (nearest !== undefined) usable[key] = nearest;
    problems.push(
      vscode.l10n.t(
        'The setting offshoot.{0} is {1}, which cannot be used. Now in use: {2}.',
        key,
        JSON.stringify(value),
        JSON.stringify(nearest ?? schema.parse(undefined)),
      ),
    );
  }
  return { settings: settingsSchema.parse(usable), problems };
}

const rangeSchema = z.object({ type: z.string(), minimum: z.number(), maximum: z.number() });

function clamp(value: number, schema: z.ZodType): number | undefined {
  const range = rangeSchema.safeParse(z.toJSONSchema(schema));
  if (!range.success || Number.isNaN(value)) return undefined;
  const { type, minimum, maximum } = range.data;
  const whole = type === 'integer' ? Math.round(value) : value;
  return Math.min(maximum, Math.max(minimum, whole));
}
