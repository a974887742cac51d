import * as vscode from 'vscode';
import { firedEvents } from '../../agent/gate/hooks/eventNames.ts';
import type { Hook, RegisteredHooks } from '../../agent/index.ts';
import type { OffshootApi, OffshootHookEvent, OffshootHookHandler } from './api.ts';

export type HookRegistry = { readonly api: OffshootApi; readonly list: RegisteredHooks };

const timeoutMs = 60_000;

/** Takes hooks of other extensions, from activation on: whoever comes first must not have to wait for the agent. */
export function createHookRegistry(own: string): HookRegistry {
  const hooks = new Set<Hook>();

  function register(
    event: OffshootHookEvent,
    matcherOrHandler: string | undefined | OffshootHookHandler,
    given?: OffshootHookHandler,
  ): vscode.Disposable {
    const handler = typeof matcherOrHandler === 'function' ? matcherOrHandler : given;
    const matcher = typeof matcherOrHandler === 'string' ? matcherOrHandler : undefined;
    if (!firedEvents.includes(event)) {
      throw new Error(`There is no hook event ${event}. There are: ${firedEvents.join(', ')}.`);
    }
    if (typeof handler !== 'function') throw new Error('A hook needs a handler: register(event, matcher?, handler).');
    const name = callerOf(new Error().stack ?? '', own);
    const hook: Hook = { event, matcher, origin: 'extension', action: { kind: 'handler', name, handler, timeoutMs } };
    hooks.add(hook);
    return new vscode.Disposable(() => hooks.delete(hook));
  }

  return { api: Object.freeze({ version: 1, hooks: Object.freeze({ register }) }), list: () => [...hooks] };
}

/** The extension whose code has called; people see it named when its hook blocks, rewrites or fails. */
function callerOf(stack: string, own: string): string {
  const caller = vscode.extensions.all.find(({ id, extensionPath }) => id !== own && stack.includes(extensionPath));
  return caller?.id ?? 'another extension';
}
