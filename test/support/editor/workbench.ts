/** A real VS Code window in headless Chromium, driven as a user would. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { errors, type Frame, type Locator, type Page } from 'playwright-core';
import { artifactsFolder } from '../../../scripts/setup.mjs';
import { launchBrowser } from './browser.ts';
import type { EditorPayload, EditorServer } from './server.ts';

const extensionId = 'offshoot.offshoot';
/** Longer than the time in which an answer is taken for a slip. */
const readingMs = 700;
const screenshots = path.join(artifactsFolder, 'screenshots');

export type Workbench = {
  readonly page: Page;
  /** Runs a command from the palette by its whole title, for example `Offshoot: New Chat`. */
  runCommand(title: string): Promise<void>;
  /** Shows the view of an entry of the activity bar. */
  openView(name: string): Promise<void>;
  /** The document of Offshoot's webview; waits until it is there. A reload or hiding the view makes a new one. */
  sidebarFrame(): Promise<Frame>;
  /** The modal that is open; there is one at a time. */
  readonly modal: Locator;
  modalButton(name: string | RegExp): Locator;
  /** Answers a permission question as somebody who reads it first: a sooner answer counts for nothing. */
  answerModal(name: string | RegExp): Promise<void>;
  /** Reloads the window and waits until the workbench stands again, with the view that was open. */
  reload(): Promise<void>;
  /** Resolves once nothing in the workbench has changed for `quiet` milliseconds; rejects after 30 s. */
  waitForIdle(quiet?: number): Promise<void>;
  /** Writes `.artifacts/screenshots/<name>.png` and gives its path. */
  screenshot(name: string): Promise<string>;
  close(): Promise<void>;
};

export type WorkbenchOptions = {
  readonly payload?: EditorPayload;
  readonly size?: { readonly width: number; readonly height: number };
};

export async function openWorkbench(
  server: EditorServer,
  folder: string,
  options: WorkbenchOptions = {},
): Promise<Workbench> {
  const browser = await launchBrowser();
  try {
    const context = await browser.newContext({ viewport: options.size ?? { width: 1400, height: 900 } });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const page = await context.newPage();
    await page.goto(server.url(folder, options.payload));
    await waitForWorkbench(page);
    return { ...drive(page), close: () => browser.close() };
  } catch (error) {
    await browser.close();
    throw error;
  }
}

async function waitForWorkbench(page: Page): Promise<void> {
  await page.locator('.monaco-workbench .part.activitybar').waitFor({ timeout: 120_000 });
  await page.locator('.monaco-workbench .part.statusbar').waitFor({ timeout: 120_000 });
}

function drive(page: Page): Omit<Workbench, 'close'> {
  const modal = page.locator('.monaco-dialog-box');
  return {
    page,
    modal,
    modalButton: (name) => modal.getByRole('button', { name, ...(typeof name === 'string' ? { exact: true } : {}) }),
    async answerModal(name) {
      await modal.waitFor();
      await page.waitForTimeout(readingMs);
      await modal.getByRole('button', { name, ...(typeof name === 'string' ? { exact: true } : {}) }).click();
    },
    runCommand: (title) => runCommand(page, title),
    openView: (name) => openView(page, name),
    sidebarFrame: () => findSidebarFrame(page),
    reload: () => reload(page),
    waitForIdle: (quiet = 500) => waitForIdle(page, quiet),
    screenshot: async (name) => {
      await mkdir(screenshots, { recursive: true });
      const file = path.join(screenshots, `${name}.png`);
      await page.screenshot({ path: file });
      return file;
    },
  };
}

const viewTab = (page: Page, name: string): Locator =>
  page.locator('.part.activitybar').getByRole('tab', { name }).first();

const expandedTab = (page: Page): Locator => page.locator('.part.activitybar [role=tab][aria-expanded=true]').first();

/** A click on the view that shows hides it, and a window that is still starting may open another; so the outcome counts. */
async function openView(page: Page, name: string): Promise<void> {
  const tab = viewTab(page, name);
  await tab.waitFor({ timeout: 60_000 });
  // A start ends with some view open, unless the sidebar was hidden.
  await expandedTab(page)
    .waitFor({ timeout: 10_000 })
    .catch(() => {});
  const end = Date.now() + 30_000;
  while ((await tab.getAttribute('aria-expanded')) !== 'true') {
    if (Date.now() > end) throw new Error(`The view "${name}" does not open.`);
    await tab.click();
    await page.waitForTimeout(500);
  }
}

/** The browser may drop what the editor wrote last, the open view among it; a desktop does not. */
async function reload(page: Page): Promise<void> {
  const view = await expandedTab(page)
    .getAttribute('aria-label', { timeout: 2_000 })
    .catch(() => null);
  await page.reload();
  await waitForWorkbench(page);
  if (view !== null) await openView(page, view);
}

/** The palette fills while extensions are still being registered, so a command that is not there yet is asked for again. */
async function runCommand(page: Page, title: string): Promise<void> {
  const input = page.locator('.quick-input-widget input').first();
  // Recently used commands carry a note behind the title, keybindings too.
  const row = page
    .locator('.quick-input-list .monaco-list-row')
    .filter({ has: page.locator('.label-name', { hasText: new RegExp(`^\\s*${escapeRegExp(title)}\\s*$`) }) })
    .first();
  const end = Date.now() + 30_000;
  for (;;) {
    await page.keyboard.press('Control+Shift+P');
    try {
      // Whatever takes the focus meanwhile closes the palette again.
      await input.fill(`>${title}`, { timeout: 3_000 });
      await row.click({ timeout: 3_000 });
      return;
    } catch (error) {
      if (!(error instanceof errors.TimeoutError)) throw error;
    }
    await page.keyboard.press('Escape');
    if (Date.now() > end) throw new Error(`The palette has no command "${title}".`);
  }
}

const escapeRegExp = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * A webview is a frame, known by its extension, around a frame with the content. The content loads as `pending-frame` and
 * becomes `active-frame`; only the element shows the change.
 */
async function findSidebarFrame(page: Page): Promise<Frame> {
  const end = Date.now() + 60_000;
  for (;;) {
    const outer = page.frames().filter((frame) => frame.url().includes(`extensionId=${extensionId}`));
    for (const frame of outer.flatMap((parent) => parent.childFrames())) {
      if (await isActive(frame).catch(() => false)) return frame;
    }
    if (Date.now() > end) throw new Error(`No webview of ${extensionId} in ${page.frames().length} frames.`);
    await page.waitForTimeout(100);
  }
}

async function isActive(frame: Frame): Promise<boolean> {
  const element = await frame.frameElement();
  if ((await element.getAttribute('id')) !== 'active-frame') return false;
  return frame.evaluate(() => document.body.childElementCount > 0);
}

async function waitForIdle(page: Page, quiet: number): Promise<void> {
  await page.evaluate(
    ({ quiet, limit }) =>
      new Promise<void>((resolve, reject) => {
        let timer = setTimeout(finish, quiet);
        const watcher = new MutationObserver(() => {
          clearTimeout(timer);
          timer = setTimeout(finish, quiet);
        });
        const guard = setTimeout(() => {
          watcher.disconnect();
          reject(new Error(`The workbench was never quiet for ${quiet} ms.`));
        }, limit);
        function finish(): void {
          clearTimeout(guard);
          watcher.disconnect();
          resolve();
        }
        watcher.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
      }),
    { quiet, limit: 30_000 },
  );
}
