import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AgentEvent } from '../../../src/webview/protocol.ts';
import { longStory } from '../../support/longStory.ts';
import { buildPage, type OpenPage, openPage, type PageOptions, settle, startBrowser } from './harness.ts';

const story = longStory(30);
const turnOf = (turn: number) => story.find((event) => event.type === 'turn-start' && event.turn === turn)?.seq ?? 0;

let browser: Browser;
let bundle: string;
beforeAll(async () => {
  [browser, bundle] = await Promise.all([startBrowser(), buildPage()]);
});
afterAll(() => browser?.close());

/** Two turns before each, as a host would read them; of the conversation, or of one agent. */
async function earlier(before: number, agent: string) {
  const turn = story.findLast((event) => event.type === 'turn-start' && event.seq < before);
  const at = turn?.type === 'turn-start' ? turn.turn : 1;
  const from = at <= 2 ? 1 : turnOf(at - 1);
  const isOwn = (event: AgentEvent) => agent === 'lead' || event.agent === agent;
  const events = story.filter((event) => event.seq >= from && event.seq < before && isOwn(event));
  return { session: 'long', events, isFirst: from === 1 };
}

const open = (options: PageOptions = {}) => {
  const before = turnOf(27);
  const events = [...story.slice(0, 1), ...story.filter(({ seq }) => seq >= before)];
  return openPage(browser, bundle, { events, before, earlier, height: 500, ...options });
};

/** Where a text stands in the window. */
const placeOf = ({ page }: OpenPage, text: string) =>
  page
    .getByText(text)
    .first()
    .evaluate((element) => Math.round(element.getBoundingClientRect().top));
const scroll = ({ page }: OpenPage, top: number) =>
  page.evaluate((to) => document.querySelector('.log')?.scrollTo(0, to), top);
const button = ({ page }: OpenPage) => page.getByRole('button', { name: 'Show earlier' });

describe('what was earlier', () => {
  test('is put in front on request, and the reader stays where they were', async () => {
    const shown = await open();
    const { page, calls, problems } = shown;
    await scroll(shown, 0);
    await settle(page);
    const before = await placeOf(shown, 'prompt 27');
    await shown.shot('earlier-button');
    await button(shown).click();
    await page.getByText('prompt 26', { exact: true }).waitFor({ state: 'attached' });
    await settle(page);
    expect(Math.abs((await placeOf(shown, 'prompt 27')) - before)).toBeLessThanOrEqual(1);
    await settle(page);
    await shown.shot('earlier-put');
    expect(Math.abs((await placeOf(shown, 'prompt 27')) - before)).toBeLessThanOrEqual(1);
    // Again, now from where the button is out of sight.
    await button(shown).evaluate((element: HTMLElement) => element.click());
    await page.getByText('prompt 24', { exact: true }).waitFor({ state: 'attached' });
    await settle(page);
    expect(Math.abs((await placeOf(shown, 'prompt 27')) - before)).toBeLessThanOrEqual(1);
    expect(calls).toEqual([
      ['readEarlier', turnOf(27), 'lead'],
      ['readEarlier', turnOf(25), 'lead'],
    ]);
    expect(problems).toEqual([]);
    await page.close();
  });

  test('comes by keyboard down to the first, is told to a screen reader, and many parts do not stay', async () => {
    const shown = await open();
    const { page } = shown;
    await button(shown).focus();
    const said = page.locator('.earlier [role="status"]').first();
    for (let turn = 25; turn >= 3; turn -= 2) {
      await page.keyboard.press('Enter');
      await page.getByText(`prompt ${turn}`, { exact: true }).waitFor({ state: 'attached' });
      await expect.poll(() => said.textContent()).toBe('More is shown above.');
      expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Show earlier');
    }
    await page.keyboard.press('Enter');
    await expect.poll(() => said.textContent()).toBe('All of it is shown, from its beginning.');
    expect(await button(shown).count()).toBe(0);
    await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toBe('log');
    const prompts = await page.locator('.prompt').allTextContents();
    expect(prompts.length).toBe(16);
    await scroll(shown, 0);
    await settle(page);
    await shown.shot('earlier-first');

    const back = page.getByRole('button', { name: 'Show them' });
    await back.scrollIntoViewIfNeeded();
    await settle(page);
    const before = await placeOf(shown, 'answer 12');
    await shown.shot('earlier-gap');
    await back.click();
    await page.getByText('prompt 13', { exact: true }).waitFor({ state: 'attached' });
    await settle(page);
    expect(Math.abs((await placeOf(shown, 'answer 12')) - before)).toBeLessThanOrEqual(1);
    expect((await page.locator('.prompt').allTextContents()).length).toBe(16);
    expect(await button(shown).count()).toBe(1);
    await page.close();
  });

  test('is that of an agent in its own view', async () => {
    const before = turnOf(20);
    const own = story.filter(({ agent }) => agent === 'cccccc');
    const events = [...own.slice(0, 3), ...own.filter(({ seq }) => seq >= before)];
    const shown = await open({ agent: 'cccccc', events, before });
    const { page, calls } = shown;
    expect(await page.getByText('watching 19').count()).toBe(0);
    await button(shown).click();
    await page.getByText('watching 19').waitFor({ state: 'attached' });
    expect(calls).toEqual([['readEarlier', before, 'cccccc']]);
    await shown.shot('earlier-agent');
    await page.close();
  });

  test('that cannot be read says so, and can be tried again', async () => {
    let tries = 0;
    const shown = await open({
      width: 250,
      theme: 'light',
      async earlier(before, agent) {
        tries += 1;
        if (tries === 1) throw new Error('What was earlier could not be read: the disk is gone.');
        return earlier(before, agent);
      },
    });
    const { page } = shown;
    await button(shown).click();
    await expect
      .poll(() => page.getByRole('alert').allTextContents())
      .toEqual([expect.stringContaining('the disk is gone')]);
    await scroll(shown, 0);
    await shown.shot('earlier-failed-light-250');
    await button(shown).click();
    await page.getByText('prompt 26', { exact: true }).waitFor({ state: 'attached' });
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.close();
  });

  test('is not offered where nothing was', async () => {
    const shown = await openPage(browser, bundle, { events: story });
    expect(await button(shown).count()).toBe(0);
    await shown.page.close();
  });
});
