import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask, type OffshootWindow, openWindow } from '../support/editor/window.ts';
import { demoScript } from '../support/scriptedModel.ts';

/** Somebody who sets a key, and looks for it afterwards. */
const key = 'sk-ant-canary-7Kq2vX9bTn4mWc8';
let window: OffshootWindow;
let page: Frame;

beforeAll(async () => {
  window = await openWindow({
    script: demoScript,
    files: { 'notes.txt': `the key is ${key}\n` },
    settings: { 'offshoot.permissions.mode': 'bypassPermissions' },
    env: {},
  });
  page = await window.workbench.sidebarFrame();
});
afterAll(() => window?.close());

const lastKey = () => window.model.requests.findLast(({ path }) => path === '/v1/messages')?.headers['x-api-key'];
const box = () => window.workbench.page.locator('.quick-input-widget input[type=password]');

test('Set API Key: Escape keeps what was, a key is what the next request brings', async () => {
  await window.workbench.runCommand('Offshoot: Set API Key');
  await window.workbench.page.getByText('Anthropic API key').waitFor();
  await box().fill('sk-ant-of-nobody');
  await window.workbench.page.keyboard.press('Escape');
  await ask(page, 'Remember the word marzipan');
  expect(lastKey()).not.toBe('sk-ant-of-nobody');
  await window.workbench.runCommand('Offshoot: Set API Key');
  await window.workbench.page.getByText('Anthropic API key').waitFor();
  await box().fill(key);
  await window.workbench.screenshot('key-typed');
  await window.workbench.page.keyboard.press('Enter');
  await ask(page, 'And now?');
  expect(lastKey()).toBe(key);
});

test('S43 a key is in no file of the editor, no page and no log, also when commands and servers repeat it', async () => {
  await ask(page, '[bash: cat notes.txt; printenv]');
  const sent = JSON.stringify(window.model.bodies());
  expect([sent.includes('the key is [secret removed]'), sent.includes(key)]).toEqual([true, false]);
  const message = `invalid x-api-key: ${key}`;
  window.model.failNext({ type: 'status', status: 401, errorType: 'authentication_error', message });
  await ask(page, 'Once more');
  await window.workbench.runCommand('Offshoot: Show Logs');
  await window.workbench.page.locator('.part.panel .monaco-editor .view-line').first().waitFor();
  await window.workbench.screenshot('key-log');

  const found = await sweep(['marzipan', key]);
  // What is looked through holds what was said.
  expect(found.marzipan).toEqual(expect.arrayContaining([expect.stringMatching(/\.jsonl$/), 'page']));
  expect(found[key]).toEqual([]);
});

/** Where each text stands: files of the user data, pages and what they keep, the server's output. */
async function sweep(texts: readonly string[]): Promise<Readonly<Record<string, readonly string[]>>> {
  const places: (readonly [name: string, content: Buffer])[] = [];
  for (const entry of await readdir(window.server.userDataDir, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isFile()) places.push([path.relative(window.server.userDataDir, file), await readFile(file)]);
  }
  for (const frame of window.workbench.page.frames()) {
    places.push(['page', Buffer.from(await frame.content().catch(() => ''))]);
  }
  const kept = await window.workbench.page.context().storageState({ indexedDB: true });
  places.push(['storage of the page', Buffer.from(JSON.stringify(kept))]);
  places.push(['output of the server', Buffer.from(window.server.output())]);
  const holding = (text: string) =>
    places.filter(([, content]) => spellingsOf(text).some((spelling) => content.includes(spelling)));
  return Object.fromEntries(texts.map((text) => [text, [...new Set(holding(text).map(([name]) => name))]]));
}

/** As it is, as two bytes a letter, in hexadecimal and in base64 wherever it begins. */
function spellingsOf(text: string): readonly Buffer[] {
  const whole = Buffer.from(text);
  const inBase64 = [0, 1, 2].map((start) => {
    const groups = whole.subarray(start, start + Math.floor((whole.length - start) / 3) * 3);
    return Buffer.from(groups.toString('base64'));
  });
  return [whole, Buffer.from(text, 'utf16le'), Buffer.from(whole.toString('hex')), ...inBase64];
}
