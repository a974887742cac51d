import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, delegate, say, text } from '../support/answers.ts';
import { startInstalledEditor } from '../support/editor/installed.ts';
import { type EditorServer, temporaryFolder } from '../support/editor/server.ts';
import { openWorkbench, type Workbench } from '../support/editor/workbench.ts';
import { type Script, type ScriptedModel, startScriptedModel } from '../support/scriptedModel.ts';
import { writeFiles } from '../support/writeFiles.ts';

let model: ScriptedModel;
let server: EditorServer;
let workbench: Workbench;
let folder: string;
let page: Frame;

/** The lead has two agents change the same file, each in a worktree of its own. */
const script: Script = (request) => {
  if (request.tools.includes('Agent')) {
    if (request.step > 0) return say(text('Both are done.'));
    const task = { subagent_type: 'general-purpose', isolation: 'worktree' };
    return say(
      delegate('Say hello in English', { ...task, name: 'english', description: 'greet in English' }),
      delegate('Say hello in French', { ...task, name: 'french', description: 'greet in French' }),
    );
  }
  if (request.step > 0) return say(text('Changed `greeting.txt`.'));
  const word = request.firstText.includes('French') ? 'bonjour' : 'hello';
  return say(call('Write', { file_path: `${word}.txt`, content: `${word}\n` }));
};

const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });

beforeAll(async () => {
  model = await startScriptedModel({ script });
  folder = await temporaryFolder('workspace');
  await writeFiles(folder, { 'greeting.txt': 'hi\n' });
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'Test');
  git('config', 'user.email', 'test@example.org');
  git('add', '-A');
  git('commit', '-qm', 'first');
  server = await startInstalledEditor({
    settings: {
      'offshoot.baseUrl': model.url,
      'offshoot.model': 'claude-sonnet-5-5',
      'offshoot.permissions.mode': 'acceptEdits',
    },
    env: { ANTHROPIC_API_KEY: 'test-key' },
  });
  workbench = await openWorkbench(server, folder);
  await workbench.openView('Offshoot');
  page = await workbench.sidebarFrame();
});

afterAll(async () => {
  await workbench?.close();
  await server?.stop();
  await model?.close();
});

const option = (name: RegExp) => workbench.page.getByRole('option', { name }).first();

test('agents work in worktrees of their own, which are looked at, merged and discarded by a command', async () => {
  const field = page.getByRole('textbox', { name: 'Message' });
  await field.fill('Greet in two languages');
  await field.press('Enter');
  await page.locator('.turn-end').waitFor({ timeout: 30_000 });
  await page.getByText('offshoot/english').first().waitFor();
  await page.getByText('kept on offshoot/french').first().waitFor();
  expect(git('status', '--porcelain')).toBe('');
  await workbench.openView('Source Control');
  await workbench.page.locator('.scm-viewlet .scm-provider', { hasText: 'english' }).waitFor();
  await workbench.screenshot('worktrees-source-control');
  await workbench.openView('Offshoot');
  await workbench.screenshot('worktrees-sidebar');

  await workbench.runCommand('Offshoot: Worktrees…');
  await option(/offshoot\/english.*1 file changed/).waitFor();
  await workbench.screenshot('worktrees-list');
  await option(/offshoot\/english/).click();
  await option(/Show Changes/).click();
  await workbench.page.getByRole('tab', { name: /offshoot\/english/ }).waitFor();
  await workbench.page.getByText('hello', { exact: true }).first().waitFor();
  await workbench.screenshot('worktrees-changes');

  await workbench.runCommand('Offshoot: Worktrees…');
  await option(/offshoot\/english/).click();
  await option(/Merge, Commits/).click();
  await workbench.page.getByText('offshoot/english is merged.').first().waitFor();
  expect(await readFile(join(folder, 'hello.txt'), 'utf8')).toBe('hello\n');
  // The editor shows no toasts to a test.
  await workbench.runCommand('Notifications: Show Notifications');
  await workbench.page.locator('.notifications-center').getByText('Remove Worktree').click();
  await expect.poll(() => git('branch', '--list', 'offshoot/*').trim()).toMatch(/^\+ offshoot\/french$/);

  await workbench.runCommand('Offshoot: Worktrees…');
  await option(/offshoot\/french/).click();
  await option(/Discard/).click();
  const input = workbench.page.locator('.quick-input-widget input').first();
  await workbench.page.getByText('Lost for good: changed files: 1, commits: 0.', { exact: false }).waitFor();
  await input.fill('offshoot/fren');
  await workbench.page.keyboard.press('Escape');
  await input.waitFor({ state: 'hidden' });
  expect(git('branch', '--list', 'offshoot/*').trim()).toMatch(/^\+ offshoot\/french$/);

  await workbench.runCommand('Offshoot: Worktrees…');
  await option(/offshoot\/french/).click();
  await option(/Discard/).click();
  await workbench.page.getByText('Lost for good: changed files: 1, commits: 0.', { exact: false }).waitFor();
  await workbench.screenshot('worktrees-discard');
  await input.fill('offshoot/french');
  await input.press('Enter');
  await expect.poll(() => git('branch', '--list', 'offshoot/*').trim()).toBe('');
  expect(git('worktree', 'list').trim().split('\n')).toHaveLength(1);
}, 120_000);
