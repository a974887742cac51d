/** The page in little room: a sidebar has 297 pixels when it is new, and people make it narrower. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildPage, openPage, type PageOptions, startBrowser } from './harness.ts';
import { backgroundStory, createStory, doneStory, type Story, workingStory } from './story.ts';

let browser: Browser;
let bundle: string;

beforeAll(async () => {
  [browser, bundle] = await Promise.all([startBrowser(), buildPage()]);
});
afterAll(() => browser?.close());

const open = (options: PageOptions = {}) => openPage(browser, bundle, options);

function started(): Story {
  const story = createStory();
  story.emit('lead', { type: 'turn-start', turn: 1, prompt: 'Look around.' });
  story.emit('lead', { type: 'step-start', step: 1, model: 'm' });
  return story;
}

test('nothing is cut off at 250 pixels', async () => {
  const opened = await open({ width: 250, height: 800, events: workingStory().events, state: { isRunning: true } });
  await opened.shot('page-narrow-working');
  const overflow = () => opened.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(await overflow()).toBe(0);
  await opened.show(doneStory(true).events);
  await opened.shot('page-narrow-review');
  expect(await overflow()).toBe(0);
  await opened.show(backgroundStory().events);
  await opened.page.hover('[data-agent="limits"] .row');
  await opened.shot('page-narrow-background');
  expect(await overflow()).toBe(0);
  await opened.page.close();
});

test('the name of an agent is whole in a new sidebar, and a task that it is named after is not said again', async () => {
  const story = started();
  story.call('lead', 'd1', 'Agent', {}, 'Explore');
  story.spawn('explore-entry-points-2', 'd1', { type: 'Explore', description: 'Explore entry points' });
  story.finish('explore-entry-points-2', 'Found them.');
  story.call('lead', 'd2', 'Agent', {}, 'Explore');
  story.spawn('src-agent-gate-hooks', 'd2', { type: 'Explore', description: 'Explore what keeps and what asks' });
  story.finish('src-agent-gate-hooks', 'Found them.');
  const { page } = await open({ width: 297, events: story.events, state: { isRunning: true } });
  const row = page.locator('[data-agent] .row-main');
  expect(await row.locator('.what').count()).toBe(1);
  const cut = row.locator('.name').evaluateAll((all) => all.map((name) => name.scrollWidth - name.clientWidth));
  expect(await cut).toEqual([0, 0]);
  await page.close();
});

test('that an agent waits for the user is read whole in a new sidebar, why a step is tried again too', async () => {
  const story = workingStory();
  story.spawn('checks', 'd9', { type: 'general-purpose', description: 'Run the checks' });
  story.emit('checks', { type: 'agent-status', activity: 'waiting_user' });
  const { page } = await open({ width: 297, events: story.events, state: { isRunning: true } });
  const cut = (selector: string) =>
    page.locator(selector).evaluate((element) => element.scrollWidth - element.clientWidth);
  expect(await cut('[data-agent="checks"] .what')).toBe(0);
  await page.close();
  const retrying = started();
  const detail = 'No connection to http://127.0.0.1:8080. Check the network and the setting.';
  retrying.emit('lead', { type: 'agent-status', activity: 'retrying', detail });
  const { page: other } = await open({ width: 297, events: retrying.events, state: { isRunning: true } });
  const line = other.locator('.activity > :nth-child(2)');
  expect(await line.evaluate((element) => getComputedStyle(element).whiteSpace)).toBe('normal');
  await other.close();
});

test('mode and model are readable at the width of a new sidebar', async () => {
  const state = { isRunning: true, model: 'claude-sonnet-5-5' };
  const { page } = await open({ width: 600, events: workingStory().events, state });
  const widths = () =>
    page.locator('.picker').evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().width)));
  const natural = await widths();
  await page.setViewportSize({ width: 297, height: 800 });
  expect(await widths()).toEqual(natural);
  await page.close();
});
