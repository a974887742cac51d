import * as vscode from 'vscode';

const secretName = 'offshoot.anthropicApiKey';

/** The key of the model API: the editor's secret storage first, then the environment of the extension host. */
export type Secrets = {
  apiKey(): Promise<string | undefined>;
  /** @returns whether a key was stored; false when the user left the box */
  askForApiKey(): Promise<boolean>;
  onDidChange(listener: () => void): vscode.Disposable;
};

export function createSecrets(storage: vscode.SecretStorage, environment: NodeJS.ProcessEnv): Secrets {
  return {
    async apiKey() {
      const stored = await storage.get(secretName);
      return stored || environment.ANTHROPIC_API_KEY || undefined;
    },
    async askForApiKey() {
      const typed = await vscode.window.showInputBox({
        title: vscode.l10n.t('Anthropic API key'),
        prompt: vscode.l10n.t(
          'Kept in the secret storage of the editor. Servers that speak the same API have keys of their own.',
        ),
        placeHolder: 'sk-ant-…',
        password: true,
        ignoreFocusOut: true,
        validateInput: (value) => keyProblem(value),
      });
      if (typed === undefined) return false;
      await storage.store(secretName, typed.trim());
      return true;
    },
    onDidChange: (listener) => storage.onDidChange((event) => event.key === secretName && listener()),
  };
}

/** A light look at the shape: other servers have keys of any form, so only what cannot be sent is refused. */
export function keyProblem(value: string): string | undefined {
  const key = value.trim();
  if (key === '') return vscode.l10n.t('Paste a key, or press Escape to leave.');
  if (!/^[\x21-\x7e]+$/.test(key)) return vscode.l10n.t('A key has no spaces and no special letters. Copy it again.');
  if (key.length < 8) return vscode.l10n.t('This is too short for a key. Copy it again.');
  return undefined;
}
