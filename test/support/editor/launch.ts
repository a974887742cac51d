/**
 * Runs test/editor inside the extension host through `@vscode/test-electron`: in a desktop VS Code where there is one, else
 * in the npm-delivered one. Results go to the file named by OFFSHOOT_RESULTS.
 */
import { execFileSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runTests } from '@vscode/test-electron';
import { build, buildEditorTests, editorTestsFolder } from '../../../scripts/build.mjs';
import { findTestDesktop } from '../../../scripts/desktop.mjs';
import { writeSettings } from '../../../scripts/editorServer.mjs';
import { PlainError, runMain } from '../../../scripts/progress.mjs';
import { artifactsFolder, cacheFolder, ensureBrowser, root, setup } from '../../../scripts/setup.mjs';
import { quietSettings, temporaryFolder } from './server.ts';

/** The launcher wants one executable file; this makes it one that starts the stand-in with this very Node. */
async function writeStandIn(): Promise<string> {
  const program = fileURLToPath(new URL('./standIn.ts', import.meta.url));
  const isWindows = process.platform === 'win32';
  const file = path.join(cacheFolder, isWindows ? 'stand-in.cmd' : 'stand-in');
  const text = isWindows
    ? `@"${process.execPath}" "${program}" %*\r\n`
    : `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`;
  await mkdir(cacheFolder, { recursive: true });
  await writeFile(file, text, { mode: 0o755 });
  return file;
}

/** A small repository for the suite to work on. */
async function makeWorkspace(folder: string): Promise<void> {
  await mkdir(path.join(folder, 'src'), { recursive: true });
  await writeFile(path.join(folder, 'README.md'), '# Sample\n\nA folder for tests.\n');
  await writeFile(path.join(folder, 'src', 'add.ts'), 'export const add = (a: number, b: number) => a + b;\n');
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: folder, stdio: 'ignore' });
  git('init', '--initial-branch=main');
  git('add', '.');
  git('-c', 'user.name=Test', '-c', 'user.email=test@localhost', 'commit', '-m', 'start');
}

await runMain(import.meta.url, async () => {
  await setup();
  if (process.env.OFFSHOOT_BUILT !== '1') await build();
  await buildEditorTests();
  const desktop = await findTestDesktop();
  if (desktop === undefined) await ensureBrowser();
  const home = await temporaryFolder('editor-suite');
  const folder = path.join(home, 'workspace');
  await makeWorkspace(folder);
  await writeSettings(path.join(home, 'user-data'), quietSettings);
  try {
    await runTests({
      vscodeExecutablePath: desktop ?? (await writeStandIn()),
      extensionDevelopmentPath: root,
      extensionTestsPath: path.join(editorTestsFolder, 'index.mjs'),
      launchArgs: [
        folder,
        `--user-data-dir=${path.join(home, 'user-data')}`,
        `--extensions-dir=${path.join(home, 'extensions')}`,
      ],
      extensionTestsEnv: {
        OFFSHOOT_RESULTS: process.env.OFFSHOOT_RESULTS ?? path.join(artifactsFolder, 'test', 'editor.json'),
      },
    });
  } catch (error) {
    throw new PlainError(`The editor suite failed: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
});
