import * as vscode from 'vscode';

/** What a native list shows once it is looked at. */
export type TreeContent<Node> = {
  children(node: Node | undefined): Promise<readonly Node[]>;
  item(node: Node): vscode.TreeItem;
  onChange(listener: () => void): void;
};

/** A list whose content is loaded when the editor first asks for it. */
export function createLazyTree<Node>(
  open: () => Promise<TreeContent<Node>>,
): vscode.TreeDataProvider<Node> & vscode.Disposable {
  const changed = new vscode.EventEmitter<undefined>();
  let content: Promise<TreeContent<Node>> | undefined;
  const load = () => {
    content ??= open().then((loaded) => {
      loaded.onChange(() => changed.fire(undefined));
      return loaded;
    });
    return content;
  };
  return {
    onDidChangeTreeData: changed.event,
    getChildren: async (node) => [...(await (await load()).children(node))],
    getTreeItem: async (node) => (await load()).item(node),
    dispose: () => changed.dispose(),
  };
}
