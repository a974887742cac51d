import * as vscode from 'vscode';

/** What a tab shows; of a diff, the right side. */
export function shownIn(tab: vscode.Tab | undefined): vscode.Uri | undefined {
  if (tab?.input instanceof vscode.TabInputTextDiff) return tab.input.modified;
  return tab?.input instanceof vscode.TabInputText ? tab.input.uri : undefined;
}

export function tabsOf(isWanted: (uri: vscode.Uri) => boolean): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter((tab) => {
      const uri = shownIn(tab);
      return uri !== undefined && isWanted(uri);
    });
}

/** Saves first: a tab with unsaved text would stop and ask. */
export async function closeTabs(isWanted: (uri: vscode.Uri) => boolean): Promise<void> {
  const tabs = tabsOf(isWanted);
  for (const document of vscode.workspace.textDocuments) {
    if (document.isDirty && isWanted(document.uri)) await document.save();
  }
  if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true);
}

export function sameUri(a: vscode.Uri, b: vscode.Uri): boolean {
  return a.toString() === b.toString();
}
