import { expect, it } from 'vitest';
import { fuzz } from '../../fuzz/shell.ts';

// A short part of `npm run fuzz`; the seed is fixed, so that it fails for a change and not by chance.
it.skipIf(process.platform === 'win32')(
  'nothing that is judged to only read does more, in 2,000 scripts',
  { timeout: 120_000 },
  async () => {
    const { run, finds } = await fuzz({ count: 2000, seed: 20 });
    expect(finds).toEqual([]);
    expect(run).toBeGreaterThan(100);
  },
);
