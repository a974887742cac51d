/** Global setup of test/ui: builds and packs once, installs the package into a fresh extensions folder. */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { build } from '../../../scripts/build.mjs';

import { pack } from '../../../scripts/package.mjs';
import { ensureBrowser, setup } from '../../../scripts/setup.mjs';
import { installVsix, temporaryFolder } from './server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    extensionsDir: string;
  }
}

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  await setup();
  await ensureBrowser();
  // OFFSHOOT_VSIX tests a package made elsewhere.
  const given = process.env.OFFSHOOT_VSIX;
  if (given === undefined && process.env.OFFSHOOT_BUILT !== '1') await build();
  const vsix = given ?? (await pack());
  const home = await temporaryFolder('installed');
  const extensionsDir = path.join(home, 'extensions');
  await installVsix(vsix, { extensionsDir, userDataDir: path.join(home, 'user-data') });
  project.provide('extensionsDir', extensionsDir);
  return () => rm(home, { recursive: true, force: true, maxRetries: 5 });
}
