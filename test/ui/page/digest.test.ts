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

function askingStory(count: number) {
  const story = createStory();
  story.emit('lead', { type: 'turn-start', turn: 1, prompt: 'Do it.' });
  const ask = (number: number) =>
    story.emit('lead', {
      type: 'permission-ask',
      ask: `ask-${number}`,
      call: `c${number}`,
      agentName: 'lead',
      tool: 'Bash',
      title: 'Run a command',
      detail: `make part-${number}\u202e`,
      directory: '/w',
      reason: 'Commands are asked about.',
    });
  for (let number = 1; number <= count; number += 1) ask(number);
  return { story, ask };
}

test('three questions are listed in one place, with all that stands in them, and answered one by one or together', async () => {
  const { story, ask } = askingStory(3);
  const { page, calls, client } = await openPage(browser, bundle, {
    events: story.events,
    state: { isRunning: true },
    width: 300,
  });
  const digest = page.getByRole('region', { name: 'Permissions that wait for you' });
  expect(await digest.getByRole('listitem').count()).toBe(3);
  expect(await digest.locator('.whole').first().textContent()).toBe('make part-1\\u{202e}');
  expect(await digest.textContent()).toContain('Commands are asked about.');
  await digest
    .getByRole('button', { name: /^Why was this asked/ })
    .first()
    .click();
  await digest.getByRole('button', { name: /^Deny: .*part-2/ }).click();
  await digest.getByRole('button', { name: /^Allow once: .*part-1/ }).click();
  await page.waitForTimeout(600);
  await client.events(story.events[0]?.session ?? '', [ask(4)]);
  await expect.poll(() => digest.getByRole('listitem').count()).toBe(4);
  await digest.getByRole('button', { name: 'Allow all once' }).click();
  // The fourth came up too shortly before to have been read.
  await expect
    .poll(() => calls)
    .toEqual([
      ['explainPermission', 'ask-1'],
      ['answerPermission', 'ask-2', 'deny', 'once', ''],
      ['answerPermission', 'ask-1', 'allow', 'once', ''],
      ['answerPermission', 'ask-3', 'allow', 'once', ''],
    ]);
  await page.close();
});

test('two questions are cards alone', async () => {
  const { page } = await openPage(browser, bundle, { events: askingStory(2).story.events, state: { isRunning: true } });
  expect(await page.locator('.card.ask').count()).toBe(2);
  expect(await page.locator('.digest').count()).toBe(0);
  await page.close();
});
