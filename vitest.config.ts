import { defineConfig } from 'vitest/config';

/** A shared machine may stop for seconds in the middle of a test. One that is wrong fails twice, and one that needed it is named. */
const retry = process.env.CI ? 1 : 0;

export default defineConfig({
  test: {
    projects: [
      {
        test: { name: 'unit', include: ['test/unit/**/*.test.{ts,tsx}'], testTimeout: 20_000, retry },
      },
      {
        test: { name: 'contract', include: ['test/contract/**/*.test.ts'], testTimeout: 30_000, retry },
      },
      {
        test: {
          name: 'page',
          include: ['test/ui/page.test.ts', 'test/ui/page/**/*.test.ts'],
          maxWorkers: 1,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
          testTimeout: 60_000,
          retry,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'ui',
          include: ['test/ui/*.test.ts'],
          exclude: ['test/ui/page.test.ts'],
          globalSetup: ['test/support/editor/setupInstalled.ts'],
          // Each editor takes most of a small machine.
          maxWorkers: 1,
          fileParallelism: false,
          sequence: { groupOrder: 2 },
          testTimeout: 120_000,
          retry,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
