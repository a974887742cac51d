import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import manifest from '../../package.json' with { type: 'json' };
import texts from '../../package.nls.json' with { type: 'json' };
import chinese from '../../package.nls.zh-cn.json' with { type: 'json' };
import { defaultSettings, settingsSchema } from '../../src/agent/index.ts';
import { createSettings, parseSettings } from '../../src/editor/settings.ts';

describe('settings', () => {
  it('have the same names and defaults in the manifest and in the agent', () => {
    const contributed = Object.entries(manifest.contributes.configuration.properties);
    const defaults = Object.fromEntries(
      contributed.map(([key, { default: value }]) => [key.replace('offshoot.', ''), value]),
    );
    assert.deepEqual(defaults, { ...defaultSettings });
  });

  it('that name an endpoint, a model or a permission cannot be set by a workspace', () => {
    const scopes = Object.entries(manifest.contributes.configuration.properties).map(([key, { scope }]) => [
      key,
      scope,
    ]);
    const guarded = scopes.filter(([key]) => /\.(provider|baseUrl|\w*[mM]odel|permissions\..*)$/.test(key ?? ''));
    assert.equal(guarded.length, 7);
    assert.deepEqual([...new Set(guarded.map(([, scope]) => scope))], ['application']);
  });

  it('out of range are moved to the nearest end, and the wrong kind gives way to the default', () => {
    const given: Record<string, unknown> = {
      'agents.maxConcurrent': 1000,
      'agents.stallSeconds': 0,
      provider: 'other',
      model: 7,
    };
    const { settings, problems } = parseSettings((key) => given[key]);
    assert.deepEqual(settings, { ...defaultSettings, 'agents.maxConcurrent': 64, 'agents.stallSeconds': 0.1 });
    assert.equal(problems.length, 4);
  });

  it('that cannot be used are reported once', async () => {
    const configuration = vscode.workspace.getConfiguration('offshoot');
    const problems: string[] = [];
    const settings = createSettings((problem) => problems.push(problem));
    await configuration.update('agents.maxDepth', 9, vscode.ConfigurationTarget.Global);
    try {
      assert.equal(settings.read()['agents.maxDepth'], 3);
      assert.equal(settings.read()['agents.maxDepth'], 3);
      assert.equal(problems.length, 1);
    } finally {
      await configuration.update('agents.maxDepth', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('are all described, in both languages', () => {
    assert.deepEqual(Object.keys(chinese), Object.keys(texts));
    const used = [...JSON.stringify(manifest).matchAll(/"%([^%"]+)%"/g)].map(([, key]) => key ?? '');
    assert.deepEqual([...new Set(used)].sort(), Object.keys(texts).sort());
    for (const key of Object.keys(settingsSchema.shape)) assert.ok(Object.hasOwn(texts, `setting.${key}`), key);
  });
});
