import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Frame, Locator } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ask, type OffshootWindow, openWindow, send } from '../support/editor/window.ts';
import type { Workbench } from '../support/editor/workbench.ts';
import { demoScript } from '../support/scriptedModel.ts';

/** Somebody who is asked something and changes their mind, and then does not. */
let window: OffshootWindow;
let workbench: Workbench;
let folder: string;
let page: Frame;

beforeAll(async () => {
  window = await openWindow({
    script: demoScript,
    files: { 'src/main.ts': 'export const main = 1;\n' },
    settings: { 'files.simpleDialog.enable': true },
  });
  ({ workbench, folder } = window);
});

afterAll(async () => {
  await window?.workbench.screenshot('dialogs-last').catch(() => undefined);
  await window?.close();
});

/** Each test has a conversation of its own, in which something was said. */
beforeEach(async () => {
  page = await workbench.sidebarFrame();
  const empty = page.getByRole('button', { name: 'Explore codebase' });
  // On an empty page nothing would tell that another New Chat has come through.
  if ((await page.locator('.turn-end').count()) > 0) await workbench.runCommand('Offshoot: New Chat');
  await empty.waitFor();
});

const field = (): Locator => page.getByRole('textbox', { name: 'Message', exact: true });
const box = (): Locator => workbench.page.locator('.quick-input-widget input[type=text]').first();
const quickPick = (): Locator => workbench.page.locator('.quick-input-widget');
const option = (name: string | RegExp): Locator => workbench.page.getByRole('option', { name }).first();
const read = (name: string): Promise<string> => readFile(path.join(folder, name), 'utf8');
const files = async (): Promise<readonly string[]> => (await readdir(folder)).sort();

async function leave(): Promise<void> {
  await workbench.page.keyboard.press('Escape');
  await quickPick().waitFor({ state: 'hidden' });
}

/** Names a file that is there until the dialog, deaf while it lists a folder, asks whether to replace it. */
async function enterTaken(file: string): Promise<void> {
  const question = quickPick().getByText(/already exists/);
  const isAsked = async () => {
    if (await question.isVisible()) return true;
    // The same name once more would be no change.
    await box().fill(`${folder}/`);
    await box().fill(file);
    await box().press('Enter');
    return question
      .waitFor({ timeout: 5_000 })
      .then(() => true)
      .catch(() => false);
  };
  await expect.poll(isAsked, { timeout: 30_000 }).toBe(true);
}

/** Leaves the dialog; opens it again, names a file that is there, and agrees to replace it the second time it is asked. */
async function saveAs(open: () => Promise<void>, suggested: string, chosen: string, holds: string): Promise<void> {
  const before = await files();
  const target = path.join(folder, chosen);
  const asksForFile = (name: string) =>
    expect.poll(() => box().inputValue(), { timeout: 20_000 }).toBe(path.join(folder, name));
  await open();
  await asksForFile(suggested);
  await leave();
  await writeFile(target, 'of the user');
  await open();
  await asksForFile(suggested);
  await enterTaken(target);
  await workbench.page.keyboard.press('Escape');
  await asksForFile(chosen);
  expect(await read(chosen)).toBe('of the user');
  await enterTaken(target);
  await workbench.page.keyboard.press('Enter');
  await expect.poll(() => read(chosen), { timeout: 20_000 }).toContain(holds);
  expect(await files()).toEqual([...before, chosen].sort());
}

test('a conversation is exported into the file that was chosen', async () => {
  await ask(page, 'Tell me of harbours');
  const command = (name: string) => () => workbench.runCommand(name);
  const markdown = command('Offshoot: Export Conversation as Markdown…');
  await saveAs(markdown, 'Named-by-the-scripted-model.md', 'talk.md', 'Tell me of harbours');
  const json = command('Offshoot: Export Conversation as JSON…');
  await saveAs(json, 'Named-by-the-scripted-model.json', 'talk.json', 'Tell me of harbours');
  expect(JSON.parse(await read('talk.json'))).toMatchObject({ format: 'offshoot-conversation' });
});

test('the permission audit is written into the file that was chosen', async () => {
  await ask(page, '[bash: ls src]');
  const open = async () => {
    await workbench.runCommand('Offshoot: Export Permission Audit…');
    await option('This conversation').click();
  };
  await workbench.runCommand('Offshoot: Export Permission Audit…');
  await option('This conversation').waitFor();
  await leave();
  await saveAs(open, 'permission-audit.jsonl', 'audit.csv', 'ls src');
  await workbench.screenshot('dialogs-audit');
});

test('the answer of the query page is written into the file that was chosen', async () => {
  await ask(page, '[bash: ls src]');
  await workbench.runCommand('Offshoot: Query Agent History');
  const query = await reportFrame();
  await query.getByLabel('Question').selectOption('Which commands ran?');
  await query.getByRole('cell', { name: 'ls src', exact: true }).first().waitFor();
  const open = () => query.getByRole('button', { name: 'Export as CSV…' }).click();
  await saveAs(open, 'offshoot-commands.csv', 'commands.csv', 'ls src');
});

test('what is left with Escape has changed nothing: a name, a key, an exploration, a preview', async () => {
  await ask(page, 'Stay as you are');
  await field().fill('half a thought');
  const bodies = window.model.bodies().length;
  await workbench.runCommand('Offshoot: Rename Conversation…');
  await quickPick().getByText('Empty: its own title again').waitFor();
  await box().fill('Another name');
  await leave();
  await workbench.runCommand('Offshoot: Set API Key');
  await quickPick().locator('input[type=password]').fill('sk-ant-of-nobody');
  await leave();
  await workbench.runCommand('Offshoot: Explore Codebase');
  await option(/Quick/).waitFor();
  await leave();
  await workbench.runCommand('Offshoot: Preview Agent Spawn');
  await option(/Explore/).click();
  await quickPick().getByText('Preview Agent Spawn').waitFor();
  await leave();
  expect(window.model.bodies()).toHaveLength(bodies);
  expect(await field().inputValue()).toBe('half a thought');
  await field().fill('');
  await ask(page, 'Which key?');
  expect(window.model.requests.at(-1)?.headers['x-api-key']).toBe('test-key');
  await workbench.runCommand('Offshoot: Show History');
  const row = page.locator('.session', { hasText: 'open now' });
  await row.waitFor();
  expect(await row.textContent()).not.toContain('Another name');
  await workbench.page.keyboard.press('Escape');
  await field().waitFor();
});

test('deleting a conversation at work, and switching off all questions, may be refused', async () => {
  await send(page, '[slow]');
  await page.getByRole('button', { name: 'Stop', exact: true }).waitFor();
  await workbench.runCommand('Offshoot: Delete Conversation');
  await workbench.modal.getByText(/is at work/).waitFor();
  await workbench.page.keyboard.press('Escape');
  await workbench.modal.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await page.locator('.turn-end').waitFor();
  await page.locator('.prompt', { hasText: '[slow]' }).waitFor();
  const mode = page.getByRole('combobox', { name: 'Permission mode' });
  const before = await mode.inputValue();
  await mode.selectOption({ value: 'bypassPermissions' });
  await workbench.modal.getByText(/without asking/).waitFor();
  await workbench.page.keyboard.press('Escape');
  await expect.poll(() => mode.inputValue()).toBe(before);
});

test('a question left with Escape stays a card; a reason left with Escape leaves the question open', async () => {
  await send(page, '[ask: Left or right? | left | right]');
  await option('left').waitFor();
  await leave();
  await page.getByRole('button', { name: 'right', exact: true }).click();
  await page.locator('.turn-end').waitFor();
  expect(JSON.stringify(window.model.bodies().at(-1)?.messages.at(-1))).toContain('right');
  await send(page, '[bash: touch never.txt]');
  await workbench.answerModal('Deny with a reason…');
  await quickPick()
    .getByText(/What lead is told/)
    .waitFor();
  await leave();
  await workbench.answerModal('Deny');
  await page.locator('.turn-end').nth(1).waitFor();
  expect(await files()).not.toContain('never.txt');
});

test('old conversations are shown before they go; what is taken from the list, or left with Escape, stays', async () => {
  const sessions = path.join(window.server.userDataDir, 'User', 'globalStorage', 'offshoot.offshoot', 'sessions');
  const journals = async () => (await readdir(sessions)).filter((name) => name.endsWith('.jsonl')).sort();
  for (const topic of ['Apples', 'Pears', 'Plums']) {
    await ask(page, topic);
    await workbench.runCommand('Offshoot: New Chat');
    await page.getByRole('button', { name: 'Explore codebase' }).waitFor();
  }
  const before = await journals();
  await ask(page, 'Here and now');
  const aged = before.slice(-3);
  for (const name of aged) await age(path.join(sessions, name), 100);

  await workbench.runCommand('Offshoot: Clean Up Old Conversations…');
  await expect.poll(() => box().inputValue()).toBe('90');
  await leave();
  const list = async () => {
    await workbench.runCommand('Offshoot: Clean Up Old Conversations…');
    await expect.poll(() => box().inputValue()).toBe('90');
    await box().press('Enter');
    await quickPick().getByText('Delete these 3 conversations', { exact: false }).waitFor();
    expect(await quickPick().getByRole('checkbox', { checked: true }).count()).toBeGreaterThanOrEqual(3);
  };
  await list();
  await workbench.screenshot('dialogs-clean-up');
  await leave();
  expect((await journals()).length).toBe(before.length + 1);
  await list();
  await quickPick().locator('.monaco-list-row').first().click();
  await box().press('Enter');
  await expect.poll(async () => (await journals()).length).toBe(before.length - 1);
  const left = await journals();
  expect(aged.filter((name) => left.includes(name))).toHaveLength(1);
});

/** Nothing has happened in it for so many days. */
async function age(journal: string, days: number): Promise<void> {
  const { atime, mtimeMs } = await stat(journal);
  await utimes(journal, atime, new Date(mtimeMs - days * 86_400_000));
}

/** The document with the answers of a query. */
async function reportFrame(): Promise<Frame> {
  const shown = async () => {
    for (const frame of workbench.page.frames()) {
      const heading = frame.getByRole('heading', { name: 'Agent history' });
      if (await heading.isVisible().catch(() => false)) return frame;
    }
    return undefined;
  };
  await expect.poll(shown, { timeout: 30_000 }).toBeDefined();
  const frame = await shown();
  if (!frame) throw new Error('There is no page with reports.');
  return frame;
}
