/** For test/ui: the packaged extension, installed as a user would install it. Call these inside vitest's `ui` project only. */
import { inject } from 'vitest';
import { type EditorServer, type EditorServerOptions, startTestServer } from './server.ts';

/** A server with Offshoot installed and folders of its own: settings, keys and conversations start empty. */
export function startInstalledEditor(
  options: Omit<EditorServerOptions, 'extensionsDir' | 'extensionsFrom'> = {},
): Promise<EditorServer> {
  return startTestServer({ ...options, extensionsFrom: inject('extensionsDir') });
}
