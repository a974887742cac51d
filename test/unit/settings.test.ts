import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import manifest from '../../package.json' with { type: 'json' };
import texts from '../../package.nls.json' with { type: 'json' };
import { defaultSettings, describeSettingsProblem, readSettings, settingsSchema } from '../../src/agent/settings.ts';

describe('settings', () => {
  it('out of range are moved to the nearest end of it, and that is said', () => {
    const raw = {
      'agents.maxConcurrent': 1000,
      'agents.stallSeconds': 0,
      'budget.turnUsd': -3,
      'agents.maxTurns': 2.6,
    };
    const { settings, problems } = readSettings(raw);
    expect(settings).toEqual({
      ...defaultSettings,
      'agents.maxConcurrent': 64,
      'agents.stallSeconds': 0.1,
      'budget.turnUsd': 0,
      'agents.maxTurns': 3,
    });
    expect(problems.map(({ key, kind, used }) => [key, kind, used])).toEqual([
      ['agents.maxConcurrent', 'range', 64],
      ['agents.maxTurns', 'range', 3],
      ['agents.stallSeconds', 'range', 0.1],
      ['budget.turnUsd', 'range', 0],
    ]);
    expect(problems.map(describeSettingsProblem)[0]).toBe(
      'The setting agents.maxConcurrent is 1000; a number from 1 to 64 is wanted. In use: 64.',
    );
  });

  it('of the wrong kind give way to the default', () => {
    const { settings, problems } = readSettings({ provider: 'other', model: 7, 'agents.maxDepth': '2' });
    expect(settings).toEqual(defaultSettings);
    expect(problems.map(describeSettingsProblem)).toEqual([
      'The setting provider is "other"; anthropic, demo is wanted. In use: "anthropic".',
      'The setting model is 7; a text is wanted. In use: "sonnet".',
      'The setting agents.maxDepth is "2"; a number from 0 to 3 is wanted. In use: 1.',
    ]);
  });

  it('that are fine or left out are no problem', () => {
    expect(readSettings({ model: undefined, 'agents.maxDepth': 2 })).toEqual({
      settings: { ...defaultSettings, 'agents.maxDepth': 2 },
      problems: [],
    });
  });

  it('have one range, in the manifest, its texts and the agent', () => {
    const properties: Readonly<Record<string, object>> = manifest.contributes.configuration.properties;
    const range = z.object({ minimum: z.number(), maximum: z.number() });
    const limits = Object.entries(settingsSchema.shape).flatMap(([key, schema]) => {
      const found = range.safeParse(z.toJSONSchema(schema)).data;
      return found ? [{ key, ...found }] : [];
    });
    expect(limits.length).toBeGreaterThanOrEqual(11);
    const described: Readonly<Record<string, string>> = texts;
    for (const { key, minimum, maximum } of limits) {
      expect(properties[`offshoot.${key}`], key).toMatchObject({ minimum, maximum });
      const text = described[`setting.${key}`]?.replaceAll(/(\d),(?=\d{3})/g, '$1');
      expect(text, key).toContain(`(${minimum}–${maximum})`);
    }
  });
});
