/** For test/ui: the packaged extension, installed as a user would install it. Call these inside vitest's `ui` project only. */
import { inject } from 'vitest';
import { type EditorServer, type EditorServerOptions, startTestServer } from './server.ts';

/**
 * A server with Offshoot installed and user data of its own (so settings, keys and conversations start empty). About 2 s.
 */
export function startInstalledEditor(options: Omit<EditorServerOptions, 'extensionsDir'> = {}): Promise<EditorServer> {
  return startTestServer({ ...options, extensionsDir: inject('extensionsDir') });
}
