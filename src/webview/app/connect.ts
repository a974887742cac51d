import { batch } from '@preact/signals';
import { createBirpc } from 'birpc';
import type { AgentEvent, HostFunctions, PageFunctions, PanelState, Snapshot } from '../protocol.ts';
import { addToDraft } from './draft.ts';
import { createConversation } from './model/conversation.ts';
import { reduceAll } from './model/reduce.ts';
import type { Host, Page } from './page.ts';

/** What the editor gives a webview. */
export type EditorApi = {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
};

type Store = Pick<Page, 'conversation' | 'agent' | 'panel' | 'clock' | 'draft' | 'focusCount' | 'history' | 'hits'>;

const events: (keyof HostFunctions)[] = [
  'send',
  'stop',
  'pause',
  'resume',
  'tell',
  'detach',
  'retry',
  'planAgent',
  'openTranscript',
  'cancelQueued',
  'editQueued',
  'newChat',
  'goOn',
  'editPrompt',
  'branch',
  'takeOver',
  'closeHistory',
  'openSession',
  'renameSession',
  'pinSession',
  'deleteSession',
  'undoDelete',
  'exportSession',
  'searchHistory',
  'compact',
  'setMode',
  'setModel',
  'answerPermission',
  'showEdit',
  'decideEdit',
  'answerQuestion',
  'openFile',
  'openChange',
  'openLink',
  'copy',
  'openAsDocument',
  'start',
  'explore',
  'showLogs',
];

/** Connects the page with its host and keeps `store` up to date. */
export function connect(api: EditorApi, store: Store): Host {
  const feed = createFeed(store);
  const functions: PageFunctions = {
    events: feed.add,
    state: (state) => feed.later(() => setPanel(store, state)),
    reset: feed.load,
    focus() {
      store.focusCount.value += 1;
    },
    history(view) {
      store.history.value = view ?? undefined;
    },
    historyHits(hits) {
      store.hits.value = hits;
    },
    prefill(text) {
      addToDraft(store.draft, [text]);
      store.focusCount.value += 1;
    },
  };
  const host = createBirpc<HostFunctions, PageFunctions>(functions, {
    eventNames: events,
    post: (message) => api.postMessage(message),
    on: (receive) => window.addEventListener('message', (event: MessageEvent<unknown>) => receive(event.data)),
    timeout: -1,
  });
  host.ready().then(feed.load, (error: unknown) => console.error('The host did not answer.', error));
  return host;
}

function setPanel(store: Store, state: PanelState): void {
  store.panel.value = state;
}

/** Takes events as they come and reduces them once a frame. */
function createFeed(store: Store) {
  let waiting: (() => void)[] = [];
  let early: [string, readonly AgentEvent[]][] = [];
  /** By how much the host's clock is behind this one; live events tell. */
  let skew: number | undefined;
  const hostTime = () => Date.now() - (skew ?? 0);
  let isScheduled = false;

  const flush = () => {
    isScheduled = false;
    const tasks = waiting;
    waiting = [];
    batch(() => {
      for (const task of tasks) task();
      store.clock.value = Math.max(store.clock.peek(), hostTime());
    });
  };
  const later = (task: () => void) => {
    waiting.push(task);
    if (isScheduled) return;
    isScheduled = true;
    // A hidden page gets no frames.
    if (document.hidden) setTimeout(flush, 100);
    else requestAnimationFrame(flush);
  };
  const reduceLive = (session: string, events: readonly AgentEvent[]) => {
    const conversation = store.conversation.peek();
    if (conversation?.session === session) reduceAll(conversation, events);
  };

  setInterval(() => {
    if (store.panel.peek()?.isRunning) store.clock.value = hostTime();
  }, 1000);

  return {
    later,
    add(session: string, events: readonly AgentEvent[]): void {
      const last = events.at(-1);
      if (last) skew = Math.min(skew ?? Number.POSITIVE_INFINITY, Date.now() - last.time);
      if (store.conversation.peek()) later(() => reduceLive(session, events));
      else early.push([session, events]);
    },
    load(snapshot: Snapshot): void {
      const conversation = createConversation(snapshot.session);
      conversation.before = snapshot.before ?? 0;
      conversation.past.value = { parts: [], away: [], isWhole: snapshot.before === undefined };
      reduceAll(conversation, snapshot.events);
      batch(() => {
        store.panel.value = snapshot.state;
        store.agent.value = snapshot.agent;
        store.conversation.value = conversation;
        store.clock.value = hostTime();
      });
      for (const [session, events] of early) reduceLive(session, events);
      early = [];
    },
  };
}
