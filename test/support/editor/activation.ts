/** What the editor itself measured while activating Offshoot, as its "Running Extensions" page shows it. */
import type { Workbench } from './workbench.ts';

/** Milliseconds from the first byte loaded to the end of `activate`. The window needs a height that shows every row. */
export async function readActivationTime(workbench: Workbench): Promise<number> {
  await workbench.openView('Offshoot');
  await workbench.sidebarFrame();
  await workbench.runCommand('Developer: Show Running Extensions');
  const row = workbench.page
    .locator('.runtime-extensions-editor .monaco-list-row')
    .filter({ has: workbench.page.getByText('Offshoot', { exact: true }) });
  const text = (await row.locator('.activation-time').textContent({ timeout: 60_000 })) ?? '';
  const milliseconds = /(\d+)\s*ms/.exec(text)?.[1];
  if (milliseconds === undefined) throw new Error(`The editor shows no activation time: "${text}"`);
  return Number(milliseconds);
}
