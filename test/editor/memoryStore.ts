import type * as vscode from 'vscode';

/** What the editor keeps for a workspace, in memory. */
export function memoryStore(): vscode.Memento {
  const values = new Map<string, unknown>();
  return {
    keys: () => [...values.keys()],
    get: <Value>(key: string, otherwise?: Value) => (values.has(key) ? (values.get(key) as Value) : otherwise),
    update: async (key: string, value: unknown) =>
      void (value === undefined ? values.delete(key) : values.set(key, value)),
  } as vscode.Memento;
}
