import * as vscode from 'vscode';
import type { ConversationListener } from '../contract.ts';

/** Who listens to the conversation. */
export type Audience = {
  tell(say: (listener: ConversationListener) => void): void;
  subscribe(listener: ConversationListener): vscode.Disposable;
};

export function createAudience(): Audience {
  const listeners = new Set<ConversationListener>();
  return {
    tell(say) {
      for (const listener of listeners) say(listener);
    },
    subscribe(listener) {
      listeners.add(listener);
      return new vscode.Disposable(() => listeners.delete(listener));
    },
  };
}
