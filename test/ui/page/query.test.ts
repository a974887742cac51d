import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import strings from '../../../l10n/bundle.l10n.zh-cn.json' with { type: 'json' };
import type { FromQueryPage, Report, ToQueryPage } from '../../../src/webview/queryProtocol.ts';
import { screenshots, startBrowser } from './harness.ts';
import { type ThemeName, themeCss } from './themes.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const origin = 'http://query.test';
let browser: Browser;
let bundle: string;

beforeAll(async () => {
  bundle = await mkdtemp(path.join(os.tmpdir(), 'offshoot-query-'));
  await build({
    ...{ absWorkingDir: root, entryPoints: { query: 'src/webview/app/query/main.tsx' }, outdir: bundle },
    ...{ bundle: true, minify: true, format: 'iife', target: 'es2022', jsx: 'automatic', jsxImportSource: 'preact' },
  });
  browser = await startBrowser();
});
afterAll(() => browser.close());

type Options = {
  readonly theme?: ThemeName;
  readonly width?: number;
  readonly language?: 'en' | 'zh-cn';
  readonly saved?: unknown;
  readonly unsearched?: number;
  readonly answer: (query: Extract<FromQueryPage, { type: 'ask' }>['query']) => Report;
};

async function open({ theme = 'dark', width = 900, language = 'en', saved, unsearched = 0, answer }: Options) {
  const page = await browser.newPage({ viewport: { width, height: 700 }, deviceScaleFactor: 1 });
  onTestFinished(() => page.close());
  const problems: string[] = [];
  const sent: FromQueryPage[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  await page.exposeFunction('hostReceive', async (message: FromQueryPage) => {
    sent.push(message);
    if (message.type === 'ready') await tell(page, { type: 'folders', folders: ['/code/shop', '/code/site'] });
    if (message.type !== 'ask') return;
    const result = { id: message.id, report: answer(message.query), damagedLines: 0, unreadable: 0, unsearched };
    await tell(page, { type: 'answer', answer: { ...result, isPreliminary: false } });
  });
  await page.route('**/*', (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/') return route.fulfill({ contentType: 'text/html', body: html(language) });
    if (pathname === '/theme.css') return route.fulfill({ contentType: 'text/css', body: themeCss(theme) });
    if (pathname === '/host.js')
      return route.fulfill({
        contentType: 'text/javascript',
        body: hostScript.replace('SAVED', JSON.stringify(saved ?? null)),
      });
    return route.fulfill({ path: path.join(bundle, path.basename(pathname)) });
  });
  await page.goto(origin);
  return { page, sent, problems };
}

const tell = (page: Page, message: ToQueryPage) => page.evaluate((data) => window.postMessage(data, '*'), message);

const hostScript = `window.acquireVsCodeApi = () => ({
  postMessage: (message) => window.hostReceive(message), getState: () => (SAVED), setState: (state) => { window.saved = state; } });`;

const html = (language: 'en' | 'zh-cn') => `<!DOCTYPE html><html lang="${language}"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'nonce-x'; style-src ${origin}">
<link rel="stylesheet" href="/theme.css"><link rel="stylesheet" href="/query.css"></head><body><div id="root"></div>
<script type="application/json" id="strings" nonce="x">${JSON.stringify(language === 'en' ? {} : strings)}</script>
<script nonce="x" src="/host.js"></script><script type="module" nonce="x" src="/query.js"></script></body></html>`;

const origins = {
  ...{ session: 's1', title: 'Find the slow test', workspace: '/code/shop', agent: 'a1b2c3', agentName: 'scout' },
  ...{ agentType: 'Explore', turn: 1, time: Date.UTC(2026, 10, 30, 12) },
};
const usage = { inputTokens: 120_000, outputTokens: 3_400, cacheReadTokens: 800_000, cacheWriteTokens: 9_000 };
const cost = (key: string, usd: number, unpriced = 0) => ({ key, requests: 12, usage, cost: { usd, unpriced } });

const answer: Options['answer'] = (query) => {
  switch (query.kind) {
    case 'agents': {
      const call = { ...origins, tool: 'Grep', summary: 'Grep slow', status: 'ok', durationMs: 42 } as const;
      const failed = {
        ...call,
        agent: 'lead',
        agentName: 'lead',
        agentType: 'lead',
        summary: 'Bash npm test',
        tool: 'Bash',
      };
      return { kind: 'agents', rows: [call, { ...failed, status: 'error', durationMs: 61_000 }], total: 700 };
    }
    case 'commands': {
      const long = `node --test ${'--test-name-pattern=slow '.repeat(6)}`;
      const run = { ...origins, command: 'npm test', exitCode: 1, status: 'error', durationMs: 4_200 } as const;
      const denied = { ...run, command: 'rm -rf build', exitCode: undefined, status: 'denied' } as const;
      return { kind: 'commands', rows: [run, denied, { ...run, command: long, exitCode: 0, status: 'ok' }], total: 3 };
    }
    case 'permissions': {
      const row = { ...origins, tool: 'Bash', summary: 'Bash rm -rf build', decision: 'deny', by: 'rule' } as const;
      return { kind: 'permissions', rows: [{ ...row, rule: 'Bash(rm:*)', source: 'settings' }], total: 1 };
    }
    case 'cost': {
      if (query.from !== undefined && query.workspace === '/code/site') return { kind: 'cost', by: query.by, rows: [] };
      const rows = [cost('2026-11-28', 0.42), cost('2026-11-29', 3.1, 2), cost('2026-11-30', 1.27)];
      const models = [cost('claude-opus-5-5', 3.4), cost('claude-haiku-5-5', 0.03)];
      return { kind: 'cost', by: query.by, rows: query.by === 'day' ? rows : models };
    }
  }
};

test('what is left out of search is said, with what to do about it', async () => {
  const { page, problems } = await open({ answer, unsearched: 1234, width: 420, theme: 'light' });
  const status = page.getByRole('status');
  await expect.poll(() => status.textContent()).toContain('very long or very old: 1234.');
  expect(await status.textContent()).toContain('Clean Up Old Conversations');
  await page.screenshot({ path: path.join(screenshots, 'query-unsearched.png') });
  expect(problems).toEqual([]);
});

test('calls stand in a table that says what it is, and a row leads to its agent', async () => {
  const { page, sent, problems } = await open({ answer });
  const table = page.getByRole('table', { name: 'Calls of agents, newest first' });
  await table.getByRole('cell', { name: 'Grep slow' }).waitFor();
  expect(await table.getByRole('columnheader').allTextContents()).toEqual([
    ...['When', 'Call', 'Outcome', 'Duration', 'Agent', 'Conversation'],
  ]);
  expect(await page.getByRole('status').textContent()).toBe('The newest 2 of 700.');
  expect(await table.textContent()).toContain('scout (Explore)');
  await table.getByRole('button', { name: 'Find the slow test' }).first().press('Enter');
  await expect.poll(() => sent.at(-1)).toEqual({ type: 'open', session: 's1', agent: 'a1b2c3' });
  await page.screenshot({ path: path.join(screenshots, 'query-agents.png') });
  expect(problems).toEqual([]);
});

test('the form asks anew with each change, and is kept', async () => {
  const { page, sent, problems } = await open({ answer });
  await page.getByLabel('Question').selectOption('Which commands ran?');
  await page.getByRole('table', { name: 'Commands, newest first' }).waitFor();
  await page.getByLabel('Command contains').fill('npm');
  await page.getByLabel('Time').selectOption('From … until …');
  await page.getByLabel('From', { exact: true }).fill('2026-11-01');
  await page.getByLabel('Until', { exact: true }).fill('2026-11-30');
  await page.getByLabel('Folder').selectOption('/code/shop');
  const wanted = {
    ...{ kind: 'commands', text: 'npm', workspace: '/code/shop' },
    ...{ from: new Date(2026, 10, 1).getTime(), to: new Date(2026, 11, 1).getTime() },
  };
  await expect.poll(() => sent.at(-1)).toMatchObject({ type: 'ask', query: wanted });
  await page.getByRole('button', { name: 'Export as CSV…' }).click();
  await expect.poll(() => sent.at(-1)).toEqual({ type: 'export', query: wanted });
  expect(await page.evaluate(() => Reflect.get(window, 'saved'))).toMatchObject({ kind: 'commands', text: 'npm' });
  await page.screenshot({ path: path.join(screenshots, 'query-commands.png') });
  expect(problems).toEqual([]);
});

test('costs have a chart and a table with the same numbers; what has no price is said', async () => {
  const { page, problems } = await open({ answer, saved: { kind: 'day', range: 'all' } });
  const table = page.getByRole('table', { name: 'Cost and tokens' });
  await table.waitFor();
  expect(await table.getByRole('row').nth(2).textContent()).toContain('$3.10 and 2 requests without a price');
  expect(await table.getByRole('row').last().textContent()).toContain('$4.79');
  const chart = page.getByRole('img', { name: /Bars/ });
  expect(await chart.locator('rect').count()).toBe(3);
  expect(await chart.textContent()).toContain('$1.27');
  await page.screenshot({ path: path.join(screenshots, 'query-cost.png') });
  await page.getByLabel('Time').selectOption('Last 7 days');
  await page.getByLabel('Folder').selectOption('/code/site');
  await expect.poll(() => page.getByRole('status').textContent()).toBe('Nothing was spent in this time.');
  expect(await table.count()).toBe(0);
  expect(problems).toEqual([]);
});

test('everything is Chinese in a Chinese editor, also in high contrast and where there is little room', async () => {
  const { page, problems } = await open({
    ...{ answer, language: 'zh-cn', theme: 'high-contrast', width: 320, saved: { kind: 'permissions' } },
  });
  await page.getByRole('table', { name: '关于调用的决定，最新的在前' }).waitFor();
  expect(await page.locator('#root').textContent()).not.toMatch(/Decision|Conversation|Export|Folder/);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await page.screenshot({ path: path.join(screenshots, 'query-chinese.png') });
  expect(problems).toEqual([]);
});

test('an older answer is passed over, a failure is told', async () => {
  const { page } = await open({ answer, saved: { kind: 'commands' } });
  await page.getByRole('table', { name: 'Commands, newest first' }).waitFor();
  await tell(page, { type: 'failed', id: 0, message: 'of before' });
  expect(await page.getByRole('alert').count()).toBe(0);
  await tell(page, { type: 'failed', id: 1, message: 'The index stopped working.' });
  expect(await page.getByRole('alert').textContent()).toBe('The index stopped working.');
});
