/** For test/ui: the packaged extension, installed as a user would install it. Call these inside vitest's `ui` project only. */
import { inject } from 'vitest';
import { type EditorServer, type EditorServerOptions, startTestServer } from './server.ts';

/** What most tests look at or lean on. With all hundred of them a window takes a fifth more work to start. */
const usedBuiltIn = [
  ...['theme-defaults', 'theme-modern-icons', 'theme-seti', 'git', 'git-base'],
  ...['javascript', 'typescript-basics', 'json', 'markdown-basics', 'markdown-language-features'],
];

/**
 * A server with Offshoot installed and folders of its own: settings, keys and conversations start empty. Of the editor's own
 * extensions few are there, unless `builtIn` says so.
 */
export function startInstalledEditor(
  options: Omit<EditorServerOptions, 'extensionsDir' | 'extensionsFrom'> = {},
): Promise<EditorServer> {
  return startTestServer({ builtIn: usedBuiltIn, ...options, extensionsFrom: inject('extensionsDir') });
}
