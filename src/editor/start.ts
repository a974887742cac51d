import * as vscode from 'vscode';
import type { Search } from '../agent/index.ts';
import type { Conversation } from './conversation/contract.ts';
import { readWorkspace } from './host/workspaceFolders.ts';
import type { Secrets } from './settings/secrets.ts';
import type { EditorSettings } from './settings/settings.ts';
import { explorationOf, pickThoroughness, type Thoroughness } from './start/explore.ts';
import { createSource } from './start/source.ts';

export type StartParts = {
  readonly conversation: Conversation;
  readonly settings: EditorSettings;
  readonly secrets: Secrets;
  readonly search: Search;
  readonly focus: () => Promise<void>;
  /** Gives the page a text back that could not be sent. */
  readonly prefill: (text: string) => void;
  readonly report: (what: string, error: unknown) => void;
};

/** The ways in: a prompt, an exploration, and what has to be there before either. */
export type Start = vscode.Disposable & {
  send(prompt: string): Promise<void>;
  /** Asks for the thoroughness where none is given. */
  explore(thoroughness?: Thoroughness): Promise<void>;
  by(way: 'demo' | 'key' | 'folder' | 'trust'): Promise<void>;
  setApiKey(): Promise<void>;
};

export function createStart(parts: StartParts): Start {
  const { conversation, search, focus, prefill } = parts;
  const source = createSource(parts);

  async function send(prompt: string): Promise<void> {
    if (prompt.trim() === '') return;
    if (await conversation.send(prompt)) return;
    prefill(prompt);
    await askForWhatIsMissing();
  }

  async function askForWhatIsMissing(): Promise<void> {
    const stage = await conversation.stage();
    if (stage === 'none') {
      return offer(vscode.l10n.t('Offshoot works on a folder. Open one first.'), vscode.l10n.t('Open Folder'), () =>
        by('folder'),
      );
    }
    if (stage === 'ready') return;
    const text = vscode.l10n.t('Offshoot needs an API key, an own server, or the offline demo.');
    return offer(text, vscode.l10n.t('Set API Key'), source.setApiKey);
  }

  async function by(way: 'demo' | 'key' | 'folder' | 'trust'): Promise<void> {
    switch (way) {
      case 'demo':
        await source.use('demo');
        return explore('medium');
      case 'key':
        return source.setApiKey();
      case 'folder':
        await vscode.commands.executeCommand('vscode.openFolder');
        return;
      case 'trust':
        await vscode.commands.executeCommand('workbench.trust.manage');
        return;
    }
  }

  async function explore(given?: Thoroughness): Promise<void> {
    const thoroughness = given ?? (await pickThoroughness());
    if (!thoroughness) return;
    await focus();
    const workspace = await readWorkspace();
    if (!workspace || (await conversation.stage()) !== 'ready') return askForWhatIsMissing();
    await conversation.send(await explorationOf(thoroughness, workspace.roots, search));
  }

  return { send, explore, by, setApiKey: source.setApiKey, dispose: () => source.dispose() };
}

async function offer(text: string, button: string, action: () => Promise<void>): Promise<void> {
  if ((await vscode.window.showInformationMessage(text, button)) === button) await action();
}
