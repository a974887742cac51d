import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildPage, openPage, startBrowser } from './harness.ts';
import { createStory } from './story.ts';

let browser: Browser;
let bundle: string;

beforeAll(async () => {
  [browser, bundle] = await Promise.all([startBrowser(), buildPage()]);
});
afterAll(() => browser?.close());

test('the context meter says what fills the context, and a click compacts it', async () => {
  const story = createStory();
  const usage = { inputTokens: 49_000, outputTokens: 1_000, cacheReadTokens: 0, cacheWriteTokens: 0 };
  const contextParts = { system: 1_000, instructions: 0, tools: 3_000, messages: 46_000 };
  story.emit('lead', { type: 'turn-start', turn: 1, prompt: 'Look around.' });
  story.emit('lead', {
    type: 'usage-update',
    step: 1,
    usage,
    cost: 0.1,
    contextTokens: 50_000,
    contextWindow: 200_000,
    contextParts,
    total: { usage, cost: 0.1 },
  });
  const { page, calls, client } = await openPage(browser, bundle, { events: story.events });
  const meter = page.getByRole('button', { name: /of the context is used/ });
  expect(await meter.textContent()).toBe('25 %');
  expect(await meter.getAttribute('title')).toBe(
    '25 % of the context is used: 50k of 200k tokens\nSystem 1.0k · Tools 3.0k · Messages 46k\nClick to compact the conversation',
  );
  await meter.click();
  await expect.poll(() => calls).toEqual([['compact']]);
  story.emit('lead', {
    type: 'context-compact',
    by: 'lead',
    how: 'summary',
    tokensBefore: 50_000,
    tokensAfter: 10_000,
    history: [],
  });
  client.events(story.events[0]?.session ?? '', story.events.slice(-1));
  await expect.poll(() => meter.textContent()).toBe('5 %');
  await page.close();
});
