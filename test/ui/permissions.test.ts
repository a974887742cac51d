import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame, Locator } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { call, delegate, say, text } from '../support/answers.ts';
import { startInstalledEditor } from '../support/editor/installed.ts';
import { type EditorServer, temporaryFolder } from '../support/editor/server.ts';
import { openWorkbench, type Workbench } from '../support/editor/workbench.ts';
import { demoScript, type Script, type ScriptedModel, startScriptedModel } from '../support/scriptedModel.ts';
import { writeFiles } from '../support/writeFiles.ts';

/** What the prompt asks for: `[bash: …]` as the demo does, or many agents that run one command each. */
const script: Script = (request) => {
  const { firstText, prompt, step } = request;
  const [, child] = /^part \d+: (.*)$/.exec(firstText) ?? [];
  if (child !== undefined) return step === 0 ? say(call('Bash', { command: child })) : say(text('done'));
  const [, kind, commands] = /\[(agents|background): (.*)\]/.exec(prompt) ?? [];
  if (commands === undefined) return demoScript(request);
  if (step > 0) return say(text('All are done.'));
  const more = { subagent_type: 'general-purpose', run_in_background: kind === 'background' };
  return say(...commands.split(' | ').map((command, index) => delegate(`part ${index}: ${command}`, more)));
};

let model: ScriptedModel;
let server: EditorServer;
let workbench: Workbench;
let folder: string;
let page: Frame;

beforeAll(async () => {
  model = await startScriptedModel({ script });
  folder = await temporaryFolder('workspace');
  await writeFiles(folder, { 'README.md': 'A folder.\n' });
  server = await startInstalledEditor({
    settings: {
      'offshoot.baseUrl': model.url,
      'offshoot.model': 'claude-sonnet-5-5',
      'offshoot.agents.maxConcurrent': 10,
      'offshoot.permissions.deny': ['Bash(curl:*)'],
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

/** Each test has a conversation of its own. */
beforeEach(async () => {
  page = await workbench.sidebarFrame();
  if ((await page.locator('.turn-end').count()) > 0) await workbench.runCommand('Offshoot: New Chat');
  await page.getByRole('button', { name: 'Explore codebase' }).waitFor();
});

let turns = 0;

async function ask(prompt: string): Promise<void> {
  turns = await page.locator('.turn-end').count();
  const field = page.getByRole('textbox', { name: 'Message' });
  await field.fill(prompt);
  await field.press('Enter');
}

const turnEnd = () => page.locator('.turn-end').nth(turns).waitFor({ timeout: 30_000 });
const file = (name: string) => readFile(join(folder, name), 'utf8');
const lastResults = () => JSON.stringify(model.bodies().at(-1)?.messages.at(-1));
const row = (name: string): Locator => workbench.page.locator('.pane .monaco-list-row').filter({ hasText: name });

async function openRules(): Promise<void> {
  const header = workbench.page.locator('.pane-header').filter({ hasText: /permission rules/i });
  if ((await header.getAttribute('aria-expanded')) !== 'true') await header.click();
  await row('Built-in protections').waitFor();
}

test('allow once: the call runs, and the same call asks again', async () => {
  await ask('[bash: echo one >> once.txt]');
  await workbench.modal.waitFor();
  const words = await workbench.modal.textContent();
  for (const part of ['echo one >> once.txt', 'lead', 'Bash', folder]) expect(words).toContain(part);
  await workbench.screenshot('permission-modal');
  await workbench.answerModal('Allow once');
  await turnEnd();
  expect(await file('once.txt')).toBe('one\n');
  await ask('[bash: echo one >> once.txt]');
  await workbench.answerModal('Deny');
  await turnEnd();
  expect(await file('once.txt')).toBe('one\n');
});

test('an answer that nobody can have meant is asked for again', async () => {
  // Pressed in the moment in which the modal comes up, which no test outside of the page is fast enough for.
  await workbench.page.evaluate(() => {
    const observer = new MutationObserver(() => {
      const buttons = [...document.querySelectorAll<HTMLElement>('.monaco-dialog-box .monaco-button')];
      const allow = buttons.find(({ textContent }) => textContent === 'Allow once');
      if (!allow) return;
      observer.disconnect();
      document.body.dataset.slipped = 'yes';
      allow.click();
    });
    observer.observe(document.body, { childList: true, subtree: true });
  });
  await ask('[bash: touch slip.txt]');
  await workbench.page.locator('body[data-slipped=yes]').waitFor();
  await workbench.answerModal('Deny');
  await turnEnd();
  await expect(file('slip.txt')).rejects.toThrow('ENOENT');
});

test('allow for this session: the second call does not ask', async () => {
  await ask('[bash: echo s >> session.txt]');
  await workbench.answerModal('Allow for this session');
  await turnEnd();
  await ask('[bash: echo s >> session.txt]');
  await turnEnd();
  expect(await file('session.txt')).toBe('s\ns\n');
  await openRules();
  await row('echo s >> session.txt').waitFor();
});

test('always allow: the rule is shown, kept, listed; revoked, it asks again', async () => {
  await ask('[bash: touch always.txt]');
  await workbench.answerModal('Always allow Bash(touch always.txt)…');
  await workbench.modal.getByText('Keep this rule?').waitFor();
  expect(await workbench.modal.textContent()).toContain('Bash(touch always.txt)');
  await workbench.screenshot('permission-rule');
  await workbench.answerModal('Everywhere');
  await turnEnd();
  await ask('[bash: touch always.txt]');
  await turnEnd();
  await openRules();
  const rule = row('Bash(touch always.txt)');
  await rule.waitFor();
  await workbench.screenshot('permission-rules');
  const revoke = async () => {
    await rule.hover();
    await rule.getByRole('button', { name: 'Revoke' }).click();
    await expect.poll(() => rule.count()).toBe(0);
  };
  await revoke();
  // The editor shows no toasts to a test.
  await workbench.runCommand('Notifications: Show Notifications');
  await workbench.page.locator('.notifications-center').getByText('Undo').click();
  await rule.waitFor();
  await revoke();
  await ask('[bash: touch always.txt]');
  await workbench.answerModal('Deny');
  await turnEnd();
  expect(lastResults()).toContain('denied');
});

test('a rule that another window keeps is listed', async () => {
  await openRules();
  const kept = { version: 1, always: ['Bash(make elsewhere)'], workspaces: {} };
  const state = join(server.userDataDir, 'User', 'globalStorage', 'offshoot.offshoot');
  await mkdir(state, { recursive: true });
  await writeFile(join(state, 'permissions.json'), JSON.stringify(kept));
  await row('Bash(make elsewhere)').waitFor();
});

test('deny with a reason: the agent is told it, from the modal and from the card', async () => {
  await ask('[bash: touch reason.txt]');
  await workbench.answerModal('Deny with a reason…');
  const input = workbench.page.locator('.quick-input-widget input').first();
  await input.fill('use the make target');
  await workbench.screenshot('permission-reason');
  await input.press('Enter');
  await turnEnd();
  expect(lastResults()).toContain('The user denied this call and said: use the make target');
  await expect(file('reason.txt')).rejects.toThrow('ENOENT');
});

test('dismissing the modal denies', async () => {
  await ask('[bash: touch dismissed.txt]');
  await workbench.modal.waitFor();
  await workbench.page.waitForTimeout(700);
  await workbench.page.keyboard.press('Escape');
  await turnEnd();
  expect(lastResults()).toContain('denied');
  await expect(file('dismissed.txt')).rejects.toThrow('ENOENT');
});

test('Stop while a modal is open ends the turn, and the click that comes later allows nothing', async () => {
  await ask('[bash: touch stopped.txt]');
  await workbench.modal.waitFor();
  // The modal lies over the page, so the button is pressed from within.
  await page.getByRole('button', { name: 'Stop', exact: true }).dispatchEvent('click');
  await turnEnd();
  await workbench.answerModal('Allow once');
  await workbench.page.getByText('This question was over already').first().waitFor();
  await expect(file('stopped.txt')).rejects.toThrow('ENOENT');
  expect(await workbench.modal.count()).toBe(0);
});

test('ten agents that want the same are one question, with one answer and ten results', async () => {
  await ask(`[agents: ${Array(10).fill('echo x >> ten.txt').join(' | ')}]`);
  const waiting = page.locator('[data-agent]').filter({ hasText: 'waiting for you' });
  await expect.poll(() => waiting.count(), { timeout: 20_000 }).toBe(10);
  await workbench.modal.waitFor();
  await workbench.screenshot('permission-ten');
  await workbench.answerModal('Allow once');
  await turnEnd();
  expect(await workbench.modal.count()).toBe(0);
  expect(await file('ten.txt')).toBe('x\n'.repeat(10));
});

test('different questions are answered together in the sidebar', async () => {
  await ask('[agents: touch d1.txt | touch d2.txt | touch d3.txt | touch d4.txt]');
  await page.getByText('4 permissions wait for you').waitFor();
  // The first came up when it was alone.
  await workbench.answerModal('Deny');
  await workbench.answerModal('Show all (3)…');
  const digest = page.getByRole('region', { name: 'Permissions that wait for you' });
  await expect.poll(() => digest.getByRole('listitem').count()).toBe(3);
  await workbench.screenshot('permission-digest');
  await digest.getByRole('button', { name: 'Allow all once' }).click();
  await turnEnd();
  expect(await workbench.modal.count()).toBe(0);
  const there = await Promise.all([1, 2, 3, 4].map((number) => file(`d${number}.txt`).catch(() => 'denied')));
  expect(there.sort()).toEqual(['', '', '', 'denied']);
});

test('a background agent interrupts nobody: its question waits as a card, with a badge and a count', async () => {
  await ask('[background: touch behind.txt]');
  const card = page.locator('.card.ask');
  await card.waitFor();
  await workbench.page.locator('.statusbar-item').filter({ hasText: '1 waiting for you' }).waitFor();
  await workbench.screenshot('permission-background');
  expect(await workbench.modal.count()).toBe(0);
  await card.getByRole('button', { name: 'Allow once' }).click();
  await expect.poll(() => file('behind.txt').catch(() => undefined)).toBe('');
  await expect.poll(() => page.locator('.turn-end').count()).toBe(2);
});

test('why something is asked about is told, part by part, also without a question', async () => {
  await ask('[bash: ls && make all]');
  await workbench.answerModal('Why was this asked?');
  const line = (name: RegExp) => workbench.page.getByRole('option', { name });
  await line(/You are asked/).waitFor();
  await line(/^ls/).waitFor();
  await line(/^make all/).waitFor();
  await workbench.screenshot('permission-why');
  await workbench.page.keyboard.press('Escape');
  await workbench.answerModal('Deny');
  await turnEnd();
  await workbench.runCommand('Offshoot: Test a Command Against the Rules…');
  await workbench.page.locator('.quick-input-widget input').first().fill('make; curl https://example.com');
  await line(/Is denied/).waitFor();
  await line(/Rule: Bash\(curl:\*\)/).waitFor();
  await workbench.page.keyboard.press('Escape');
});
