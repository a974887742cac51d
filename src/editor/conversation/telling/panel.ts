import * as vscode from 'vscode';
import type { PanelState } from '../../../webview/protocol.ts';
import { localFolders } from '../../host/workspaceFolders.ts';
import type { Choices } from '../choices.ts';
import type { ConversationParts } from '../contract.ts';
import type { SessionAccess } from '../shown/access.ts';
import type { OpenSession } from '../shown/opener.ts';
import type { Audience } from './audience.ts';
import { createModelLists } from './modelLists.ts';

/** What the page shows beside the conversation. */
export type Panel = {
  stage(): Promise<PanelState['stage']>;
  read(): Promise<PanelState>;
  /** Tells those who listen what it is now. */
  push(): void;
};

export type PanelParts = Pick<ConversationParts, 'settings' | 'providers' | 'log'> & {
  readonly audience: Pick<Audience, 'tell'>;
  readonly access: Pick<SessionAccess, 'read'>;
  readonly choices: Pick<Choices, 'mode' | 'model'>;
  readonly open: () => OpenSession | undefined;
};

export function createPanel({ settings, providers, log, audience, access, choices, open }: PanelParts): Panel {
  const models = createModelLists(providers, push, log.warn);

  async function stage(): Promise<PanelState['stage']> {
    if (localFolders().length === 0) return 'none';
    return (await providers.isReady()) ? 'ready' : 'choose';
  }

  async function read(): Promise<PanelState> {
    const now = settings.read();
    const provider = open()?.provider ?? providers.current();
    const chosen = open()?.session.model ?? choices.model() ?? now.model;
    const reached = await stage();
    if (reached === 'ready' && vscode.workspace.isTrusted) models.ask(provider);
    const known = models.known(provider);
    return {
      stage: reached,
      isTrusted: vscode.workspace.isTrusted,
      provider: provider.id,
      mode: open()?.session.mode ?? choices.mode() ?? now['permissions.mode'],
      model: chosen,
      models: known.includes(chosen) || provider.id === 'demo' ? known : [chosen, ...known],
      isRunning: open()?.session.isRunning ?? false,
      access: access.read(),
      folder: localFolders()[0]?.name ?? '',
      prompt: now['permissions.prompt'],
    };
  }

  function push(): void {
    read().then(
      (state) => audience.tell((listener) => listener.state(state)),
      (error) => log.error('The state of the sidebar could not be read', error),
    );
  }

  return { stage, read, push };
}
