import { defineConfig } from 'vitest/config';

/** A shared machine may stop for seconds while a browser waits. A test that is wrong fails twice. */
const retry = process.env.CI ? 1 : 0;

export default defineConfig({
  test: {
    projects: [
      {
        test: { name: 'unit', include: ['test/unit/**/*.test.{ts,tsx}'], testTimeout: 20_000 },
      },
      {
        test: { name: 'contract', include: ['test/contract/**/*.test.ts'], testTimeout: 30_000 },
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
