import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as z from 'zod';

const manifestSchema = z.object({
  capabilities: z.object({
    untrustedWorkspaces: z.object({ supported: z.literal('limited'), restrictedConfigurations: z.array(z.string()) }),
  }),
  contributes: z.object({
    configuration: z.object({ properties: z.record(z.string(), z.object({ scope: z.string() })) }),
  }),
});

it('S21 no setting of a workspace counts before there is trust', async () => {
  const manifest = manifestSchema.parse(
    JSON.parse(await readFile(join(import.meta.dirname, '../../../package.json'), 'utf8')),
  );
  const { restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
  const settable = Object.entries(manifest.contributes.configuration.properties)
    .filter(([, { scope }]) => scope !== 'application' && scope !== 'machine')
    .map(([name]) => name);
  expect([...restrictedConfigurations].sort()).toEqual(settable.sort());
});
