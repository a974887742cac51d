import { access, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, say, text } from '../support/answers.ts';
import { startInstalledEditor } from '../support/editor/installed.ts';
import { type EditorServer, temporaryFolder } from '../support/editor/server.ts';
import { openWorkbench, type Workbench } from '../support/editor/workbench.ts';
import { type ScriptedModel, startScriptedModel } from '../support/scriptedModel.ts';
import { writeFiles } from '../support/writeFiles.ts';

/** Somebody who opens a repository that brings hooks, and has one of their own. */
let model: ScriptedModel;
let server: EditorServer;
let workbench: Workbench;
let folder: string;
let page: Frame;

beforeAll(async () => {
  model = await startScriptedModel({
    script: ({ step, lastResults }) =>
      say(step === 0 ? call('Read', { file_path: 'a.txt' }) : text(`Then: ${lastResults[0]?.text ?? ''}`)),
  });
  folder = await temporaryFolder('workspace');
  const command = 'touch ran #\u200b from the repository';
  await writeFiles(folder, {
    'a.txt': 'alpha\n',
    '.claude/settings.json': JSON.stringify({
      hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command }] }] },
    }),
  });
  const guard = { type: 'command', command: 'echo "a.txt is private" >&2; exit 2' };
  server = await startInstalledEditor({
    settings: {
      'offshoot.baseUrl': model.url,
      'offshoot.model': 'claude-sonnet-5-5',
      'offshoot.permissions.prompt': 'sidebar',
      'offshoot.hooks': { PreToolUse: [{ matcher: 'Read', hooks: [guard] }] },
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

async function ask(prompt: string): Promise<void> {
  const field = page.getByRole('textbox', { name: 'Message' });
  await field.fill(prompt);
  await field.press('Enter');
}

test('hooks of a repository are shown whole before any runs, and what a hook blocks stands in the conversation', async () => {
  await ask('read it');
  const card = page.locator('.card.ask');
  await card.waitFor();
  await workbench.screenshot('hooks-asked');
  expect(await card.textContent()).toContain('touch ran');
  await expect(access(join(folder, 'ran'))).rejects.toThrow('ENOENT');
  await card.getByRole('button', { name: 'This session' }).click();
  await page.locator('.turn-end').first().waitFor({ timeout: 30_000 });
  await access(join(folder, 'ran'));
  await page
    .getByText(/blocked: a\.txt is private/)
    .first()
    .waitFor();
  await workbench.screenshot('hooks-blocked');
  await ask('again');
  await page.locator('.turn-end').nth(1).waitFor({ timeout: 30_000 });
  expect(await card.count()).toBe(0);
});

test('approved hooks are listed with the rules; taken back, they are asked about again', async () => {
  const state = join(server.userDataDir, 'User', 'globalStorage', 'offshoot.offshoot');
  await mkdir(state, { recursive: true });
  const kept = { hash: 'x', file: join(folder, 'elsewhere.json'), text: 'Stop: make elsewhere' };
  await writeFile(join(state, 'hooks.json'), JSON.stringify({ version: 2, approved: [kept] }));
  await workbench.page
    .locator('.pane-header')
    .filter({ hasText: /permission rules/i })
    .click();
  const row = (name: string) => workbench.page.locator('.pane .monaco-list-row').filter({ hasText: name });
  await row('Stop: make elsewhere').waitFor();
  await workbench.screenshot('hooks-approved');
  for (const name of ['Stop: make elsewhere', 'touch ran']) {
    await row(name).hover();
    await row(name).getByRole('button', { name: 'Revoke' }).click();
    await expect.poll(() => row(name).count()).toBe(0);
  }
  await ask('once more');
  const card = page.locator('.card.ask');
  await card.getByText('touch ran').waitFor();
  await card.getByRole('button', { name: 'Deny' }).click();
  await page.locator('.turn-end').nth(2).waitFor({ timeout: 30_000 });
});
