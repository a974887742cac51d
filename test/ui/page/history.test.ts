import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HistoryEntry } from '../../../src/webview/protocol.ts';
import { buildPage, type OpenPage, openPage, type PageOptions, settle, startBrowser } from './harness.ts';

const now = new Date(2026, 10, 30, 15).getTime();
const hour = 3_600_000;

function entry(id: string, change: Partial<HistoryEntry> = {}): HistoryEntry {
  return {
    ...{ id, title: `Conversation ${id}`, state: 'completed', isCurrent: false, isPinned: false, usd: 0.42 },
    ...{ isWholeCost: true, agents: 3, updatedAt: now - hour, folder: 'shop', isHere: true },
    ...change,
  };
}

const sessions: readonly HistoryEntry[] = [
  entry('pinned', { title: 'How prices are rounded', isPinned: true, updatedAt: now - 90 * hour, usd: 1.204 }),
  entry('running', { title: 'Move the checkout to the new API', state: 'running', isCurrent: true, updatedAt: now }),
  entry('held', { title: 'Find flaky tests', state: 'elsewhere', updatedAt: now - 120_000, agents: 1 }),
  entry('cut', { title: 'Rename Basket to Cart everywhere', state: 'interrupted', updatedAt: now - 2 * hour }),
  entry('limit', { title: 'Explore this codebase very thoroughly', state: 'limit_reached', isWholeCost: false }),
  entry('failed', { title: 'Why is the build slow?', state: 'failed', updatedAt: now - 26 * hour, agents: 0 }),
  entry('branch', {
    title: 'Why is the build slow?',
    branchedFrom: 'Why is the build slow?',
    updatedAt: now - 27 * hour,
  }),
  entry('stopped', { title: '日本語の見出し', state: 'stopped', updatedAt: now - 80 * hour, usd: 0 }),
  entry('far', { title: 'In another folder', isHere: false, folder: 'api', updatedAt: now - 81 * hour }),
];

let browser: Browser;
let bundle: string;
beforeAll(async () => {
  [browser, bundle] = await Promise.all([startBrowser(), buildPage()]);
});
afterAll(() => browser.close());

async function openHistory(options: PageOptions = {}, shown = sessions): Promise<OpenPage> {
  const open = await openPage(browser, bundle, options);
  await open.client.history({ sessions: shown, now });
  await settle(open.page);
  return open;
}

describe('the list of conversations', () => {
  it('stands by day under what is pinned, says every state in words, and hides what is of other folders', async () => {
    const { page, problems } = await openHistory();
    expect(await page.locator('h2').allTextContents()).toEqual(['Pinned', 'Today', 'Yesterday', 'Nov 27, 2026']);
    const texts = await page.locator('.session-main').allTextContents();
    expect(texts).toHaveLength(8);
    const words = ['running here', 'in another window', 'interrupted', 'limit reached', 'failed', 'stopped'];
    for (const word of words) expect(texts.filter((text) => text.includes(word))).toHaveLength(1);
    expect(texts[0]).toMatch(/3 agents · \$1\.20[\s\S]*3 d/);
    expect(texts.find((text) => text.includes('limit reached'))).toContain('over $0.42');
    await page.getByLabel('Also of other folders (1)').check();
    expect(await page.locator('.session', { hasText: 'In another folder' }).textContent()).toContain('api');
    expect(problems).toEqual([]);
    await page.close();
  });

  it('is used by keyboard', async () => {
    const { page, calls } = await openHistory();
    const { keyboard } = page;
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-session'));
    expect(await page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('search');
    await keyboard.press('ArrowDown');
    await keyboard.press('ArrowDown');
    expect(await focused()).toBe('running');
    await keyboard.press('End');
    expect(await focused()).toBe('stopped');
    await keyboard.press('F2');
    await page.getByRole('textbox', { name: 'Name of the conversation' }).fill('A name');
    await keyboard.press('Enter');
    await settle(page);
    expect(await focused()).toBe('stopped');
    await keyboard.press('ArrowUp');
    await keyboard.press('Delete');
    await keyboard.press('Enter');
    await keyboard.press('Escape');
    expect(calls.filter(([name]) => name !== 'searchHistory')).toEqual([
      ['renameSession', 'stopped', 'A name'],
      ['deleteSession', 'branch'],
      ['openSession', 'stopped', false],
      ['closeHistory'],
    ]);
    expect(await page.locator('.composer').count()).toBe(1);
    await page.close();
  });

  it('filters titles at once, and shows where something was said', async () => {
    const { page, calls, client } = await openHistory();
    await page.getByRole('searchbox').fill('slow');
    expect(await page.locator('.session').count()).toBe(2);
    await page.getByRole('searchbox').fill('tax');
    expect(await page.locator('.session').count()).toBe(0);
    await expect.poll(() => calls.at(-1)).toEqual(['searchHistory', 'tax']);
    const hit = { session: 'pinned', who: 'rounder', snippet: 'The <tax> is rounded last.', marks: [[5, 8]] as const };
    await client.historyHits({ text: 'tax', hits: [hit], isWhole: true, unsearched: 0 });
    await page.locator('mark').waitFor();
    expect(await page.locator('.session-snippet').textContent()).toBe('rounder: The <tax> is rounded last.');
    expect(await page.locator('mark').textContent()).toBe('tax');
    expect(await page.getByRole('status').textContent()).toBe('1 conversation');
    // What comes for an earlier text is no answer to this one.
    await client.historyHits({ text: 'ta', hits: [{ ...hit, session: 'held' }], isWhole: true, unsearched: 0 });
    await settle(page);
    expect(await page.locator('.session').count()).toBe(0);
    await page.close();
  });

  it('of a thousand conversations stands at once and scrolls to its end', async () => {
    const many = Array.from({ length: 1000 }, (_, index) => entry(`s${index}`, { updatedAt: now - index * hour }));
    const open = await openHistory({}, []);
    const tookMs = await open.page.evaluate(async () => {
      const startedAt = performance.now();
      const stands = new Promise<number>((resolve) => {
        new MutationObserver(() => {
          if (document.querySelectorAll('.session').length >= 40) resolve(performance.now() - startedAt);
        }).observe(document.body, { subtree: true, childList: true });
      });
      (window as unknown as { stands: Promise<number> }).stands = stands;
      return 0;
    });
    expect(tookMs).toBe(0);
    await open.client.history({ sessions: many, now });
    await open.page.evaluate(() => (window as unknown as { stands: Promise<number> }).stands);
    await expect.poll(() => open.page.locator('.session').count(), { timeout: 10_000 }).toBe(1000);
    await open.page.getByRole('searchbox').press('End');
    await open.page.locator('[data-session=s0]').focus();
    await open.page.keyboard.press('End');
    expect(await open.page.evaluate(() => document.activeElement?.getAttribute('data-session'))).toBe('s999');
    await open.page.close();
  });

  it.each([
    ['dark', 380],
    ['light', 380],
    ['light', 250],
    ['high-contrast', 250],
  ] as const)('fits in %s at %i px', async (theme, width) => {
    const { page, client, shot } = await openHistory({ theme, width, height: 620 });
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(await overflow()).toBeLessThanOrEqual(0);
    await page.locator('[data-session=cut]').focus();
    await shot(`history-${theme}-${width}`);
    await page.getByRole('searchbox').fill('tax');
    const snippet =
      'In countries with several rates the tax is rounded per line, and only then summed up for the whole order.';
    const hits = ['pinned', 'failed'].map((session) => ({ session, who: 'user', snippet, marks: [[36, 39]] as const }));
    await client.historyHits({ text: 'tax', hits, isWhole: true, unsearched: 17 });
    await expect.poll(() => page.locator('.history-sum').textContent()).toContain('very old: 17.');
    await page.locator('mark').first().waitFor();
    expect(await overflow()).toBeLessThanOrEqual(0);
    await shot(`history-search-${theme}-${width}`);
    await page.close();
  });
});
