import { createBirpc } from 'birpc';
import * as vscode from 'vscode';
import * as z from 'zod';
import type { AgentEvent } from '../agent/index.ts';
import { createBatch } from './batch.ts';
import { pageHtml } from './html.ts';
import { type HostFunctions, hostCalls, type PageFunctions, type PanelState, type Snapshot } from './protocol.ts';

export type SidebarParts = {
  readonly extension: vscode.Uri;
  readonly calls: Omit<HostFunctions, 'ready'>;
  /** Resolves to what takes the snapshot, at the moment in which the page begins to listen. */
  readonly snapshot: () => Promise<() => Snapshot>;
  /** Something that the page may not do or that failed. */
  readonly report: (text: string, cause?: unknown) => void;
};

/** The sidebar's view: shows the page, checks what it says, and tells it what happens. */
export type Sidebar = {
  resolve(view: vscode.WebviewView): void;
  event(session: string, event: AgentEvent): void;
  state(state: PanelState): void;
  reset(snapshot: Snapshot): void;
  /** Opens the view and puts the cursor into the composer. */
  focus(): Promise<void>;
  prefill(text: string): void;
  setBadge(badge: vscode.ViewBadge | undefined): void;
};

type Page = { readonly view: vscode.WebviewView; readonly call: PageFunctions; isListening: boolean };

export function createSidebar({ extension, calls, snapshot, report }: SidebarParts): Sidebar {
  let page: Page | undefined;
  let badge: vscode.ViewBadge | undefined;
  let wantsFocus = false;
  const batch = createBatch((session, events) => listening()?.call.events(session, events));

  /** A hidden page is told nothing: it asks for everything when it is shown again. */
  function listening(): Page | undefined {
    return page?.isListening && page.view.visible ? page : undefined;
  }

  async function ready(): Promise<Snapshot> {
    const take = await snapshot();
    // In one go: what has been collected is in the snapshot, what comes now is not.
    batch.clear();
    const taken = take();
    if (page) page.isListening = true;
    if (wantsFocus) setTimeout(() => listening()?.call.focus());
    wantsFocus = false;
    return taken;
  }

  return {
    resolve(view) {
      view.webview.options = {
        enableScripts: true,
        localResourceRoots: [vscode.Uri.joinPath(extension, 'dist'), vscode.Uri.joinPath(extension, 'media')],
      };
      const call = connect(view.webview, { ...calls, ready }, report);
      const opened: Page = { view, call, isListening: false };
      page = opened;
      view.badge = badge;
      const hidden = view.onDidChangeVisibility(() => {
        if (!view.visible) opened.isListening = false;
      });
      view.onDidDispose(() => {
        hidden.dispose();
        if (page === opened) page = undefined;
      });
      view.webview.html = pageHtml(view.webview, extension);
    },
    event: (session, event) => {
      if (listening()) batch.add(session, event);
    },
    state: (state) => listening()?.call.state(state),
    reset(snapshot) {
      batch.clear();
      listening()?.call.reset(snapshot);
    },
    async focus() {
      wantsFocus = listening() === undefined;
      await vscode.commands.executeCommand('offshoot.sidebar.focus');
      listening()?.call.focus();
    },
    prefill: (text) => listening()?.call.prefill(text),
    setBadge(next) {
      badge = next;
      if (page) page.view.badge = next;
    },
  };
}

const messageSchema = z.union([
  z.object({
    t: z.literal('q'),
    m: z.string(),
    a: z.array(z.unknown()),
    i: z.string().optional(),
    o: z.boolean().optional(),
  }),
  z.object({ t: z.literal('s'), i: z.string() }).loose(),
]);

/** Every message of the page is looked at before anything is done with it: a page may be made to say anything. */
function connect(webview: vscode.Webview, calls: HostFunctions, report: SidebarParts['report']): PageFunctions {
  let subscription: vscode.Disposable | undefined;
  const rpc = createBirpc<PageFunctions, HostFunctions>(calls, {
    post: (message: unknown) => webview.postMessage(message),
    on: (receive) => {
      subscription = webview.onDidReceiveMessage((message: unknown) => {
        const known = messageSchema.safeParse(message);
        if (known.success) receive(known.data);
        else report('The page sent something that is no message');
      });
    },
    off: () => subscription?.dispose(),
    timeout: -1,
    eventNames: ['events', 'state', 'reset', 'focus', 'prefill'],
    resolver: (name) => checkedCall(name, calls, report),
    onFunctionError: (error, name) => {
      report(`The page called ${name}, which failed`, error);
    },
  });
  const say = (send: Promise<void>) => void send.catch((error) => report('The page could not be told', error));
  return {
    events: (session, events) => say(rpc.events(session, events)),
    state: (state) => say(rpc.state(state)),
    reset: (snapshot) => say(rpc.reset(snapshot)),
    focus: () => say(rpc.focus()),
    prefill: (text) => say(rpc.prefill(text)),
  };
}

function checkedCall(name: string, calls: HostFunctions, report: SidebarParts['report']) {
  if (!Object.hasOwn(hostCalls, name)) {
    report(`The page called ${JSON.stringify(name.slice(0, 100))}, which does not exist`);
    return undefined;
  }
  return (...args: unknown[]): unknown => {
    const call = toCall(name, args, calls);
    if (call) return call();
    report(`The page called ${name} with what it does not take`);
    throw new Error(`${name}: refused`);
  };
}

/** The call with its checked arguments; undefined when they are not what the function takes. */
function toCall(name: string, args: readonly unknown[], calls: HostFunctions): (() => unknown) | undefined {
  const check = <Args extends unknown[]>(schema: z.ZodType<Args>, run: (...args: Args) => unknown) => {
    const parsed = schema.safeParse(args);
    return parsed.success ? () => run(...parsed.data) : undefined;
  };
  switch (name) {
    case 'ready':
      return check(hostCalls.ready, calls.ready);
    case 'send':
      return check(hostCalls.send, calls.send);
    case 'stop':
      return check(hostCalls.stop, calls.stop);
    case 'newChat':
      return check(hostCalls.newChat, calls.newChat);
    case 'setMode':
      return check(hostCalls.setMode, calls.setMode);
    case 'setModel':
      return check(hostCalls.setModel, calls.setModel);
    case 'answerPermission':
      return check(hostCalls.answerPermission, calls.answerPermission);
    case 'showEdit':
      return check(hostCalls.showEdit, calls.showEdit);
    case 'decideEdit':
      return check(hostCalls.decideEdit, calls.decideEdit);
    case 'answerQuestion':
      return check(hostCalls.answerQuestion, calls.answerQuestion);
    case 'openFile':
      return check(hostCalls.openFile, calls.openFile);
    case 'openLink':
      return check(hostCalls.openLink, calls.openLink);
    case 'copy':
      return check(hostCalls.copy, calls.copy);
    case 'openAsDocument':
      return check(hostCalls.openAsDocument, calls.openAsDocument);
    case 'start':
      return check(hostCalls.start, calls.start);
    case 'explore':
      return check(hostCalls.explore, calls.explore);
    case 'showLogs':
      return check(hostCalls.showLogs, calls.showLogs);
    default:
      return undefined;
  }
}
