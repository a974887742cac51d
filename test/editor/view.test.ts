import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { AgentEvent } from '../../src/agent/index.ts';
import { type HostFunctions, hostCalls, type PanelState, type Snapshot } from '../../src/webview/protocol.ts';
import { createSidebar } from '../../src/webview/view.ts';
import { until } from './folders.ts';

const state: PanelState = {
  stage: 'ready',
  isTrusted: true,
  provider: 'demo',
  mode: 'default',
  model: 'sonnet',
  models: [],
  isRunning: false,
  folder: 'app',
  prompt: 'modal',
  access: 'write',
};
const snapshot: Snapshot = { session: 's', state, events: [] };
const event: AgentEvent = {
  type: 'notice',
  level: 'info',
  text: 'x',
  session: 's',
  agent: 'lead',
  parent: null,
  seq: 1,
  time: 1,
};

/** A view whose page is the test: it says what it wants and sees what it is told. */
function scriptedView() {
  const received = new vscode.EventEmitter<unknown>();
  const visibility = new vscode.EventEmitter<void>();
  const disposed = new vscode.EventEmitter<void>();
  const posted: unknown[] = [];
  const webview: vscode.Webview = {
    options: {},
    html: '',
    cspSource: 'https://page.test',
    onDidReceiveMessage: received.event,
    postMessage: async (message) => posted.push(message) > 0,
    asWebviewUri: (uri) => uri,
  };
  const view = {
    viewType: 'offshoot.sidebar',
    webview,
    visible: true,
    onDidChangeVisibility: visibility.event,
    onDidDispose: disposed.event,
    show: () => undefined,
  };
  return {
    view,
    posted,
    say: (message: unknown) => received.fire(message),
    setVisible(visible: boolean) {
      view.visible = visible;
      visibility.fire();
    },
  };
}

function setUp() {
  const called: unknown[][] = [];
  const reports: string[] = [];
  const record =
    (name: string) =>
    (...args: unknown[]) =>
      void called.push([name, ...args]);
  const names = Object.keys(hostCalls).filter((name) => name !== 'ready');
  const calls = Object.fromEntries(names.map((name) => [name, record(name)])) as unknown as Omit<
    HostFunctions,
    'ready'
  >;
  const sidebar = createSidebar({
    extension: vscode.Uri.file('/extension'),
    calls,
    snapshot: async () => () => snapshot,
    report: (text) => reports.push(text),
  });
  const page = scriptedView();
  sidebar.resolve(page.view);
  return { called, reports, sidebar, page };
}

const call = (name: unknown, ...args: unknown[]) => ({ t: 'q', m: name, a: args, i: 'id' });

describe('the sidebar view', () => {
  it('gives its page a policy without inline code, inline styles or network', () => {
    const { html } = setUp().page.view.webview;
    const policy = /Content-Security-Policy" content="([^"]+)"/.exec(html)?.[1] ?? '';
    const nonce = /script-src 'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
    assert.ok(nonce.length >= 16);
    assert.ok(policy.startsWith("default-src 'none';"));
    assert.ok(!policy.includes('unsafe'));
    assert.ok(!/ style=| on\w+=/.test(html));
    for (const [tag] of html.matchAll(/<script[^>]*>/g)) assert.ok(tag.includes(`nonce="${nonce}"`), tag);
  });

  it('passes on calls that are what they should be', async () => {
    const { called, reports, page } = setUp();
    page.say(call('send', 'hello'));
    page.say(call('answerPermission', 'ask-1', 'allow', 'session', ''));
    await until(() => called.length === 2, 'both calls arrived');
    assert.deepEqual(called, [
      ['send', 'hello'],
      ['answerPermission', 'ask-1', 'allow', 'session', ''],
    ]);
    assert.deepEqual(reports, []);
  });

  it('S32 refuses and reports everything else', async () => {
    const { called, reports, page } = setUp();
    const bad = [
      null,
      'text',
      { t: 'q', m: 'send', a: 'hello' },
      { t: 'q', m: ['send'], a: ['hello'] },
      call('send'),
      call('send', { toString: 'x' }),
      call('send', 'a', 'b'),
      call('answerPermission', 'ask-1', 'always', 'session', ''),
      call('setMode', 'everything'),
      call('openFile', 'a.ts', -1),
      call('constructor'),
      call('__proto__', 'x'),
      call('toString'),
    ];
    for (const message of bad) page.say(message);
    await until(() => reports.length >= bad.length, 'all were reported');
    assert.deepEqual(called, []);
  });

  it('tells a page nothing before it is ready and while it is hidden', async () => {
    const { sidebar, page } = setUp();
    const toldEvents = () => page.posted.filter((message) => JSON.stringify(message).includes('"m":"events"')).length;
    sidebar.event('s', event);
    sidebar.state(state);
    assert.deepEqual(page.posted, []);
    page.say(call('ready'));
    await until(() => page.posted.length === 1, 'the snapshot was sent');
    sidebar.event('s', event);
    await until(() => toldEvents() === 1, 'the event was sent');
    page.setVisible(false);
    sidebar.event('s', event);
    sidebar.state(state);
    page.setVisible(true);
    sidebar.event('s', event);
    await new Promise((resolve) => setTimeout(resolve, 80));
    assert.equal(page.posted.length, 2);
    page.say(call('ready'));
    await until(() => page.posted.length === 3, 'the page got everything again');
  });
});
