import * as vscode from 'vscode';
import { exploreAreas, explorePrompt, type Search } from '../agent/index.ts';
import type { Conversation } from './conversation/contract.ts';
import { readWorkspace } from './host/workspaceFolders.ts';
import type { Secrets } from './settings/secrets.ts';
import type { EditorSettings } from './settings/settings.ts';

const mostFiles = 20_000;
const listTimeoutMs = 30_000;

type Thoroughness = Parameters<typeof explorePrompt>[0];

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
  const { conversation, settings, secrets, search, focus, prefill, report } = parts;
  let server = settings.read().baseUrl;

  /** Who names a server after a try of the demo wants answers from there. */
  async function followServer(): Promise<void> {
    const { provider, baseUrl } = settings.read();
    const isNew = baseUrl !== '' && baseUrl !== server;
    server = baseUrl;
    if (isNew && provider === 'demo' && !conversation.isRunning()) await use('anthropic');
  }
  const following = settings.onDidChange(
    () => void followServer().catch((error) => report('The server could not be taken into use', error)),
  );

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
    return offer(text, vscode.l10n.t('Set API Key'), setApiKey);
  }

  async function setApiKey(): Promise<void> {
    if (!(await secrets.askForApiKey())) return;
    await use('anthropic');
  }

  /** A conversation keeps its source of answers, so another source begins another conversation. */
  async function use(provider: 'anthropic' | 'demo'): Promise<void> {
    if (settings.read().provider !== provider) await settings.set('provider', provider);
    await conversation.refresh();
    if (!conversation.isCurrent()) await conversation.newChat();
  }

  async function by(way: 'demo' | 'key' | 'folder' | 'trust'): Promise<void> {
    switch (way) {
      case 'demo':
        await use('demo');
        return explore('medium');
      case 'key':
        return setApiKey();
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
    await conversation.send(explorePrompt(thoroughness, exploreAreas(await listFiles(workspace.roots))));
  }

  async function listFiles(roots: readonly string[]): Promise<readonly string[]> {
    const [root] = roots;
    if (root === undefined) return [];
    const query = { pattern: '**/*', path: root, limit: mostFiles };
    return (await search.files(query, AbortSignal.timeout(listTimeoutMs))).lines;
  }

  return { send, explore, by, setApiKey, dispose: () => following.dispose() };
}

async function offer(text: string, button: string, action: () => Promise<void>): Promise<void> {
  if ((await vscode.window.showInformationMessage(text, button)) === button) await action();
}

async function pickThoroughness(): Promise<Thoroughness | undefined> {
  const choices: readonly (vscode.QuickPickItem & { readonly value: Thoroughness })[] = [
    { label: vscode.l10n.t('Quick'), description: vscode.l10n.t('what it is and where things are'), value: 'quick' },
    {
      label: vscode.l10n.t('Medium'),
      description: vscode.l10n.t('the parts and how they work together'),
      value: 'medium',
    },
    {
      label: vscode.l10n.t('Very thorough'),
      description: vscode.l10n.t('every area in depth; takes longest'),
      value: 'very thorough',
    },
  ];
  const title = vscode.l10n.t('Explore Codebase');
  const chosen = await vscode.window.showQuickPick(choices, { title, placeHolder: vscode.l10n.t('How thorough?') });
  return chosen?.value;
}

export function toThoroughness(value: unknown): Thoroughness | undefined {
  return value === 'quick' || value === 'medium' || value === 'very thorough' ? value : undefined;
}
