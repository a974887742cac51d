import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, rename, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import {
  createBroker,
  createDemoProvider,
  createModelCatalog,
  createRedactor,
  noDefinitions,
  systemClock,
} from '../../src/agent/index.ts';
import { branchFrom } from '../../src/editor/conversation/branch.ts';
import type { Conversation } from '../../src/editor/conversation/contract.ts';
import { createConversation } from '../../src/editor/conversation/conversation.ts';
import { createHistory, type History } from '../../src/editor/conversation/history/history.ts';
import { createLog } from '../../src/editor/log/log.ts';
import { createSettings } from '../../src/editor/settings/settings.ts';
import type { HistoryHits, HistoryView } from '../../src/webview/protocol.ts';
import { longStory, writeJournal } from '../support/longStory.ts';
import { until, useFolder } from './folders.ts';
import { memoryStore } from './memoryStore.ts';
import { createSidebarHost } from './sidebarHost.ts';

describe('the history', () => {
  const folder = useFolder();
  const report = () => undefined;
  const log = createLog();
  const { host, dispose } = createSidebarHost('history');
  const provider = createDemoProvider({ clock: systemClock, paceMs: 0 });
  let conversation: Conversation;
  let history: History;
  let view: HistoryView | undefined;
  let hits: HistoryHits | undefined;

  after(() => {
    dispose();
    log.dispose();
  });
  beforeEach(() => {
    const stateDirectory = folder.at('state');
    conversation = createConversation({
      host,
      broker: createBroker(host.prompts),
      settings: createSettings(report),
      providers: {
        current: () => provider,
        catalogOf: createModelCatalog,
        isReady: async () => true,
        listModels: async () => ['offline-demo'],
      },
      definitions: { current: () => noDefinitions, settled: async () => undefined },
      memory: memoryStore(),
      stateDirectory,
      registeredHooks: () => [],
      redactor: createRedactor(),
      log,
    });
    history = createHistory({
      conversation,
      stateDirectory,
      index: {
        update: async () => ({ sessions: 0, messages: 0, damagedLines: 0, unsearched: 0, unreadable: [] }),
        search: async () => ({ hits: [], hasMore: false, unsearched: 0 }),
      },
      show: (shown) => {
        view = shown;
      },
      showHits: (found) => {
        hits = found;
      },
      report,
    });
  });
  afterEach(async () => {
    history.dispose();
    await conversation.close();
  });

  /** Sends a prompt and waits for the turn's end. @returns the session */
  async function say(prompt: string): Promise<string> {
    const ends = async () => (await conversation.snapshot())().events.filter(({ type }) => type === 'turn-end').length;
    const before = await ends();
    assert.equal(await conversation.send(prompt), true);
    await until(async () => (await ends()) > before && !conversation.isRunning(), 'the turn has ended');
    return conversation.current() ?? '';
  }
  const titles = () => view?.sessions.map(({ title }) => title);
  const pathOf = (session: string, end: string) => folder.at('state', 'sessions', `${session}${end}`);

  it('has the conversations, is up to date while it is open, and names and pins them', async () => {
    const first = await say('hello');
    await conversation.newChat();
    await history.show();
    assert.deepEqual(titles(), ['hello']);
    await say('help');
    await until(() => titles()?.length === 2, 'the new one is in the list');
    await history.rename(first, 'Mine');
    await history.pin(first, true);
    await until(() => titles()?.join() === 'Mine,help', 'its name stands on top');
    assert.deepEqual(
      view?.sessions.map(({ isHere, isCurrent, state }) => [isHere, isCurrent, state]),
      [
        [true, false, 'completed'],
        [true, true, 'completed'],
      ],
    );
    history.close();
    assert.equal(view, undefined);
  });

  it('deletes the one that shows after closing it, and brings it back', async () => {
    const session = await say('hello');
    await history.show();
    await history.remove(session);
    await until(() => titles()?.length === 0, 'it is gone from the list');
    assert.equal(conversation.current(), undefined);
    assert.equal(view?.deleted, 'hello');
    assert.deepEqual(await readdir(folder.at('state', 'sessions')), []);
    await history.undoDelete();
    await until(() => titles()?.join() === 'hello', 'it is there again');
    assert.equal(view?.deleted, undefined);
    await history.open(session, false);
    assert.equal(conversation.current(), session);
  });

  it('opens one that another process holds to be read, until that is gone, and does not delete it', async () => {
    const session = await say('hello');
    await conversation.newChat();
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    });
    const holder = { host: hostname(), pid: other.pid, token: 'other', beat: Date.now() };
    await writeFile(pathOf(session, '.jsonl.lock'), JSON.stringify(holder));
    await history.show();
    assert.equal(view?.sessions[0]?.state, 'elsewhere');
    await assert.rejects(history.remove(session), /another window|另一个窗口/);
    await history.open(session, false);
    const access = async () => (await conversation.snapshot())().state.access;
    assert.equal(await access(), 'held');
    assert.equal(await conversation.send('mine'), false);
    other.kill('SIGKILL');
    await once(other, 'exit');
    await until(async () => (await access()) === 'write', 'it is writable');
    await say('mine');
  });

  it('opens one only to be read on request', async () => {
    const session = await say('hello');
    await history.open(session, true);
    assert.equal((await conversation.snapshot())().state.access, 'readOnly');
    assert.equal(await conversation.send('mine'), false);
    await conversation.takeOver();
    assert.equal(await conversation.send('mine'), true);
  });

  it('leaves the one that shows where it is when the reading of another is given up, or fails', async () => {
    const first = await say('hello');
    await conversation.newChat();
    const second = await say('help');
    const giveUp = new AbortController();
    const opened = conversation.openPast(first, false, giveUp.signal);
    giveUp.abort();
    assert.equal(await opened, false);
    assert.equal(conversation.current(), second);
    await assert.rejects(conversation.openPast('20260101-000000000-00000000'));
    assert.equal(conversation.current(), second);
    // Of two that are asked for the last one shows.
    await conversation.newChat();
    const both = await Promise.all([conversation.openPast(first), conversation.openPast(second)]);
    assert.deepEqual([both, conversation.current()], [[false, true], second]);
    await say('hello again');
  });

  it('keeps what shows, to be read only, when reading it again is given up, or fails', async () => {
    const first = await say('hello');
    await conversation.newChat();
    const second = await say('help');
    const { events } = (await conversation.snapshot())();
    const shown = async () => {
      const { session, state, events: now } = (await conversation.snapshot())();
      return [session, state.access, now.length];
    };
    const kept = [second, 'readOnly', events.length];
    assert.equal(await conversation.openPast(second, true, AbortSignal.abort()), false);
    assert.deepEqual(await shown(), kept);
    const taken = conversation.takeOver();
    assert.equal(await conversation.openPast(first, false, AbortSignal.abort()), false);
    await taken;
    assert.deepEqual(await shown(), kept);
    assert.equal(await conversation.send('mine'), false);
    await rename(pathOf(second, '.jsonl'), pathOf(second, '.away'));
    await assert.rejects(conversation.takeOver());
    assert.deepEqual(await shown(), kept);
    await rename(pathOf(second, '.away'), pathOf(second, '.jsonl'));
    await conversation.takeOver();
    await say('mine');
  });

  it('has what was earlier in a long one, for its transcript and for that of an agent', async () => {
    const long = longStory(600, 1500);
    await writeJournal(folder.at('state'), 'long', long);
    assert.equal(await conversation.openPast('long'), true);
    const { events, before = 0 } = (await conversation.snapshot())();
    assert.ok(before > 0 && events.length < long.length / 2);
    const part = await conversation.readEarlier(before, 'lead');
    assert.equal(part.session, 'long');
    assert.equal(part.events[0]?.type, 'turn-start');
    assert.equal(part.events.at(-1)?.seq, before - 1);
    const scout = long.find(({ agent }) => agent !== 'lead')?.agent ?? '';
    const own = (await conversation.snapshot(scout))();
    assert.ok(own.events.some(({ type, agent }) => type === 'agent-end' && agent === scout));
    const earlier = await conversation.readEarlier(own.before ?? 0, scout);
    assert.deepEqual([earlier.events[0]?.type, earlier.isFirst], ['agent-start', true]);
    await conversation.newChat();
    await assert.rejects(conversation.readEarlier(before, 'lead'));
  });

  it('makes branches that say where they are from', async () => {
    const source = await say('hello');
    await say('help');
    await branchFrom(conversation, folder.at('state'), { turn: 2, side: 'before' }, async () => {
      await say('hello again');
    });
    const { session, events } = (await conversation.snapshot())();
    assert.notEqual(session, source);
    assert.deepEqual(
      events.flatMap((event) => (event.type === 'turn-start' ? [event.prompt] : [])),
      ['hello', 'hello again'],
    );
    await history.show();
    assert.deepEqual(
      view?.sessions.map(({ branchedFrom }) => branchedFrom),
      ['hello', undefined],
    );
  });

  it('searches in what was said', async () => {
    history.search('hello');
    await until(() => hits?.isWhole === true, 'the search has ended');
    assert.deepEqual(hits, { text: 'hello', hits: [], isWhole: true, unsearched: 0 });
  });
});
