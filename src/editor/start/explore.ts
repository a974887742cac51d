import * as vscode from 'vscode';
import { exploreAreas, explorePrompt, type Search } from '../../agent/index.ts';

export type Thoroughness = Parameters<typeof explorePrompt>[0];

const mostFiles = 20_000;
const listTimeoutMs = 30_000;

/** The prompt for an exploration of the first folder, by what lies in it. */
export async function explorationOf(
  thoroughness: Thoroughness,
  roots: readonly string[],
  search: Search,
): Promise<string> {
  return explorePrompt(thoroughness, exploreAreas(await listFiles(search, roots)));
}

async function listFiles(search: Search, roots: readonly string[]): Promise<readonly string[]> {
  const [root] = roots;
  if (root === undefined) return [];
  const query = { pattern: '**/*', path: root, limit: mostFiles };
  return (await search.files(query, AbortSignal.timeout(listTimeoutMs))).lines;
}

/** @returns undefined when the user leaves it */
export async function pickThoroughness(): Promise<Thoroughness | undefined> {
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
