import * as vscode from 'vscode';
import { readSettings, type Settings, type SettingsProblem, settingsSchema } from '../../agent/index.ts';

export type EditorSettings = {
  read(): Settings;
  set(key: 'provider', value: Settings['provider']): Promise<void>;
  onDidChange(listener: () => void): vscode.Disposable;
};

/** @param report called for each value that cannot be used as it stands: once, and again after it was changed */
export function createSettings(report: (problem: string) => void): EditorSettings {
  let standing: ReadonlySet<string> = new Set();
  return {
    read() {
      const configuration = vscode.workspace.getConfiguration('offshoot');
      const raw = Object.keys(settingsSchema.shape).map((key) => [key, configuration.get(key)]);
      const { settings, problems } = readSettings(Object.fromEntries(raw));
      const texts = problems.map(describe);
      const before = standing;
      standing = new Set(texts);
      for (const text of texts) if (!before.has(text)) report(text);
      return settings;
    },
    async set(key, value) {
      await vscode.workspace.getConfiguration('offshoot').update(key, value, vscode.ConfigurationTarget.Global);
    },
    onDidChange: (listener) =>
      vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('offshoot') && listener()),
  };
}

function describe(problem: SettingsProblem): string {
  const [key, value, used] = [`offshoot.${problem.key}`, JSON.stringify(problem.value), JSON.stringify(problem.used)];
  if (problem.kind === 'range') {
    const { minimum, maximum } = problem;
    return vscode.l10n.t(
      'The setting {0} is {1}; a number from {2} to {3} is wanted. Now in use: {4}.',
      key,
      value,
      minimum,
      maximum,
      used,
    );
  }
  return vscode.l10n.t('The setting {0} is {1}, which cannot be used. Now in use: {2}.', key, value, used);
}
