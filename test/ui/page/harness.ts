/** The real bundle in a real browser, with a host that speaks the same protocol and notes what the page asks of it. */
import { mkdtemp, readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createBirpc } from 'birpc';
import { build } from 'esbuild';
import { type Browser, chromium, type Page } from 'playwright-core';
import { usedCodicons } from '../../../scripts/codicons.mjs';
import type { AgentEvent } from '../../../src/agent/loop/events.ts';
import {
  type EarlierPart,
  type HostCall,
  type HostFunctions,
  hostCalls,
  type PageFunctions,
  type PanelState,
  type Snapshot,
} from '../../../src/webview/protocol.ts';
import { type ThemeName, themeCss, themes } from './themes.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const origin = 'http://page.test';
export const screenshots = path.join(root, '.artifacts/screenshots');

export const readyState: PanelState = {
  stage: 'ready',
  isTrusted: true,
  provider: 'anthropic',
  mode: 'default',
  model: 'sonnet',
  models: ['opus', 'sonnet', 'haiku'],
  isRunning: false,
  access: 'write',
  folder: 'shop',
  prompt: 'sidebar',
};

export type OpenPage = {
  readonly page: Page;
  /** What the page asked of its host, without `ready`. */
  readonly calls: (readonly [HostCall, ...unknown[]])[];
  /** Addresses that were asked for beside the page's own files. */
  readonly requests: string[];
  readonly problems: string[];
  readonly client: PageFunctions;
  show(events: readonly AgentEvent[], state?: Partial<PanelState>): Promise<void>;
  shot(name: string): Promise<void>;
};

export type PageOptions = {
  readonly state?: Partial<PanelState>;
  readonly events?: readonly AgentEvent[];
  readonly theme?: ThemeName;
  readonly width?: number;
  readonly height?: number;
  readonly strings?: Readonly<Record<string, string>>;
  readonly saved?: unknown;
  /** `events` begin here, and what was before is read from the host. */
  readonly before?: number;
  readonly earlier?: (before: number, agent: string) => Promise<EarlierPart>;
  /** Shown alone, as in an editor of its own. */
  readonly agent?: string;
};

export async function buildPage(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'offshoot-page-'));
  await build({
    absWorkingDir: root,
    entryPoints: { page: 'src/webview/app/main.tsx' },
    outdir: folder,
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.ttf': 'file' },
    plugins: [usedCodicons(path.join(root, 'src/webview/app'))],
    assetNames: '[name]',
    logLevel: 'error',
  });
  return folder;
}

export async function startBrowser(): Promise<Browser> {
  const finder: unknown = await import(path.join(root, 'scripts/browser.mjs'));
  const found = await (finder as { findBrowser(): Promise<string | undefined> }).findBrowser();
  if (found === undefined) throw new Error('No Chromium was found. Install one or set CHROME_PATH.');
  return chromium.launch({ executablePath: found, args: ['--no-sandbox', '--disable-gpu', '--disable-quic'] });
}

export async function openPage(browser: Browser, bundle: string, options: PageOptions = {}): Promise<OpenPage> {
  const { theme = 'dark', width = 380, height = 900, events = [] } = options;
  const page = await browser.newPage({ viewport: { width, height }, deviceScaleFactor: 2 });
  const calls: OpenPage['calls'] = [];
  const requests: string[] = [];
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.route('**/*', async (route) => {
    const url = new URL(route.request().url());
    if (url.origin !== origin) {
      requests.push(url.href);
      return route.abort();
    }
    if (url.pathname === '/') return route.fulfill({ contentType: 'text/html', body: html(theme, options) });
    if (url.pathname === '/theme.css') return route.fulfill({ contentType: 'text/css', body: themeCss(theme) });
    if (url.pathname === '/host.js')
      return route.fulfill({ contentType: 'text/javascript', body: hostScript(options) });
    return route.fulfill({ path: path.join(bundle, path.basename(url.pathname)) });
  });

  let snapshot: Snapshot = {
    session: events[0]?.session ?? 'session-1',
    state: { ...readyState, ...options.state },
    events,
    ...(options.agent !== undefined && { agent: options.agent }),
    ...(options.before !== undefined && { before: options.before }),
  };
  let receive: (message: unknown) => void = () => {};
  await page.exposeFunction('postToHost', (message: unknown) => receive(message));
  const note = (name: HostCall) => (args: unknown[]) => {
    hostCalls[name].parse(args);
    calls.push([name, ...args]);
  };
  const functions = Object.fromEntries(
    Object.keys(hostCalls).map((name) => [name, (...args: unknown[]) => note(name as HostCall)(args)]),
  ) as unknown as HostFunctions;
  const readEarlier: HostFunctions['readEarlier'] = async (before, agent) => {
    note('readEarlier')([before, agent]);
    if (!options.earlier) throw new Error('The host was not expected to be asked.');
    return options.earlier(before, agent);
  };
  const client = createBirpc<PageFunctions, HostFunctions>(
    { ...functions, ready: async () => snapshot, readEarlier },
    {
      eventNames: ['events', 'state', 'reset', 'focus', 'prefill', 'history', 'historyHits'],
      post: (message) => page.evaluate((data) => window.postMessage(data, '*'), message),
      on: (listener) => {
        receive = listener;
      },
    },
  );
  await page.goto(`${origin}/`);
  await page.waitForSelector('.page');
  return {
    page,
    calls,
    requests,
    problems,
    client,
    async show(next, state = {}) {
      snapshot = {
        session: next[0]?.session ?? snapshot.session,
        state: { ...snapshot.state, ...state },
        events: next,
      };
      await client.reset(snapshot);
      await settle(page);
    },
    async shot(name) {
      await settle(page);
      await page.screenshot({ path: path.join(screenshots, `${name}.png`) });
    },
  };
}

/** Two frames: one to reduce, one to draw. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  });
  await page.waitForTimeout(50);
}

/** As strict as the host's page, so that what the policy would stop shows up here. */
function html(theme: ThemeName, { strings = {} }: PageOptions): string {
  const policy = `default-src 'none'; script-src ${origin}; style-src ${origin}; font-src ${origin}`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1.0"><title>Offshoot</title>
<link rel="stylesheet" href="/theme.css"><link rel="stylesheet" href="/page.css"></head>
<body class="${themes[theme].className}"><div id="root"></div>
<script type="application/json" id="strings">${JSON.stringify(strings).replaceAll('<', '\\u003c')}</script>
<script src="/host.js"></script><script src="/page.js"></script></body></html>`;
}

function hostScript({ saved }: PageOptions): string {
  return `window.savedState = ${JSON.stringify(saved ?? null)};
window.acquireVsCodeApi = () => ({
  postMessage: (message) => { void window.postToHost(message); },
  getState: () => window.savedState,
  setState: (state) => { window.savedState = state; },
});`;
}

export async function bundleSize(folder: string): Promise<number> {
  const files = await Promise.all(['page.js', 'page.css'].map((name) => readFile(path.join(folder, name))));
  return files.reduce((sum, file) => sum + file.length, 0);
}
