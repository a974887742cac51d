import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Frame, Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { delegate, say, text } from '../support/answers.ts';
import { startInstalledEditor } from '../support/editor/installed.ts';
import { type EditorServer, temporaryFolder } from '../support/editor/server.ts';
import { openWorkbench, type Workbench } from '../support/editor/workbench.ts';
import {
  type ScriptedModel,
  type ScriptedRequest,
  scriptedTitle,
  startScriptedModel,
} from '../support/scriptedModel.ts';
import { writeFiles } from '../support/writeFiles.ts';

/** Somebody who comes back to what was said before. */
let model: ScriptedModel;
let server: EditorServer;
let workbench: Workbench;
let folder: string;
let page: Frame;

function script({ prompt, step, tools }: ScriptedRequest) {
  if (!tools.includes('Agent')) return say(text('The lighthouse keeper is called Ada.'));
  if (prompt.startsWith('scout') && step === 0) return say(delegate('Look around.', { name: 'scout' }));
  if (prompt.startsWith('slow')) return { blocks: [text('word '.repeat(400))], chunkMs: 100 };
  return say(text(`re: ${prompt}`));
}

beforeAll(async () => {
  model = await startScriptedModel({ script });
  folder = await temporaryFolder('workspace');
  await writeFiles(folder, { 'src/main.ts': 'export const main = 1;\n' });
  server = await startInstalledEditor({
    settings: { 'offshoot.baseUrl': model.url, 'offshoot.model': 'claude-sonnet-5-5' },
    env: { ANTHROPIC_API_KEY: 'test-key' },
  });
  workbench = await openWorkbench(server, folder);
  await workbench.openView('Offshoot');
  page = await workbench.sidebarFrame();
});
afterAll(async () => {
  await workbench?.screenshot('history-last').catch(() => undefined);
  await workbench?.close();
  await server?.stop();
  await model?.close();
});

const poll: typeof expect.poll = (read) => expect.poll(read, { timeout: 20_000 });
const row = (title: string | RegExp): Locator => page.locator('.session', { hasText: title });
const rows = (): Locator => page.locator('.session');

async function send(prompt: string, answer = `re: ${prompt}`): Promise<void> {
  const composer = page.getByRole('textbox', { name: 'Message' });
  await composer.fill(prompt);
  await composer.press('Enter');
  await page.locator('.answer-text', { hasText: answer }).last().waitFor();
  await page.locator('.turn-end').last().waitFor();
}

async function newChat(): Promise<void> {
  await workbench.runCommand('Offshoot: New Chat');
  await page.getByText('Explore codebase').waitFor();
}

async function showHistory(): Promise<void> {
  await workbench.runCommand('Offshoot: Show History');
  page = await workbench.sidebarFrame();
  await page.locator('.history-list').waitFor();
  await page.getByRole('searchbox').fill('');
}

/** Whatever shows. */
async function open(title: string, prompt: string): Promise<void> {
  await workbench.openView('Offshoot');
  await showHistory();
  await row(title).last().locator('.session-main').click();
  await page.locator('.prompt', { hasText: prompt }).waitFor();
}

async function nameByHand(from: string | RegExp, to: string): Promise<void> {
  await row(from).first().locator('.session-main').focus();
  await page.page().keyboard.press('F2');
  await page.getByRole('textbox', { name: 'Name of the conversation' }).fill(to);
  await page.page().keyboard.press('Enter');
  await row(to).waitFor();
}

test('conversations are listed with title, agents and cost, named by the model, and by hand for good', async () => {
  await send('scout the coast', 're: scout the coast');
  await newChat();
  await send('second thoughts');
  await showHistory();
  await poll(() => row(scriptedTitle).count()).toBe(2);
  expect(await rows().nth(0).textContent()).toContain('open now');
  expect(await rows().nth(1).textContent()).toMatch(/1 agent · (<\$|\$)0\.\d\d/);
  await nameByHand('1 agent', 'Coast');
  expect(await row('Coast').count()).toBe(1);
  await nameByHand('open now', 'Thoughts');
  expect(await rows().count()).toBe(2);
  await workbench.screenshot('history-list');
});

test('the title is searched at once, and what was said with its place', async () => {
  const search = page.getByRole('searchbox', { name: 'Search in all conversations' });
  await search.fill('thou');
  await poll(() => rows().count()).toBe(1);
  await search.fill('keeper');
  await row('Coast').locator('mark', { hasText: 'keeper' }).first().waitFor();
  expect(await row('Coast').textContent()).toContain('scout: ');
  await workbench.screenshot('history-search');
  await search.fill('');
  await poll(() => rows().count()).toBe(2);
});

test('a pinned one stands on top, also after a reload', async () => {
  await showHistory();
  await row('Coast').hover();
  await page.getByRole('button', { name: 'Pin Coast' }).click();
  await page.getByRole('heading', { name: 'Pinned' }).waitFor();
  expect(await rows().nth(0).textContent()).toContain('Coast');
  await workbench.reload();
  page = await workbench.sidebarFrame();
  await showHistory();
  await page.getByRole('heading', { name: 'Pinned' }).waitFor();
  expect(await rows().allTextContents()).toEqual([
    expect.stringContaining('Coast'),
    expect.stringContaining('Thoughts'),
  ]);
});

test('arrows go through the list, Enter opens, Escape goes back', async () => {
  await showHistory();
  const { keyboard } = workbench.page;
  await page.getByRole('searchbox').focus();
  await keyboard.press('ArrowDown');
  await keyboard.press('ArrowDown');
  await keyboard.press('ArrowUp');
  await keyboard.press('Enter');
  await page.locator('.prompt', { hasText: 'scout the coast' }).waitFor();
  await showHistory();
  await keyboard.press('Escape');
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
});

test('a deleted one comes back with Undo', async () => {
  await showHistory();
  await row('Thoughts').locator('.session-main').focus();
  await workbench.page.keyboard.press('Delete');
  await poll(() => row('Thoughts').count()).toBe(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await row('Thoughts').waitFor();
});

test('a prompt is edited and sent again in a branch; the old one stays', async () => {
  await open('Thoughts', 'second thoughts');
  await send('a third');
  await page.locator('.prompt', { hasText: 'a third' }).hover();
  await page.locator('.prompt', { hasText: 'a third' }).getByRole('button', { name: 'Edit and send again' }).click();
  await page.getByRole('form', { name: 'Edit and send again' }).getByRole('textbox').fill('another third');
  await workbench.page.keyboard.press('Enter');
  await page.locator('.answer-text', { hasText: 're: another third' }).waitFor();
  await page.getByText('Branched from “Thoughts”').waitFor();
  expect(await page.locator('.prompt', { hasText: 'a third' }).count()).toBe(0);
  const sent = JSON.stringify(model.bodies().at(-1)?.messages);
  expect([sent.includes('second thoughts'), sent.includes('a third')]).toEqual([true, false]);
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.locator('.prompt', { hasText: 'a third' }).waitFor();
});

test('a chat goes on from an earlier turn in a branch', async () => {
  await open('Thoughts', 'second thoughts');
  await page.locator('.turn-end').first().getByRole('button', { name: 'Continue from here in a new chat' }).click();
  await page.getByText('Branched from “Thoughts”').waitFor();
  expect(await page.locator('.prompt').allTextContents()).toEqual([expect.stringContaining('second thoughts')]);
  await send('elsewhere');
  await showHistory();
  await poll(() => row('branched from Thoughts').count()).toBe(2);
  await workbench.screenshot('history-branches');
});

test('what runs in another window is read there, and taken over', async () => {
  const other = await openWorkbench(server, folder);
  try {
    await open('Coast', 'scout the coast');
    await send('here');
    await other.openView('Offshoot');
    await other.runCommand('Offshoot: Show History');
    const there = await other.sidebarFrame();
    const coast = there.locator('.session', { hasText: 'Coast' });
    await coast.getByText('in another window').waitFor();
    await coast.locator('.session-main').click();
    await there.getByRole('button', { name: 'Take over' }).waitFor();
    expect(await there.getByRole('textbox', { name: 'Message' }).isDisabled()).toBe(true);
    await there.locator('.prompt', { hasText: 'here' }).waitFor();
    await other.screenshot('history-held');
    await there.getByRole('button', { name: 'Take over' }).click();
    await poll(() => there.getByRole('textbox', { name: 'Message' }).isEnabled()).toBe(true);
    await page.getByRole('button', { name: 'Take over' }).waitFor();
    const composer = there.getByRole('textbox', { name: 'Message' });
    await composer.fill('and there');
    await composer.press('Enter');
    await there.locator('.answer-text', { hasText: 're: and there' }).waitFor();
  } finally {
    await other.close();
  }
});

test('two windows on one folder have all sessions of both', async () => {
  await workbench.openView('Offshoot');
  const other = await openWorkbench(server, folder);
  try {
    await other.openView('Offshoot');
    const there = await other.sidebarFrame();
    await other.runCommand('Offshoot: New Chat');
    await newChat();
    const write = async (frame: Frame, prompt: string) => {
      const composer = frame.getByRole('textbox', { name: 'Message' });
      await composer.fill(prompt);
      await composer.press('Enter');
      await frame.locator('.answer-text', { hasText: `re: ${prompt}` }).waitFor();
    };
    await Promise.all([write(page, 'from the left'), write(there, 'from the right')]);
    const sessions = path.join(server.userDataDir, 'User', 'globalStorage', 'offshoot.offshoot', 'sessions');
    const count = (await readdir(sessions)).filter((name) => name.endsWith('.jsonl')).length;
    for (const [bench, frame] of [
      [workbench, page],
      [other, there],
    ] as const) {
      await bench.runCommand('Offshoot: Show History');
      await poll(() => frame.locator('.session').count()).toBe(count);
    }
  } finally {
    await other.close();
  }
});
