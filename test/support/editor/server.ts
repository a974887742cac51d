/** The editor's server with folders of its own, quiet and without questions: for tests. */
import { rmSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startEditorServer } from '../../../scripts/editorServer.mjs';
import { editorFolder } from '../../../scripts/setup.mjs';

export { installVsix } from '../../../scripts/editorServer.mjs';

export type EditorServer = {
  readonly port: number;
  readonly userDataDir: string;
  /** The address of the workbench on a folder. */
  url(folder: string, payload?: EditorPayload): string;
  /** What the server has printed so far. */
  output(): string;
  /** Resolves when the server has ended, for whatever reason. */
  readonly ended: Promise<void>;
  /** Ends the server and removes the folders that it made itself. */
  stop(): Promise<void>;
};

/** Absolute paths of an extension and a test suite to load from their folders. */
export type EditorPayload = { readonly extensionDevelopmentPath?: string; readonly extensionTestsPath?: string };

export type EditorServerOptions = {
  /** Default: empty and new, or a copy of `extensionsFrom`. */
  readonly extensionsDir?: string;
  /** A folder of installed extensions. Each server has a copy: it may write beside them. */
  readonly extensionsFrom?: string;
  /** Default: empty and new. */
  readonly userDataDir?: string;
  /** Names of the editor's own extensions that are there. */
  readonly builtIn?: readonly string[] | 'all';
  /** User settings over `quietSettings`. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Added to the environment of the extension host, for example ANTHROPIC_API_KEY. */
  readonly env?: NodeJS.ProcessEnv;
};

export const quietSettings = {
  'security.workspace.trust.enabled': false,
  'workbench.startupEditor': 'none',
  'workbench.enableExperiments': false,
  'chat.disableAIFeatures': true,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'diffEditor.codeLens': true,
  'git.openRepositoryInParentFolders': 'never',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'remote.autoForwardPorts': false,
} as const;

const temporaryFolders: string[] = [];

/** A new folder; it goes when this process ends, if not before. */
export async function temporaryFolder(name: string): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), `offshoot-${name}-`));
  if (temporaryFolders.length === 0) process.once('exit', removeTemporaryFolders);
  temporaryFolders.push(folder);
  return folder;
}

function removeTemporaryFolders(): void {
  for (const folder of temporaryFolders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

/** A folder of links to them, and to the packages that they share. */
async function linkBuiltIn(parent: string, names: readonly string[]): Promise<string> {
  const folder = path.join(parent, 'built-in');
  await mkdir(folder);
  for (const name of ['node_modules', ...names]) {
    await symlink(path.join(editorFolder, 'extensions', name), path.join(folder, name), 'junction');
  }
  return folder;
}

/** A key of the machine that runs the tests must neither be used nor change what the first run shows. */
const noKeys = { ANTHROPIC_API_KEY: undefined, ANTHROPIC_AUTH_TOKEN: undefined, ANTHROPIC_BASE_URL: undefined };

export async function startTestServer(options: EditorServerOptions = {}): Promise<EditorServer> {
  const own = await temporaryFolder('editor');
  const { builtIn = 'all', extensionsDir = path.join(own, 'extensions') } = options;
  if (options.extensionsFrom !== undefined) await cp(options.extensionsFrom, extensionsDir, { recursive: true });
  const server = await startEditorServer({
    userDataDir: options.userDataDir ?? path.join(own, 'user-data'),
    extensionsDir,
    ...(builtIn !== 'all' && { builtInExtensionsDir: await linkBuiltIn(own, builtIn) }),
    settings: { ...quietSettings, ...options.settings },
    env: { ...noKeys, ...options.env },
    isAutomated: true,
  });
  return {
    port: server.port,
    userDataDir: server.userDataDir,
    url: server.url,
    output: server.output,
    ended: server.ended,
    stop: async () => {
      await server.stop();
      await rm(own, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
