import { afterAll, beforeAll, expect, test } from 'vitest';
import { startInstalledEditor } from '../support/editor/installed.ts';
import { type EditorServer, temporaryFolder } from '../support/editor/server.ts';
import { openWorkbench, type Workbench } from '../support/editor/workbench.ts';

let server: EditorServer;
let workbench: Workbench;

beforeAll(async () => {
  server = await startInstalledEditor();
  workbench = await openWorkbench(server, await temporaryFolder('workspace'));
});

afterAll(async () => {
  await workbench?.close();
  await server?.stop();
});

test('the activity bar has an Offshoot entry that opens the sidebar', async () => {
  await workbench.openView('Offshoot');
  const frame = await workbench.sidebarFrame();
  await expect.poll(() => frame.locator('body').textContent(), { timeout: 20_000 }).not.toBe('');
  await workbench.waitForIdle();
  await workbench.screenshot('workbench');
});
