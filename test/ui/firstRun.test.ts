import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startInstalledEditor } from '../support/editor/installed.ts';
import { type EditorServer, temporaryFolder } from '../support/editor/server.ts';
import { openWorkbench, type Workbench } from '../support/editor/workbench.ts';
import { demoScript, startScriptedModel } from '../support/scriptedModel.ts';
import { writeFiles } from '../support/writeFiles.ts';

/** A newcomer: the editor as it comes, no key, no settings, a folder with code in it. */
let server: EditorServer;
let workbench: Workbench;

beforeAll(async () => {
  const folder = join(await temporaryFolder('workspace'), 'shop');
  await mkdir(folder);
  await writeFiles(folder, {
    'package.json': '{ "name": "shop", "description": "Sells things.", "main": "src/index.js" }',
    'README.md': '# Shop\n\nA small shop that sells things.\n',
    'src/index.js': 'export { createCart } from "./cart.js";\n',
    'src/cart.js':
      'export function createCart(prices) {\n  return { total: () => prices.reduce((a, b) => a + b, 0) };\n}\n',
    'src/prices/list.js': 'export class PriceList {\n  get(name) {\n    return this[name];\n  }\n}\n',
    'test/cart.test.js':
      'import { createCart } from "../src/cart.js";\ntest("adds up", () => createCart([1, 2]).total());\n',
  });
  server = await startInstalledEditor({ builtIn: 'all' });
  workbench = await openWorkbench(server, folder);
  await workbench.openView('Offshoot');
});

afterAll(async () => {
  await workbench?.close();
  await server?.stop();
});

test('offers a key or the offline demo, and nothing is sent before', async () => {
  const page = await workbench.sidebarFrame();
  await page.getByRole('button', { name: /Explore this folder now/ }).waitFor();
  await page.getByRole('button', { name: /Add an Anthropic key/ }).waitFor();
  expect(await page.getByRole('textbox', { name: 'Message' }).isDisabled()).toBe(true);
  await workbench.screenshot('first-run');
});

test('the demo explores the folder with parallel agents and reports places that open', async () => {
  const page = await workbench.sidebarFrame();
  await page.getByRole('button', { name: /Explore this folder now/ }).click();
  await page.locator('[data-agent]').nth(1).waitFor();
  await workbench.screenshot('demo-exploring');
  await page.locator('.turn-end').waitFor({ timeout: 60_000 });
  const place = page.getByRole('button', { name: /src\/cart\.js:\d+/ }).last();
  await page
    .getByText(/no language model/i)
    .first()
    .waitFor();
  expect(await page.locator('[data-agent]').count()).toBeGreaterThanOrEqual(2);
  await workbench.screenshot('demo-done');
  await place.click();
  await workbench.page.getByRole('tab', { name: /cart\.js/ }).waitFor();
});

test('the conversation is there again after a reload', async () => {
  await workbench.reload();
  await workbench.openView('Offshoot');
  const page = await workbench.sidebarFrame();
  await page
    .getByRole('button', { name: /src\/cart\.js:\d+/ })
    .first()
    .waitFor({ timeout: 30_000 });
  expect(await page.locator('[data-agent]').count()).toBeGreaterThanOrEqual(2);
  await workbench.screenshot('after-reload');
});

test('a server that is named in the settings after the demo answers from then on', async () => {
  const model = await startScriptedModel({ script: demoScript });
  await workbench.runCommand('Preferences: Open User Settings (JSON)');
  await workbench.page.locator('.view-lines', { hasText: 'offshoot.provider' }).waitFor();
  const file = join(server.userDataDir, 'User', 'settings.json');
  const settings = JSON.parse(await readFile(file, 'utf8'));
  const wanted = { ...settings, 'offshoot.baseUrl': model.url, 'offshoot.model': 'claude-sonnet-5-5' };
  await workbench.page.keyboard.press('Control+A');
  // Typed, the brackets would be closed once more.
  await workbench.page.evaluate((text) => navigator.clipboard.writeText(text), JSON.stringify(wanted));
  await workbench.page.keyboard.press('Control+V');
  await workbench.page.locator('.view-lines', { hasText: 'offshoot.baseUrl' }).waitFor();
  await workbench.page.keyboard.press('Control+S');
  await expect.poll(() => readFile(file, 'utf8'), { timeout: 20_000 }).toContain(model.url);
  await workbench.page.keyboard.press('Escape');
  const page = await workbench.sidebarFrame();
  await page.getByText('Offline demo').first().waitFor({ state: 'detached', timeout: 30_000 });
  const field = page.getByRole('textbox', { name: 'Message' });
  await field.fill('Hello there');
  await field.press('Enter');
  await page.locator('.turn-end').waitFor({ timeout: 30_000 });
  await page.locator('pre code').first().waitFor();
  await model.close();
});
