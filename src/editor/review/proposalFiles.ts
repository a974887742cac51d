import * as vscode from 'vscode';

const mark = '\ufeff';

/** Proposed texts as files that can be edited and saved, in memory. */
export type ProposalFiles = vscode.FileSystemProvider & {
  put(uri: vscode.Uri, text: string): void;
  /** The text as it was saved last. */
  text(uri: vscode.Uri): string | undefined;
  remove(uri: vscode.Uri): void;
  dispose(): void;
};

type MemoryFile = { readonly bytes: Uint8Array; readonly createdAt: number; readonly modifiedAt: number };

export function createProposalFiles(): ProposalFiles {
  const files = new Map<string, MemoryFile>();
  const changes = new vscode.EventEmitter<vscode.FileChangeEvent[]>();

  const write = (uri: vscode.Uri, bytes: Uint8Array) => {
    const known = files.get(uri.toString());
    const now = Date.now();
    files.set(uri.toString(), {
      bytes,
      createdAt: known?.createdAt ?? now,
      modifiedAt: Math.max(now, (known?.modifiedAt ?? 0) + 1),
    });
    const type = known === undefined ? vscode.FileChangeType.Created : vscode.FileChangeType.Changed;
    changes.fire([{ type, uri }]);
  };
  const remove = (uri: vscode.Uri) => {
    if (files.delete(uri.toString())) changes.fire([{ type: vscode.FileChangeType.Deleted, uri }]);
  };
  const find = (uri: vscode.Uri) => {
    const file = files.get(uri.toString());
    if (file === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return file;
  };
  const refuse = (uri: vscode.Uri): never => {
    throw vscode.FileSystemError.NoPermissions(uri);
  };

  return {
    onDidChangeFile: changes.event,
    watch: () => new vscode.Disposable(() => {}),
    stat(uri) {
      const { bytes, createdAt, modifiedAt } = find(uri);
      return { type: vscode.FileType.File, ctime: createdAt, mtime: modifiedAt, size: bytes.byteLength };
    },
    readFile: (uri) => find(uri).bytes,
    writeFile: write,
    delete: remove,
    readDirectory: refuse,
    createDirectory: refuse,
    rename: refuse,
    // The mark makes the editor read UTF-8 whatever encoding the user has set for files; it never becomes part of the text.
    put: (uri, text) => write(uri, Buffer.from(mark + text, 'utf8')),
    text(uri) {
      const file = files.get(uri.toString());
      return (
        file &&
        Buffer.from(file.bytes)
          .toString('utf8')
          .replace(/^\ufeff/, '')
      );
    },
    remove,
    dispose: () => changes.dispose(),
  };
}
