import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, delegate, say, text } from '../support/answers.ts';
import { temporaryFolder } from '../support/editor/server.ts';
import { ask, type OffshootWindow, openWindow } from '../support/editor/window.ts';
import type { Workbench } from '../support/editor/workbench.ts';
import type { Script, ScriptedModel } from '../support/scriptedModel.ts';

/** Somebody who opens a folder of strangers, and has the editor ask about trust as it does by default. */
let window: OffshootWindow;
let model: ScriptedModel;
let workbench: Workbench;
let page: Frame;

const script: Script = ({ prompt, firstText, step, lastResults }) => {
  const result = lastResults.map((one) => one.text).join('\n');
  if (firstText === 'look') return say(step === 0 ? call('Grep', { pattern: 'needle' }) : text(`found ${result}`));
  if (step > 0) return say(text(result));
  if (prompt.startsWith('read')) {
    return say(
      call('Grep', { pattern: 'needle', output_mode: 'content' }),
      call('Bash', { command: 'touch out' }),
      delegate('look', { subagent_type: 'Explore' }),
      delegate('look', { subagent_type: 'Explore', name: 'second' }),
    );
  }
  return say(call('Bash', { command: 'ls -a; echo alive' }));
};

beforeAll(async () => {
  window = await openWindow({
    script,
    folder: join(await temporaryFolder('workspace'), 'stranger'),
    files: {
      'src/main.ts': 'export const needle = 1;\n',
      'AGENTS.md': 'Canary of the instructions.\n',
      '.claude/agents/poet.md': '---\nname: poet\ndescription: canary of an agent\n---\nYou rhyme.\n',
      '.vscode/settings.json': JSON.stringify({
        'offshoot.agents.maxPerTurn': 1,
        'offshoot.baseUrl': 'http://127.0.0.1:9/',
        'offshoot.permissions.mode': 'bypassPermissions',
      }),
    },
    builtIn: 'all',
    settings: {
      'security.workspace.trust.enabled': true,
      'security.workspace.trust.startupPrompt': 'never',
      'security.workspace.trust.banner': 'never',
    },
  });
  ({ model, workbench } = window);
  page = await workbench.sidebarFrame();
});
afterAll(() => window?.close());

const toolsOfLead = () =>
  (model.bodies().findLast(({ tools }) => tools?.some(({ name }) => name === 'Agent'))?.tools ?? []).map(
    ({ name }) => name,
  );

test('S21 a folder that is not trusted is told of, and nothing is sent before the first prompt', async () => {
  await page.getByText(/Restricted mode: this folder is not trusted/).waitFor();
  await page.getByRole('button', { name: 'Explore codebase' }).waitFor();
  await workbench.waitForIdle();
  expect(model.requests).toEqual([]);
  await workbench.screenshot('restricted');
});

test('S21 it is read and searched, by agents too; nothing of it is configuration and nothing runs', async () => {
  await ask(page, 'read it');
  const sent = JSON.stringify(model.bodies());
  expect(sent).not.toMatch(/canary/i);
  expect(sent).toContain('src/main.ts:1:export const needle = 1;');
  expect(sent).toContain('Bash is not in your toolset');
  expect(sent).toContain('found src/main.ts');
  expect(toolsOfLead().filter((name) => /Bash|Write|Edit|WebFetch/.test(name))).toEqual([]);
  expect(toolsOfLead()).toContain('Agent');
  // The limit that the folder sets is none: both agents ran.
  expect(await page.locator('[data-agent]').count()).toBe(2);
  await workbench.screenshot('restricted-read');
});

test('S21 with trust, granted in the editor, all of it comes alive in the same conversation without a reload', async () => {
  await page.getByRole('button', { name: 'Manage Trust' }).click();
  await workbench.page.locator('.workspace-trust-editor').getByRole('button', { name: 'Trust', exact: true }).click();
  await page.getByText(/Restricted mode/).waitFor({ state: 'detached' });
  await workbench.screenshot('trusted');
  await ask(page, 'run it');
  const last = JSON.stringify(model.bodies().at(-1));
  expect(last).toContain('alive');
  expect(last).toContain('Canary of the instructions.');
  expect(toolsOfLead()).toEqual(expect.arrayContaining(['Bash', 'Write', 'Edit', 'WebFetch']));
  expect(JSON.stringify(model.bodies().at(-1)?.tools)).toContain('canary of an agent');
});
