import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCrewScript, seededRandom } from '../support/crew.ts';
import { expectDoneOnce, expectNothingMissing, readMarks, readSession, sessionsIn } from '../support/crewChecks.ts';
import { findExtensionHosts, killProcesses } from '../support/editor/extensionHost.ts';
import { startInstalledEditor } from '../support/editor/installed.ts';
import { type EditorServer, temporaryFolder } from '../support/editor/server.ts';
import { openWorkbench, type Workbench } from '../support/editor/workbench.ts';
import { type ScriptedModel, startScriptedModel } from '../support/scriptedModel.ts';
import { writeFiles } from '../support/writeFiles.ts';

/** `KILLS=100` for the long run; `SEED` for one that failed. */
const kills = Number(process.env.KILLS ?? 3);
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
/** Records often come several at once; so long after one of them, at most, the kill comes. */
const longestPauseMs = 40;

let model: ScriptedModel;
let server: EditorServer;
let workbench: Workbench;
let folder: string;
let state: string;

beforeAll(async () => {
  model = await startScriptedModel({ script: createCrewScript(20) });
  folder = await temporaryFolder('workspace');
  await writeFiles(folder, { 'src/main.ts': 'export const main = 1;\n' });
  server = await startInstalledEditor({
    settings: {
      'offshoot.baseUrl': model.url,
      'offshoot.model': 'claude-sonnet-5-5',
      'offshoot.permissions.mode': 'bypassPermissions',
    },
    env: { ANTHROPIC_API_KEY: 'test-key' },
  });
  state = path.join(server.userDataDir, 'User', 'globalStorage', 'offshoot.offshoot');
  workbench = await openWorkbench(server, folder);
  await workbench.openView('Offshoot');
});
afterAll(async () => {
  await workbench?.screenshot('kills-last').catch(() => undefined);
  await workbench?.close();
  await server?.stop();
  await model?.close();
});

async function ask(page: Frame, prompt: string): Promise<void> {
  const composer = page.getByRole('textbox', { name: 'Message' });
  await composer.fill(prompt);
  await composer.press('Enter');
}

/** Begins a conversation. @returns the place of its id in the list of all sessions */
async function begin(): Promise<number> {
  await rm(path.join(folder, 'marks'), { force: true });
  await workbench.runCommand('Offshoot: New Chat');
  const page = await workbench.sidebarFrame();
  await page.getByText('Explore codebase').waitFor();
  const earlier = (await sessionsIn(state)).length;
  await ask(page, 'work');
  return earlier;
}

/** Resolves as soon as the journal holds so many records. */
async function recorded(place: number, count: number): Promise<void> {
  for (;;) {
    const session = (await sessionsIn(state))[place];
    const journal =
      session === undefined ? '' : await readFile(path.join(state, 'sessions', `${session}.jsonl`), 'utf8');
    if (journal.split('\n').length > count) return;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** Records that the journal of an undisturbed conversation has when its turn ends. */
async function countRecords(): Promise<number> {
  const place = await begin();
  await (await workbench.sidebarFrame()).locator('.turn-end').last().waitFor();
  const { events } = await readSession(state, (await sessionsIn(state))[place] ?? '');
  return events.findIndex(({ type }) => type === 'turn-end') + 1;
}

/** Goes on with whatever was interrupted, until all is done. */
async function goOn(page: Frame, isCutOff: boolean): Promise<void> {
  const done = page.locator('.answer-text', { hasText: 'All three have reported.' }).last();
  const interrupted = page.getByRole('button', { name: 'Continue', exact: true });
  const empty = page.getByText('Explore codebase');
  await done.or(interrupted).or(empty).first().waitFor();
  if ((await empty.isVisible()) || (isCutOff && !(await interrupted.isVisible()))) {
    // The editor had not kept yet which conversation showed: it is the newest in the list.
    await workbench.runCommand('Offshoot: Show History');
    await page.locator('.session-main').first().click();
    await (isCutOff ? interrupted : done).waitFor();
  }
  if (await interrupted.isVisible()) await interrupted.click();
  await done.waitFor();
  await page.locator('.turn-end').last().waitFor();
}

test.runIf(process.platform === 'linux')(
  `a conversation with three agents goes on after a crash of the extension host (${kills} kills, seed ${seed})`,
  async () => {
    const random = seededRandom(seed);
    let interruptions = 0;
    const whole = await countRecords();
    for (let index = 0; index < kills; index += 1) {
      const [from, bodiesFrom] = [model.requests.length, model.bodies().length];
      const [count, pause] = [1 + Math.floor(random() * (whole - 1)), Math.round(random() * longestPauseMs)];
      const hosts = await findExtensionHosts(server);
      expect(hosts).not.toEqual([]);
      const earlier = await begin();
      await recorded(earlier, count);
      await new Promise((resolve) => setTimeout(resolve, pause));
      killProcesses(hosts);
      try {
        const session = (await sessionsIn(state))[earlier];
        if (session === undefined) throw new Error('The conversation shows and has no journal.');
        const before = await readSession(state, session);
        expectNothingMissing(before, model.bodies().slice(bodiesFrom), await readMarks(folder));
        const isCutOff = !before.events.some(({ type }) => type === 'turn-end');
        if (isCutOff) interruptions += 1;
        await workbench.reload();
        // The editor may not have kept either which view was open.
        await workbench.openView('Offshoot');
        await goOn(await workbench.sidebarFrame(), isCutOff);
        const after = await readSession(state, session);
        expectDoneOnce(after, model.requests.slice(from), await readMarks(folder));
        expect((await sessionsIn(state)).length).toBe(earlier + 1);
      } catch (error) {
        throw new Error(`Kill ${index}, ${pause} ms after record ${count} of ${whole}, SEED=${seed}`, { cause: error });
      }
    }
    expect(interruptions).toBeGreaterThan(kills / 2);
    console.info(`${interruptions} of ${kills} conversations were cut off, seed ${seed}`);
  },
  3_600_000,
);
