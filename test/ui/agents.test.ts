import type { Frame, Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { call, delegate, say, text } from '../support/answers.ts';
import { startInstalledEditor } from '../support/editor/installed.ts';
import { type EditorServer, temporaryFolder } from '../support/editor/server.ts';
import { openWorkbench, type Workbench } from '../support/editor/workbench.ts';
import { type Answer, type ScriptedModel, type ScriptedRequest, startScriptedModel } from '../support/scriptedModel.ts';
import { writeFiles } from '../support/writeFiles.ts';

/** Somebody who watches agents at work and steps in. */
let model: ScriptedModel;
let server: EditorServer;
let workbench: Workbench;
let page: Frame;

/** The child waits here before each of its answers until the test lets it go on. */
const waiting: (() => void)[] = [];
let isOpen = false;
const passed = () => (isOpen ? Promise.resolve() : new Promise<void>((resolve) => waiting.push(resolve)));
const letOneGo = () => waiting.shift()?.();
function letAllGo(): void {
  isOpen = true;
  for (const resolve of waiting.splice(0)) resolve();
}

/** `go`: hands a task to a child; `go in the background`: does not wait for it. The child does two steps. */
async function script(request: ScriptedRequest): Promise<Answer> {
  if (!request.tools.includes('Agent')) return child(request);
  const { prompt } = request;
  if (prompt.startsWith('A background agent has ended')) return say(text('I have read its report.'));
  if (!prompt.startsWith('go') || request.step > 0) return say(text('That is all from me for now.'));
  const isBackground = prompt.includes('background');
  return say(
    text('A scout looks at it.'),
    delegate(prompt.includes('fail') ? 'Look around, and fail.' : 'Look around.', {
      name: 'scout',
      description: 'Look around the folder',
      ...(isBackground && { run_in_background: true }),
    }),
  );
}

let failures = 0;

async function child(request: ScriptedRequest): Promise<Answer> {
  await passed();
  if (request.firstText.includes('fail') && failures === 0) {
    failures += 1;
    return { blocks: [text('x')], fault: { type: 'status', status: 400, errorType: 'invalid_request_error' } };
  }
  const heard = JSON.stringify(request.body.messages);
  if (!heard.includes('"tool_use"')) return say(call('Glob', { pattern: '**/*.ts' }));
  if (heard.includes('the proxy')) return say(text('The proxy has no limits.'));
  if (heard.includes('the tests alone')) return say(text('There is one test.'));
  return say(text('It begins in src/main.ts:1.'));
}

beforeAll(async () => {
  model = await startScriptedModel({ script });
  const folder = await temporaryFolder('workspace');
  await writeFiles(folder, { 'src/main.ts': 'export const main = 1;\n', 'test/main.test.ts': "test('main');\n" });
  server = await startInstalledEditor({
    settings: { 'offshoot.baseUrl': model.url, 'offshoot.model': 'claude-sonnet-5-5' },
    env: { ANTHROPIC_API_KEY: 'test-key' },
  });
  workbench = await openWorkbench(server, folder);
  await workbench.openView('Offshoot');
  page = await workbench.sidebarFrame();
});

afterAll(async () => {
  letAllGo();
  await workbench?.close();
  await server?.stop();
  await model?.close();
});

beforeEach(async () => {
  isOpen = false;
  failures = 0;
  // On an empty page nothing would tell that another New Chat has come through.
  if ((await page.locator('.turn-end').count()) > 0) await workbench.runCommand('Offshoot: New Chat');
  await page.getByRole('button', { name: 'Explore codebase' }).waitFor();
});
afterEach(letAllGo);

async function ask(prompt: string): Promise<void> {
  const field = page.getByRole('textbox', { name: 'Message', exact: true });
  await field.fill(prompt);
  await field.press('Enter');
}

const row = (name: string): Locator =>
  page.locator('.agent').filter({ has: page.locator('.name').getByText(name, { exact: true }) });
const scout = () => row('scout');

async function act(name: string): Promise<void> {
  await scout().locator('.row').hover();
  await scout().getByRole('button', { name }).click();
}

const childIsAsked = () => expect.poll(() => waiting.length, { timeout: 20_000 }).toBe(1);
const turnEnds = (count: number) =>
  page
    .locator('.turn-end')
    .nth(count - 1)
    .waitFor({ timeout: 30_000 });
const footer = () => page.locator('.activity');
const isIdle = () => page.getByRole('button', { name: 'Stop', exact: true }).waitFor({ state: 'detached' });
const sent = () => JSON.stringify(model.bodies().at(-1)?.messages);

test('a background agent: the turn is over, the conversation is not; its end wakes the lead', async () => {
  await ask('go in the background');
  await turnEnds(1);
  await childIsAsked();
  expect(await footer().textContent()).toContain('Waiting for 1 agent in the background.');
  await page.getByRole('button', { name: 'Stop', exact: true }).waitFor();
  await scout().getByText('background').waitFor();
  await workbench.screenshot('agents-background');
  letAllGo();
  await page.locator('.wake', { hasText: 'scout has ended' }).waitFor();
  await turnEnds(2);
  await page.getByText('I have read its report.').waitFor();
  await isIdle();
  expect(await footer().count()).toBe(0);
  await workbench.screenshot('agents-woken');
});

test('a click sends a running agent to the background; nothing starts again', async () => {
  await ask('go');
  await childIsAsked();
  await scout().locator('.row').hover();
  await workbench.screenshot('agents-actions');
  await act('Send scout to the background');
  await turnEnds(1);
  expect(await footer().textContent()).toContain('in the background');
  letAllGo();
  await page.locator('.wake').waitFor();
  await isIdle();
  expect(await page.locator('.agent').count()).toBe(1);
});

test('a paused agent goes on with a changed instruction', async () => {
  await ask('go');
  await childIsAsked();
  await act('Pause scout');
  await page.getByText('pauses after this step').waitFor();
  letOneGo();
  await scout().getByRole('button', { name: 'Change instruction…' }).waitFor();
  expect(waiting).toHaveLength(0);
  await workbench.screenshot('agents-paused');
  await scout().getByRole('button', { name: 'Change instruction…' }).click();
  const field = scout().getByRole('textbox', { name: 'Instruction' });
  expect(await field.inputValue()).toBe('Look around.');
  await field.fill('Look at the tests alone.');
  await workbench.screenshot('agents-instruction');
  await scout().getByRole('button', { name: 'Continue', exact: true }).click();
  letAllGo();
  await turnEnds(1);
  expect(sent()).toContain('There is one test.');
});

test('a working agent is told something; it stands in its transcript', async () => {
  await ask('go');
  await childIsAsked();
  await act('Message scout');
  // The field takes the focus by itself.
  await page.locator('input:focus').waitFor();
  await workbench.page.keyboard.type('Mind the proxy');
  await workbench.screenshot('agents-message');
  await workbench.page.keyboard.press('Enter');
  letAllGo();
  await turnEnds(1);
  expect(sent()).toContain('The proxy has no limits.');
  await scout().locator('.row-main').click();
  await scout().locator('.note', { hasText: 'Mind the proxy' }).waitFor();
});

test('a failed agent is retried, beside the first', async () => {
  letAllGo();
  await ask('go and fail');
  await turnEnds(1);
  await scout().locator('.state').getByRole('img', { name: 'failed' }).waitFor();
  await act('Preview what retrying scout would start');
  await workbench.page.getByText('Nothing was started.').waitFor({ timeout: 30_000 });
  await act('Retry scout');
  await row('scout-2').getByRole('img', { name: 'done' }).waitFor({ timeout: 30_000 });
  await page.locator('.wake', { hasText: 'scout-2 has ended' }).waitFor();
  await isIdle();
  await workbench.screenshot('agents-retried');
});

test('a transcript has an editor of its own, is live, and is there again after it was hidden', async () => {
  await ask('go');
  await childIsAsked();
  await act('Open the transcript of scout');
  await workbench.page.getByRole('tab', { name: 'scout' }).waitFor();
  const live = await transcript();
  await live.getByRole('heading', { name: 'scout' }).waitFor();
  await live.getByText('Look around.').waitFor();
  letOneGo();
  await live.getByText('Glob').first().waitFor();
  await workbench.screenshot('agents-transcript');

  await workbench.runCommand('File: New Untitled Text File');
  letAllGo();
  await turnEnds(1);
  await workbench.page.getByRole('tab', { name: 'scout' }).click();
  const shown = await transcript();
  await shown.getByRole('button', { name: 'src/main.ts:1' }).waitFor();
  await workbench.screenshot('agents-transcript-done');

  await workbench.runCommand('Offshoot: New Chat');
  await workbench.page.getByRole('tab', { name: 'scout' }).waitFor({ state: 'detached' });
});

test('the palette offers what can be done, and with whom', async () => {
  await ask('go');
  await childIsAsked();
  await workbench.runCommand('Offshoot: Pause Agent');
  await workbench.page.getByRole('option', { name: /scout/ }).click();
  await scout().getByText('pauses after this step').waitFor();
  letOneGo();
  await scout().getByRole('button', { name: 'Change instruction…' }).waitFor();
  await workbench.runCommand('Offshoot: Continue Agent');
  await workbench.page.getByRole('option', { name: /scout.*paused/ }).waitFor();
  await workbench.screenshot('agents-palette');
  await workbench.page.getByRole('option', { name: /scout/ }).click();
  letAllGo();
  await turnEnds(1);
});

/** The document of the transcript that shows. */
async function transcript(): Promise<Frame> {
  const end = Date.now() + 20_000;
  for (;;) {
    for (const frame of workbench.page.frames()) {
      if (
        (await frame
          .locator('.transcript-page')
          .count()
          .catch(() => 0)) > 0
      )
        return frame;
    }
    if (Date.now() > end) throw new Error('No transcript shows.');
    await workbench.page.waitForTimeout(100);
  }
}
