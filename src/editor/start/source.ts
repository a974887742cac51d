import type * as vscode from 'vscode';
import type { Conversation } from '../conversation/contract.ts';
import type { Secrets } from '../settings/secrets.ts';
import type { EditorSettings } from '../settings/settings.ts';

/** Where answers come from. */
export type Source = vscode.Disposable & {
  /** A conversation keeps its source of answers, so another source begins another conversation. */
  use(provider: 'anthropic' | 'demo'): Promise<void>;
  /** Asks for the key, and uses it. */
  readonly setApiKey: () => Promise<void>;
};

/** Who names a server after a try of the demo gets answers from there. */
export function createSource({
  conversation,
  settings,
  secrets,
  report,
}: {
  readonly conversation: Conversation;
  readonly settings: EditorSettings;
  readonly secrets: Secrets;
  readonly report: (what: string, error: unknown) => void;
}): Source {
  let server = settings.read().baseUrl;

  async function use(provider: 'anthropic' | 'demo'): Promise<void> {
    if (settings.read().provider !== provider) await settings.set('provider', provider);
    await conversation.refresh();
    if (!conversation.isCurrent()) await conversation.newChat();
  }

  async function followServer(): Promise<void> {
    const { provider, baseUrl } = settings.read();
    const isNew = baseUrl !== '' && baseUrl !== server;
    server = baseUrl;
    if (isNew && provider === 'demo' && !conversation.isRunning()) await use('anthropic');
  }

  const following = settings.onDidChange(
    () => void followServer().catch((error) => report('The server could not be taken into use', error)),
  );
  return {
    use,
    async setApiKey() {
      if (await secrets.askForApiKey()) await use('anthropic');
    },
    dispose: () => following.dispose(),
  };
}
