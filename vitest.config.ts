import { defineConfig } from 'vitest/config';

/** A shared machine may stop for seconds in the middle of a test. One that is wrong fails twice, and one that needed it is named. */
const retry = process.env.CI ? 1 : 0;

/** Whatever is waited for, `expect.poll` gives up after as long, and not after the one second it would by itself. */
const expect = { poll: { timeout: 15_000 } };

/**
 * Files of test/ui share nothing but what is installed. A test in a window waits half of its time, so two fill a small
 * machine; more would only slow each other down.
 */
const sideBySide = { maxWorkers: 2, fileParallelism: true, sequence: { groupOrder: 1 } };

export default defineConfig({
  test: {
    projects: [
      {
        test: { name: 'unit', include: ['test/unit/**/*.test.{ts,tsx}'], testTimeout: 20_000, retry, expect },
      },
      {
        test: { name: 'contract', include: ['test/contract/**/*.test.ts'], testTimeout: 30_000, retry, expect },
      },
      {
        test: {
          name: 'page',
          include: ['test/ui/page.test.ts', 'test/ui/page/**/*.test.ts'],
          ...sideBySide,
          testTimeout: 60_000,
          retry,
          expect,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'ui',
          include: ['test/ui/*.test.ts'],
          exclude: ['test/ui/page.test.ts'],
          globalSetup: ['test/support/editor/setupInstalled.ts'],
          ...sideBySide,
          testTimeout: 120_000,
          retry,
          expect,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
