import path from 'node:path';
import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeLongJournal } from '../bench/store/long.ts';
import { startInstalledEditor } from '../support/editor/installed.ts';
import { type EditorServer, temporaryFolder } from '../support/editor/server.ts';
import { openWorkbench, type Workbench } from '../support/editor/workbench.ts';
import { writeFiles } from '../support/writeFiles.ts';

/** Somebody who looks for what was said at the beginning of a conversation of 60 MB. */
let server: EditorServer;
let workbench: Workbench;
let page: Frame;

beforeAll(async () => {
  const folder = await temporaryFolder('workspace');
  await writeFiles(folder, { 'src/main.ts': 'export const main = 1;\n' });
  server = await startInstalledEditor({ env: { ANTHROPIC_API_KEY: 'test-key' } });
  const state = path.join(server.userDataDir, 'User', 'globalStorage', 'offshoot.offshoot');
  await writeLongJournal(state, '20260105-000000000-aaaaaaaa', 60_000_000);
  workbench = await openWorkbench(server, folder);
  await workbench.openView('Offshoot');
  page = await workbench.sidebarFrame();
});
afterAll(async () => {
  await workbench?.screenshot('earlier-last').catch(() => undefined);
  await workbench?.close();
  await server?.stop();
});

const poll: typeof expect.poll = (read) => expect.poll(read, { timeout: 20_000 });
const turnsShown = async () =>
  (await page.locator('.prompt').allTextContents()).map((text) => Number(/prompt (\d+):/.exec(text)?.[1]));

test('a long conversation opens at its latest turns, and what was before comes on request', async () => {
  await workbench.runCommand('Offshoot: Show History');
  page = await workbench.sidebarFrame();
  await page.getByLabel('Also of other folders (1)').check();
  await page.locator('.session-main', { hasText: 'A long one' }).click();
  const earlier = page.getByRole('button', { name: 'Show earlier' });
  await earlier.waitFor({ state: 'attached' });
  const first = await turnsShown();
  expect(first[0]).toBeGreaterThan(2);
  await earlier.scrollIntoViewIfNeeded();
  await workbench.screenshot('earlier-button');
  const log = page.locator('main.log');
  const place = () => page.locator('.prompt', { hasText: `prompt ${first[0]}:` }).boundingBox();
  await log.evaluate((element) => element.scrollTo(0, 0));
  const before = (await place())?.y ?? 0;
  await earlier.press('Enter');
  await poll(async () => (await turnsShown()).length).toBeGreaterThan(first.length);
  expect(Math.abs(((await place())?.y ?? 0) - before)).toBeLessThanOrEqual(2);
  await workbench.screenshot('earlier-more');
  while ((await earlier.count()) > 0) {
    const [top] = await turnsShown();
    await earlier.press('Enter');
    await poll(async () => (await turnsShown())[0] !== top || (await earlier.count()) === 0).toBe(true);
  }
  const shown = await turnsShown();
  expect(shown[0]).toBe(1);
  expect(shown.length).toBeLessThan(first.length + 60);
});

test('an agent of the first turn has its whole transcript', async () => {
  const row = page.locator('[data-agent]').first();
  await row.scrollIntoViewIfNeeded();
  await row.hover();
  await row
    .getByRole('button', { name: /^Open the transcript of/ })
    .first()
    .click();
  let shown: Frame | undefined;
  const find = async () => {
    for (const frame of workbench.page.frames()) {
      const isThere = await frame
        .locator('.transcript-page')
        .count()
        .catch(() => 0);
      if (isThere > 0) shown = frame;
    }
    return shown !== undefined;
  };
  await poll(find).toBe(true);
  await shown?.getByRole('button', { name: 'Show earlier' }).click();
  await poll(async () => shown?.locator('.call').count()).toBe(12);
  expect(await shown?.getByRole('button', { name: 'Show earlier' }).count()).toBe(0);
  await workbench.screenshot('earlier-transcript');
});
