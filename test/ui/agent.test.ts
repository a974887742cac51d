import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type OffshootWindow, openWindow, send } from '../support/editor/window.ts';
import type { Workbench } from '../support/editor/workbench.ts';
import { demoScript, type ScriptedModel } from '../support/scriptedModel.ts';

/** Somebody with a key and a model server. */
let window: OffshootWindow;
let model: ScriptedModel;
let workbench: Workbench;
let folder: string;
let page: Frame;

beforeAll(async () => {
  window = await openWindow({
    script: demoScript,
    files: {
      'src/main.ts': 'export function main(): number {\n  return 1;\n}\n',
      'test/main.test.ts': "test('main', () => {});\n",
    },
  });
  ({ model, workbench, folder } = window);
});
afterAll(() => window?.close());

/** Each test has a conversation of its own. */
beforeEach(async () => {
  page = await workbench.sidebarFrame();
  // On an empty page nothing would tell that another New Chat has come through.
  if ((await page.locator('.turn-end').count()) > 0) await workbench.runCommand('Offshoot: New Chat');
  await page.getByRole('button', { name: 'Explore codebase' }).waitFor();
});

let turns = 0;

async function ask(prompt: string): Promise<void> {
  turns = await page.locator('.turn-end').count();
  await send(page, prompt);
}

/** The turn that `ask` began is over. */
const turnEnd = () => page.locator('.turn-end').nth(turns).waitFor({ timeout: 30_000 });
const file = (name: string) => readFile(join(folder, name), 'utf8');

test('answers in the sidebar, with code and places', async () => {
  await ask('Hello there');
  await turnEnd();
  await page.locator('pre code').first().waitFor();
  await workbench.screenshot('chat');
});

test('Explore Codebase shows agents at work and a report; the lead keeps none of their steps', async () => {
  await workbench.runCommand('Offshoot: Explore Codebase');
  await workbench.page.getByRole('option', { name: /Quick/ }).click();
  await page.locator('[data-agent]').nth(2).waitFor();
  await workbench.screenshot('exploring');
  await page.locator('.turn-end').waitFor();
  expect(await page.locator('[data-agent]').count()).toBe(3);
  await workbench.screenshot('explored');
  await page
    .getByRole('button', { name: /src\/main\.ts:1/ })
    .last()
    .click();
  await workbench.page.getByRole('tab', { name: /main\.ts/ }).waitFor();

  const lead = model
    .bodies()
    .filter((body) => body.tools?.some((tool) => tool.name === 'Agent'))
    .at(-1);
  const sent = JSON.stringify(lead?.messages);
  expect(sent).toContain('<report agent=');
  expect(sent).not.toContain('"name":"Grep"');
});

test('an edit opens as a diff; accepting it in the editor title writes it', async () => {
  await ask('[edit: src/main.ts | return 1; | return 2;]');
  await workbench.page.locator('.monaco-diff-editor').first().waitFor();
  await page.getByRole('button', { name: 'Accept', exact: true }).waitFor();
  await workbench.screenshot('edit');
  expect(await file('src/main.ts')).toContain('return 1;');
  await workbench.page
    .locator('.editor-actions')
    .getByRole('button', { name: /Accept Edit/ })
    .first()
    .click();
  await turnEnd();
  expect(await file('src/main.ts')).toContain('return 2;');
});

test('an edit rejected in the sidebar leaves the file and tells the agent why', async () => {
  await ask('[edit: src/main.ts | main | start]');
  const before = await file('src/main.ts');
  await page.getByRole('textbox', { name: /Reason to reject/ }).fill('keep the name');
  await page.getByRole('button', { name: 'Reject', exact: true }).click();
  await turnEnd();
  expect(await file('src/main.ts')).toBe(before);
  expect(JSON.stringify(model.bodies().at(-1)?.messages.at(-1))).toContain('keep the name');
});

test('Stop ends a streaming answer and keeps what was said', async () => {
  await ask('[slow]');
  await page.getByRole('button', { name: 'Stop', exact: true }).waitFor();
  await workbench.page.waitForTimeout(500);
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await turnEnd();
  await page
    .getByText(/stopped/i)
    .first()
    .waitFor();
  await workbench.screenshot('stopped');
  await ask('Go on');
  await turnEnd();
  await page.locator('pre code').first().waitFor();
});

test('a conversation comes back after hiding the view and after a reload, and goes on', async () => {
  await ask('Remember the word sprout');
  await turnEnd();
  await workbench.openView('Explorer');
  await workbench.openView('Offshoot');
  page = await workbench.sidebarFrame();
  await page.getByText('Remember the word sprout').first().waitFor();
  await workbench.reload();
  await workbench.openView('Offshoot');
  page = await workbench.sidebarFrame();
  await page.getByText('Remember the word sprout').first().waitFor({ timeout: 30_000 });
  await ask('And now?');
  await turnEnd();
  expect(JSON.stringify(model.bodies().at(-1)?.messages)).toContain('Remember the word sprout');
});

test('an earlier conversation can be opened again, and goes on', async () => {
  await ask('The first one is about tulips');
  await turnEnd();
  await workbench.runCommand('Offshoot: New Chat');
  await page.getByRole('button', { name: 'Explore codebase' }).waitFor();
  await ask('The second one is about roses');
  await turnEnd();
  await workbench.runCommand('Offshoot: Show History');
  await page.getByRole('searchbox', { name: 'Search in all conversations' }).fill('tulips');
  await page.locator('.session', { hasText: 'The first one is about tulips' }).locator('.session-main').click();
  await page.locator('.prompt', { hasText: 'The first one is about tulips' }).waitFor();
  await ask('What was it about?');
  await turnEnd();
  const sent = JSON.stringify(model.bodies().at(-1)?.messages);
  expect([sent.includes('tulips'), sent.includes('roses')]).toEqual([true, false]);
});
