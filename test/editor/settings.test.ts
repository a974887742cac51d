import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import manifest from '../../package.json' with { type: 'json' };
import texts from '../../package.nls.json' with { type: 'json' };
import chinese from '../../package.nls.zh-cn.json' with { type: 'json' };
import { defaultSettings, settingsSchema } from '../../src/agent/index.ts';
import { createSettings } from '../../src/editor/settings/settings.ts';

describe('settings', () => {
  it('have the same names and defaults in the manifest and in the agent', () => {
    const contributed = Object.entries(manifest.contributes.configuration.properties);
    const defaults = Object.fromEntries(
      contributed.map(([key, { default: value }]) => [key.replace('offshoot.', ''), value]),
    );
    assert.deepEqual(defaults, { ...defaultSettings });
  });

  it('S24 that name an endpoint, a model, a hook or a permission cannot be set by a workspace', () => {
    const scopes = Object.entries(manifest.contributes.configuration.properties).map(([key, { scope }]) => [
      key,
      scope,
    ]);
    const guarded = scopes.filter(([key]) => /\.(provider|baseUrl|hooks|\w*[mM]odel|permissions\..*)$/.test(key ?? ''));
    assert.equal(guarded.length, 11);
    assert.deepEqual([...new Set(guarded.map(([, scope]) => scope))], ['application']);
  });

  it('that cannot be used are reported once, and again after a change', async () => {
    const configuration = vscode.workspace.getConfiguration('offshoot');
    const set = (value: number | undefined) =>
      configuration.update('agents.maxDepth', value, vscode.ConfigurationTarget.Global);
    const problems: string[] = [];
    const settings = createSettings((problem) => problems.push(problem));
    try {
      await set(9);
      assert.equal(settings.read()['agents.maxDepth'], 3);
      assert.equal(settings.read()['agents.maxDepth'], 3);
      assert.equal(problems.length, 1);
      assert.match(problems[0] ?? '', /offshoot\.agents\.maxDepth.*9.*0.*3/);
      await set(2);
      assert.equal(settings.read()['agents.maxDepth'], 2);
      await set(9);
      settings.read();
      assert.equal(problems.length, 2);
    } finally {
      await set(undefined);
    }
  });

  it('are all described, in both languages', () => {
    assert.deepEqual(Object.keys(chinese), Object.keys(texts));
    const used = [...JSON.stringify(manifest).matchAll(/"%([^%"]+)%"/g)].map(([, key]) => key ?? '');
    assert.deepEqual([...new Set(used)].sort(), Object.keys(texts).sort());
    for (const key of Object.keys(settingsSchema.shape)) assert.ok(Object.hasOwn(texts, `setting.${key}`), key);
  });
});
