import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import {
  createBroker,
  createDemoProvider,
  createModelCatalog,
  createRedactor,
  noDefinitions,
  type Provider,
  systemClock,
} from '../../src/agent/index.ts';
import type { Conversation } from '../../src/editor/conversation/contract.ts';
import { createConversation } from '../../src/editor/conversation/conversation.ts';
import { createLog } from '../../src/editor/log/log.ts';
import { createSettings } from '../../src/editor/settings/settings.ts';
import { until, useFolder } from './folders.ts';
import { memoryStore } from './memoryStore.ts';
import { createSidebarHost } from './sidebarHost.ts';

describe('the conversation', () => {
  const folder = useFolder();
  const report = () => undefined;
  const log = createLog();
  const { host, dispose } = createSidebarHost('chat');
  const opened: Conversation[] = [];
  after(() => {
    dispose();
    log.dispose();
  });
  afterEach(async () => {
    for (const conversation of opened.splice(0)) await conversation.close();
  });

  const open = (memory: vscode.Memento, provider: () => Provider, isReady = true) => {
    const conversation = createConversation({
      host,
      broker: createBroker(host.prompts),
      settings: createSettings(report),
      providers: {
        current: provider,
        catalogOf: createModelCatalog,
        isReady: async () => isReady,
        listModels: async () => ['offline-demo'],
      },
      definitions: { current: () => noDefinitions, settled: async () => undefined },
      memory,
      stateDirectory: folder.at('state'),
      registeredHooks: () => [],
      redactor: createRedactor(),
      log,
    });
    opened.push(conversation);
    return conversation;
  };
  const demo = createDemoProvider({ clock: systemClock, paceMs: 0 });
  const isResting = async (conversation: Conversation) => {
    const { state, events } = (await conversation.snapshot())();
    return !state.isRunning && events.some(({ type }) => type === 'turn-end');
  };

  it('begins with the first prompt, and is there again after a reload', async () => {
    const memory = memoryStore();
    const first = open(memory, () => demo);
    const before = (await first.snapshot())();
    assert.deepEqual([before.session, before.events.length, before.state.stage], ['', 0, 'ready']);
    const resets: string[] = [];
    first.subscribe({
      event: () => undefined,
      state: () => undefined,
      attention: () => undefined,
      reset: ({ session }) => resets.push(session),
    });
    assert.equal(await first.send('hello'), true);
    await until(() => isResting(first), 'the turn has ended');
    const { session, events } = (await first.snapshot())();
    assert.deepEqual(resets, [session]);
    await first.close();

    const again = (await open(memory, () => demo).snapshot())();
    assert.equal(again.session, session);
    assert.deepEqual(again.events, JSON.parse(JSON.stringify(events)));
  });

  it('starts anew on request, and forgets what was before', async () => {
    const memory = memoryStore();
    const conversation = open(memory, () => demo);
    await conversation.send('hello');
    await until(() => isResting(conversation), 'the turn has ended');
    await conversation.newChat();
    const { session, events } = (await conversation.snapshot())();
    assert.deepEqual([session, events.length, memory.keys()], ['', 0, []]);
  });

  it('puts prompts that come at once into one session', async () => {
    const conversation = open(memoryStore(), () => demo);
    await Promise.all([conversation.send('hello'), conversation.send('help')]);
    const turns = async () => (await conversation.snapshot())().events.filter(({ type }) => type === 'turn-end').length;
    await until(async () => (await turns()) === 2, 'both turns have ended');
  });

  it('sends nothing before there is a source of answers', async () => {
    const conversation = open(memoryStore(), () => demo, false);
    assert.equal(await conversation.send('hello'), false);
    const { session, state } = (await conversation.snapshot())();
    assert.deepEqual([session, state.stage], ['', 'choose']);
  });

  it('keeps the choice of mode and model for the session that is to come', async () => {
    const conversation = open(memoryStore(), () => demo);
    await conversation.setMode('plan');
    await conversation.setModel('opus');
    await conversation.send('hello');
    const { state } = (await conversation.snapshot())();
    assert.deepEqual([state.mode, state.model], ['plan', 'opus']);
  });

  it('knows when the settings name another provider than its own', async () => {
    const other = createDemoProvider({ clock: systemClock, paceMs: 0 });
    let current = demo;
    const conversation = open(memoryStore(), () => current);
    await conversation.send('hello');
    assert.equal(conversation.isCurrent(), true);
    current = other;
    assert.equal(conversation.isCurrent(), false);
    await conversation.newChat();
    assert.equal(conversation.isCurrent(), true);
  });

  it('previews a spawn without starting anything, and compacts on request', async () => {
    const conversation = open(memoryStore(), () => demo);
    const preview = await conversation.previewSpawn({ prompt: 'Find the door.', subagent_type: 'Explore' });
    assert.equal(preview.type, 'Explore');
    assert.match(preview.directory, /workspace$/);
    assert.deepEqual((await conversation.snapshot())().events, []);
    await conversation.compact();
    const { events } = (await conversation.snapshot())();
    assert.deepEqual(
      events.map(({ type }) => type),
      ['notice'],
    );
  });

  it('previews nothing as long as no model is set up', async () => {
    const conversation = open(memoryStore(), () => demo, false);
    await assert.rejects(conversation.previewSpawn({ prompt: 'Find the door.' }), /set up a model/);
  });
});
