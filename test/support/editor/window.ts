/** For test/ui: somebody with a model server opens a folder in an editor that has the packaged extension. */
import type { Frame } from 'playwright-core';
import { type Script, type ScriptedModel, startScriptedModel } from '../scriptedModel.ts';
import { writeFiles } from '../writeFiles.ts';
import { startInstalledEditor } from './installed.ts';
import { type EditorServer, temporaryFolder } from './server.ts';
import { openWorkbench, type Workbench } from './workbench.ts';

export type OffshootWindow = {
  readonly model: ScriptedModel;
  readonly server: EditorServer;
  readonly workbench: Workbench;
  readonly folder: string;
  close(): Promise<void>;
};

type WindowOptions = Omit<NonNullable<Parameters<typeof startInstalledEditor>[0]>, 'env'> & {
  readonly script: Script;
  /** Of the folder that is opened. */
  readonly files: Readonly<Record<string, string>>;
  /** Left out: a new one. */
  readonly folder?: string;
  /** Left out: a key is in the environment. */
  readonly env?: Readonly<Record<string, string>>;
};

/** With the sidebar of Offshoot open. */
export async function openWindow({ script, files, settings, env, ...options }: WindowOptions): Promise<OffshootWindow> {
  const ends: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  try {
    const model = await startScriptedModel({ script });
    ends.push(() => model.close());
    const folder = options.folder ?? (await temporaryFolder('workspace'));
    await writeFiles(folder, files);
    const server = await startInstalledEditor({
      ...options,
      settings: { 'offshoot.baseUrl': model.url, 'offshoot.model': 'claude-sonnet-5-5', ...settings },
      env: env ?? { ANTHROPIC_API_KEY: 'test-key' },
    });
    ends.push(() => server.stop());
    const workbench = await openWorkbench(server, folder);
    ends.push(() => workbench.close());
    await workbench.openView('Offshoot');
    return { model, server, workbench, folder, close };
  } catch (error) {
    await close();
    throw error;
  }
}

export async function send(page: Frame, prompt: string): Promise<void> {
  const field = page.getByRole('textbox', { name: 'Message', exact: true });
  await field.fill(prompt);
  await field.press('Enter');
}

/** Sends it and waits until its turn is over. */
export async function ask(page: Frame, prompt: string): Promise<void> {
  const turns = await page.locator('.turn-end').count();
  await send(page, prompt);
  await page.locator('.turn-end').nth(turns).waitFor({ timeout: 30_000 });
}
