import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, delegate, say, text } from '../support/answers.ts';
import { startInstalledEditor } from '../support/editor/installed.ts';
import { type EditorServer, temporaryFolder } from '../support/editor/server.ts';
import { openWorkbench, type Workbench } from '../support/editor/workbench.ts';
import { type Answer, type ScriptedModel, type ScriptedRequest, startScriptedModel } from '../support/scriptedModel.ts';
import { writeFiles } from '../support/writeFiles.ts';

/** Somebody who asks afterwards what agents did and what it cost. */
let model: ScriptedModel;
let server: EditorServer;
let workbench: Workbench;

function script(request: ScriptedRequest): Answer {
  if (!request.tools.includes('Agent')) {
    return request.step === 0 ? say(call('Grep', { pattern: 'main' })) : say(text('In src/main.ts.'));
  }
  if (request.step > 0) return say(text('Done.'));
  return say(
    call('Bash', { command: 'ls src' }),
    delegate('Look for main.', { name: 'scout', description: 'Look for main', subagent_type: 'Explore' }),
  );
}

beforeAll(async () => {
  model = await startScriptedModel({ script });
  const folder = await temporaryFolder('workspace');
  await writeFiles(folder, { 'src/main.ts': 'export const main = 1;\n' });
  server = await startInstalledEditor({
    settings: { 'offshoot.baseUrl': model.url, 'offshoot.model': 'claude-sonnet-5-5' },
    env: { ANTHROPIC_API_KEY: 'test-key' },
  });
  workbench = await openWorkbench(server, folder);
  await workbench.openView('Offshoot');
});

afterAll(async () => {
  await workbench?.close();
  await server?.stop();
  await model?.close();
});

test('reports say which calls and commands there were and what they cost, and lead to the agent', async () => {
  const sidebar = await workbench.sidebarFrame();
  const field = sidebar.getByRole('textbox', { name: 'Message', exact: true });
  await field.fill('Where is main?');
  await field.press('Enter');
  await sidebar.locator('.turn-end').first().waitFor({ timeout: 30_000 });

  await workbench.runCommand('Offshoot: Query Agent History');
  const page = await reportFrame();
  const calls = page.getByRole('table', { name: 'Calls of agents, newest first' });
  await calls.getByRole('cell', { name: 'scout (Explore)' }).first().waitFor({ timeout: 30_000 });
  await workbench.screenshot('query-editor-agents');

  await page.getByLabel('Question').selectOption('Which commands ran?');
  const commands = page.getByRole('table', { name: 'Commands, newest first' });
  await commands.getByRole('cell', { name: 'ls src', exact: true }).waitFor();
  expect(await commands.getByRole('row').nth(1).textContent()).toMatch(/ls src0Done/);

  await page.getByLabel('Question').selectOption('What did each model cost?');
  const costs = page.getByRole('table', { name: 'Cost and tokens' });
  await costs.waitFor();
  // Both models, and more than the one request that a title takes.
  expect(await costs.getByRole('row').count()).toBeGreaterThan(2);
  await workbench.screenshot('query-editor-cost');

  await page.getByLabel('Question').selectOption('What did agents do?');
  const row = calls.getByRole('row').filter({ hasText: 'scout' }).first();
  await row.getByRole('button').click();
  await workbench.page.getByRole('tab', { name: 'scout' }).waitFor({ timeout: 20_000 });
  await workbench.screenshot('query-editor-transcript');
});

async function reportFrame(): Promise<Frame> {
  let found: Frame | undefined;
  await expect
    .poll(
      async () => {
        for (const frame of workbench.page.frames()) {
          const heading = frame.getByRole('heading', { name: 'Agent history' });
          if (await heading.isVisible().catch(() => false)) found = frame;
        }
        return found !== undefined;
      },
      { timeout: 30_000 },
    )
    .toBe(true);
  if (!found) throw new Error('There is no page with reports.');
  return found;
}
