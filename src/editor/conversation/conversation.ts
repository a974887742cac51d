import * as vscode from 'vscode';
import { type Mode, type Session, shownPast } from '../../agent/index.ts';
import type { PanelState, Snapshot } from '../../webview/protocol.ts';
import { createAttentionCounter } from '../asking/attention.ts';
import { localFolders } from '../host/workspaceFolders.ts';
import { createSessionAccess } from './access.ts';
import { createAgentList } from './agentList.ts';
import type { Conversation, ConversationListener, ConversationParts } from './contract.ts';
import { createEarlier } from './earlier.ts';
import { createEndWatch } from './endWatch.ts';
import { type MadeSession, makeSession } from './makeSession.ts';
import { createModelLists } from './modelLists.ts';
import { createSlot } from './slot.ts';

const sessionKey = 'offshoot.session';
const patienceMs = 3000;
const takeOverMs = 30_000;

type Open = MadeSession & { readonly unsubscribe: () => void };

export function createConversation(parts: ConversationParts): Conversation {
  const { settings, providers, definitions, memory, log } = parts;
  const listeners = new Set<ConversationListener>();
  let counter = createAttentionCounter();
  let agents = createAgentList();
  const slot = createSlot<Open>({
    start,
    startLast,
    onEmpty() {
      counter = createAttentionCounter();
      agents = createAgentList();
      tell((listener) => listener.attention());
    },
    onLeave: ({ unsubscribe }) => unsubscribe(),
  });
  /** Choices of the user for the next session; undefined: as the settings say. */
  let mode: Mode | undefined;
  let model: string | undefined;
  /** Gives up what is read to be shown. */
  let reading: AbortController | undefined;
  const models = createModelLists(providers, pushState, log.warn);
  const earlier = createEarlier(parts.stateDirectory, () => slot.open?.session);
  const access = createSessionAccess(parts.stateDirectory, (session) => {
    reopen(session, false).catch((error) => log.error('The conversation could not be read again', error));
  });

  function tell(say: (listener: ConversationListener) => void): void {
    for (const listener of listeners) say(listener);
  }

  /** Gives up what is read to be shown: of what is asked for the last shows. */
  function beginReading(signal?: AbortSignal): AbortSignal {
    reading?.abort();
    reading = new AbortController();
    return signal ? AbortSignal.any([reading.signal, signal]) : reading.signal;
  }

  async function make(resume?: string, signal?: AbortSignal): Promise<MadeSession | 'cancelled' | undefined> {
    const onGivenUp = () => loseTo(made === 'cancelled' ? undefined : made?.session);
    const made = await makeSession(parts, resume, onGivenUp, signal);
    return made;
  }

  async function start(): Promise<Open | undefined> {
    const made = await make();
    return made && made !== 'cancelled' ? adopt(made) : undefined;
  }

  function adopt({ session, provider }: MadeSession): Open {
    if (mode) session.setMode(mode);
    if (model) session.setModel(model);
    const unsubscribe = listen(session);
    void memory.update(sessionKey, session.id);
    return { session, provider, unsubscribe };
  }

  /** @returns ends it */
  function listen(session: Session): () => void {
    counter = createAttentionCounter();
    agents = createAgentList();
    for (const event of session.events()) agents.add(event);
    const watchEnd = createEndWatch(session, pushState);
    return session.subscribe((event) => {
      agents.add(event);
      if (counter.add(event)) tell((listener) => listener.attention());
      tell((listener) => listener.event(session.id, event));
      if (event.type === 'turn-start' || event.type === 'agent-detach') watchEnd();
      if (event.type === 'turn-start' || event.type === 'turn-end' || event.type === 'agent-detach') pushState();
    });
  }

  async function startLast(): Promise<Open | undefined> {
    const last = memory.get<string>(sessionKey);
    if (!last) return undefined;
    const wanted = beginReading();
    try {
      // The window that was here before the reload may not have let go yet.
      await access.begin(last, false, patienceMs);
      const made = await make(last, wanted);
      if (made && made !== 'cancelled') return adopt(made);
      if (made && memory.get<string>(sessionKey) === last) await memory.update(sessionKey, undefined);
      return undefined;
    } catch (error) {
      log.error('The last conversation could not be opened', error);
      return undefined;
    }
  }

  /** A session, made where there is none; undefined as long as something is missing for its work. */
  async function openForWork(): Promise<Open | undefined> {
    if ((await readStage()) !== 'ready') return undefined;
    const isFirst = (await slot.take(false)) === undefined;
    const ready = await slot.take(true);
    if (ready && isFirst) await reset();
    await definitions.settled();
    return ready;
  }

  async function readStage(): Promise<PanelState['stage']> {
    if (localFolders().length === 0) return 'none';
    return (await providers.isReady()) ? 'ready' : 'choose';
  }

  async function readState(): Promise<PanelState> {
    const now = settings.read();
    const provider = slot.open?.provider ?? providers.current();
    const chosen = slot.open?.session.model ?? model ?? now.model;
    const stage = await readStage();
    if (stage === 'ready' && vscode.workspace.isTrusted) models.ask(provider);
    const known = models.known(provider);
    return {
      stage,
      isTrusted: vscode.workspace.isTrusted,
      provider: provider.id,
      mode: slot.open?.session.mode ?? mode ?? now['permissions.mode'],
      model: chosen,
      models: known.includes(chosen) || provider.id === 'demo' ? known : [chosen, ...known],
      isRunning: slot.open?.session.isRunning ?? false,
      access: access.read(),
      folder: localFolders()[0]?.name ?? '',
      prompt: now['permissions.prompt'],
    };
  }

  function pushState(): void {
    readState().then(
      (state) => tell((listener) => listener.state(state)),
      (error) => log.error('The state of the sidebar could not be read', error),
    );
  }

  async function readSnapshot(agent?: string): Promise<() => Snapshot> {
    const there = await slot.take(false);
    const beginning = there ? await earlier.beginning(there.session, agent) : [];
    const state = await readState();
    return () => {
      const session = slot.open?.session;
      const { events, before } = shownPast(session?.snapshot().events ?? [], agent, beginning);
      return { session: session?.id ?? '', state, events, ...(before !== undefined && { before }) };
    };
  }

  async function reset(): Promise<void> {
    const take = await readSnapshot();
    tell((listener) => listener.reset(take()));
  }

  async function newChat(): Promise<void> {
    reading?.abort();
    await memory.update(sessionKey, undefined);
    await slot.empty();
    access.end();
    await reset();
  }

  async function openPast(session: string, isReadOnly = false, signal?: AbortSignal): Promise<boolean> {
    if (slot.open?.session.id === session) {
      if (access.read() !== 'write' || isReadOnly) return reopen(session, isReadOnly, signal);
      reading?.abort();
      return true;
    }
    const made = await make(session, beginReading(signal));
    if (!made || made === 'cancelled') return false;
    await slot.replace(() => adopt(made));
    await access.begin(session, isReadOnly, 0);
    await reset();
    return true;
  }

  /**
   * Reads the one that shows again. What this window has written of it is closed before; when the reading is given up, or fails,
   * it shows as it was, to be read only.
   * @returns false when it was given up
   */
  async function reopen(session: string, isReadOnly: boolean, signal?: AbortSignal): Promise<boolean> {
    const wanted = beginReading(signal);
    const shown = slot.open;
    await access.begin(session, true, 0);
    pushState();
    await shown?.session.close();
    const made = await make(session, wanted);
    if (!made || made === 'cancelled') return false;
    await slot.replace(() => adopt(made));
    await access.begin(session, isReadOnly, 0);
    await reset();
    return true;
  }

  async function takeOver(): Promise<void> {
    const session = slot.open?.session.id;
    if (session === undefined) return;
    const isFree = access.read() !== 'held' || (await access.takeOver(session, AbortSignal.timeout(takeOverMs)));
    const kept = vscode.l10n.t(
      'The other window does not let go of this conversation. Close it there, or wait a moment.',
    );
    if (!isFree) throw new Error(kept);
    // Another may show by now.
    if (slot.open?.session.id !== session || !(await reopen(session, false))) return;
    await slot.open?.session.claim();
  }

  function loseTo(session: Session | undefined): void {
    if (!session || slot.open?.session !== session) return;
    access.lose(session.id);
    pushState();
  }

  /** What this window may write, with all that other windows have written before. */
  async function openWritable(): Promise<Open | undefined> {
    if (access.read() !== 'write') return undefined;
    const ready = await openForWork();
    if (!ready || !(await ready.session.isBehind())) return ready;
    const isUpToDate = await reopen(ready.session.id, false);
    return isUpToDate && access.read() === 'write' ? slot.open : undefined;
  }

  return {
    snapshot: readSnapshot,
    readEarlier: earlier.read,
    async send(prompt) {
      const ready = await openWritable();
      if (!ready) return false;
      const turn = ready.session.send(prompt);
      pushState();
      turn.catch((error) => log.error('A turn ended with a fault', error)).finally(pushState);
      return true;
    },
    stop: (agent) => slot.open?.session.stop(agent),
    agents: () => agents.read(),
    controls: () => slot.open?.session,
    async compact() {
      const there = await slot.take(false);
      if (!there) return;
      const compacted = there.session.compact();
      pushState();
      await compacted.finally(pushState);
    },
    async previewSpawn(task) {
      const ready = await openForWork();
      const missing = vscode.l10n.t('Open a folder and set up a model first, in the sidebar.');
      if (!ready) throw new Error(missing);
      return ready.session.previewSpawn(task);
    },
    newChat,
    isRunning: () => slot.open?.session.isRunning ?? false,
    async goOn(agent) {
      await (await openWritable())?.session.goOn(agent);
      pushState();
    },
    current: () => slot.open?.session.id,
    openPast,
    takeOver,
    async setMode(chosen) {
      mode = chosen;
      slot.open?.session.setMode(chosen);
      pushState();
    },
    async setModel(chosen) {
      model = chosen;
      slot.open?.session.setModel(chosen);
      pushState();
    },
    refresh: async () => pushState(),
    stage: readStage,
    isCurrent: () => slot.open === undefined || slot.open.provider === providers.current(),
    attention: () => counter.read(),
    subscribe(listener) {
      listeners.add(listener);
      return new vscode.Disposable(() => listeners.delete(listener));
    },
    close: slot.empty,
  };
}
